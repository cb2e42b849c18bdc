/// The animations of a container as clips on one skeleton.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../../core/asset.h"
#include "clips.h"
#include "container.h"

namespace reanima::ff9 {

/// A container that has been walked, and how its contents are to be read.
struct Contents {
    core::Bytes file;
    std::vector<Object> objects;
    std::string name;  ///< of the file
    /// Moved by all animations; without it the container's own models count.
    std::optional<Model> model{};
    std::optional<std::uint32_t> joints{};  ///< bones of every block, whatever a model says
    ClipSettings settings{};
    core::Limits limits{};
};

/// Decodes every model and animation.
/// @return warnings in `diagnostics` for those that can't be decoded
void checkContents(const Contents& contents, core::Diagnostics& diagnostics);

/// A clip `anim_<id>` for every animation that can be decoded; others are told of by warnings and keep their index.
///
/// An animation moves the model of its DB, else of the container; of several, the one with its number of bones. An
/// asset has one skeleton: what moves another model than the first animation is left out, with a warning. Without a
/// model the skeleton is made up.
/// @throws core::DecodeError if there are animations but none can be decoded, or neither animations nor a model
[[nodiscard]] core::Asset toAsset(const Contents& contents, core::Diagnostics& diagnostics);

}  // namespace reanima::ff9
