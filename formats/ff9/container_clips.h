/// Converts the animations of a container to clips on one skeleton.
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

/// A container's objects, and settings for reading them.
struct Contents {
    core::Bytes file;
    std::vector<Object> objects;
    std::string name;  ///< name of the file
    /// The skeleton for all animations; without it the container's own models are used.
    std::optional<Model> skeleton{};
    std::optional<std::uint32_t> joints{};  ///< number of bones of every block; overrides the models' numbers
    ClipSettings settings{};
    core::Limits limits{};
    LookOptions look{};
    std::set<std::uint32_t> hiddenGroups{};
    bool lit = false;  ///< materials have lighting
    bool withMesh = true;
    NamesBy namesBy = NamesBy::file;
    EnemyNames enemies{};  ///< names from another file, for models that the container does not name
    /// The look of the given skeleton.
    Look skeletonLook{};
    std::string skeletonStem{};  ///< name of the given skeleton's file, without extension
};

/// The container's own models; null if a skeleton replaces them.
/// @param contents must outlive the result
/// @param diagnostics receives warnings about unreadable parts
[[nodiscard]] std::unique_ptr<const ContainerModels> ownModels(const Contents& contents,
                                                               core::Diagnostics& diagnostics);

/// Summaries of the own models; empty if there are none.
/// @throws core::DecodeError if all models are bare skeletons because no animation can be read
[[nodiscard]] std::vector<ModelSummary> modelsOf(const Contents& contents, const ContainerModels* own);

/// Animations that belong to models of other containers. Empty if a skeleton replaces all models, or if names from the
/// file are requested.
[[nodiscard]] std::vector<ClipElsewhere> clipsElsewhere(const Contents& contents, const ContainerModels* own,
                                                        core::Diagnostics& diagnostics);

/// Decodes every model, and every animation that belongs to one.
/// @return warnings in `diagnostics` for those that can't be decoded
void checkContents(const Contents& contents, const ContainerModels* own, core::Diagnostics& diagnostics);

/// A clip `anim_<id>` for every animation of the wanted model (see ContainerModels), its default animation first.
/// Without own models, all animations move the given skeleton or placeholder joints. Animations that can't be decoded
/// are reported by warnings; their indices stay unused.
/// @param model the model's id
/// @throws core::DecodeError if none of the animations can be decoded, or if there are neither animations nor a model
[[nodiscard]] core::Asset toAsset(const Contents& contents, const ContainerModels* own, std::string_view model,
                                  core::Diagnostics& diagnostics);

}  // namespace reanima::ff9
