/// The animations of a container as clips on one skeleton.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "clips.h"
#include "container.h"
#include "container_models.h"
#include "core/asset.h"
#include "formats/common_options.h"
#include "found_look.h"

namespace reanima::ff9 {

/// A container that has been walked, and how its contents are to be read.
struct Contents {
    core::Bytes file;
    std::vector<Object> objects;
    std::string name;  ///< of the file
    /// Moved by all animations; without it the container's own models count.
    std::optional<Model> skeleton{};
    std::optional<std::uint32_t> joints{};  ///< bones of every block, whatever a model says
    ClipSettings settings{};
    core::Limits limits{};
    LookOptions look{};
    std::set<std::uint32_t> hiddenGroups{};
    bool withMesh = true;
    NamesBy namesBy = NamesBy::file;
    EnemyNames enemies{};  ///< of models that another file names
    /// What goes with the given skeleton.
    Look skeletonLook{};
    std::string skeletonStem{};  ///< name of the given skeleton's file, without extension
};

/// The container's own models; null where a skeleton takes their place.
/// @param contents outlive the result
/// @return warnings in `diagnostics` for what can't be read
[[nodiscard]] std::unique_ptr<const ContainerModels> ownModels(const Contents& contents,
                                                               core::Diagnostics& diagnostics);

/// What the own models are; none without them.
/// @throws core::DecodeError if there is nothing but bare skeletons because the animations can't be read
[[nodiscard]] std::vector<ModelSummary> modelsOf(const Contents& contents, const ContainerModels* own);

/// Animations that belong to models of other containers; none where a skeleton takes the place of all, or where the
/// file's own names are asked for.
[[nodiscard]] std::vector<ClipElsewhere> clipsElsewhere(const Contents& contents, const ContainerModels* own,
                                                        core::Diagnostics& diagnostics);

/// Decodes every model, and every animation that belongs to one.
/// @return warnings in `diagnostics` for those that can't be decoded
void checkContents(const Contents& contents, const ContainerModels* own, core::Diagnostics& diagnostics);

/// A clip `anim_<id>` for every animation of the wanted model (see ContainerModels): its default animation first.
/// Without a model of its own, the container's animations all move the given skeleton, or one that is made up.
/// Animations that can't be decoded are reported by warnings and keep their index.
/// @param model its id
/// @throws core::DecodeError if there are animations but none can be decoded, or neither animations nor a model
[[nodiscard]] core::Asset toAsset(const Contents& contents, const ContainerModels* own, std::string_view model,
                                  core::Diagnostics& diagnostics);

}  // namespace reanima::ff9
