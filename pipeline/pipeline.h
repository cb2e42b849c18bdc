/// What happens to an asset between reading and writing: one function, which the command, the Assimp loaders and
/// loadFile() call.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../binding/bind_plan.h"
#include "../core/reduce.h"
#include "settings.h"

namespace reanima {

/// What Settings::reduce did to several clips. The mean is over all their frames.
struct ClipsReduction : core::Reduction {
    std::string worstClip;   ///< empty: nothing is off
    std::string worstJoint;  ///< Reduction::where

    /// For a terminal.
    [[nodiscard]] std::string toLine() const;
};

/// What became of an asset on its way.
struct PipelineReport {
    std::vector<std::string> unusedNames;     ///< lines of Settings::names that name nothing in it, as `clip 77`
    std::optional<BindReport> binding;        ///< if clips were bound to Settings::rig
    std::optional<ClipsReduction> reduction;  ///< if keys were left out
    double height = 1;                        ///< in metres: of the rest pose, or of meshes without joints; 1 for pictures
};

/// Takes an asset through the settings, in this order: rest pose, names of joints and clips, selection of clips, names
/// by template, binding to the rig, keys at another rate, root motion, fewer keys, loop keys, interpolation, end
/// joints. Settings about reading and writing are not looked at.
/// @param input the first input that the asset comes from, with its companions
/// @param context its options are the ones that the input was read with
/// @throws core::DecodeError that names the input; of the kind `option` where the settings ask for what the asset has
/// not, `limit` where they ask for more than the limits allow
[[nodiscard]] core::Asset applySettings(core::Asset asset, const Settings& settings, const Input& input,
                                        const Companions& companions, Context& context, PipelineReport& report);

}  // namespace reanima
