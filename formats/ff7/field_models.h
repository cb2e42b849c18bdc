/// The models of a field of Final Fantasy VII (PC), an entry of `flevel.lgp`, and the animations that they play there.
///
/// Layout and evidence: docs/formats/ff7_field.md
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "formats/animation_links.h"

namespace reanima::ff7 {

/// A model that a field loads.
struct FieldModel {
    std::string name;                     ///< as stored: the field's name, then the model's, `md1_1main_ballet.char`
    std::string skeleton;                 ///< `aaaa.hrc`, in lower case
    std::vector<std::string> animations;  ///< `acfe.a`, in lower case: stand, walk, run, then others by their index

    friend bool operator==(const FieldModel&, const FieldModel&) = default;
};

/// The models of a packed field. Empty if the field is damaged, or if the file is no field.
[[nodiscard]] std::optional<std::vector<FieldModel>> fieldModels(core::Bytes file);

/// The model's own name, without the field's: `md1_1main_ballet.char` -> `main_ballet`
[[nodiscard]] std::string ownName(std::string_view model, std::string_view field);

/// The stand, walk and run animations of a skeleton, each list sorted by how often they are used.
using FilesByRole = std::array<std::vector<std::string>, 3>;

/// Puts the most used animation of each role first and names it after the role. The others follow, without duplicates.
/// @param others sorted animations; may include animations with a role
[[nodiscard]] LinkedAnimations inOrder(const FilesByRole& byRole, const std::vector<std::string>& others);

/// The links from all fields of an archive. For each skeleton they list the most used stand, walk and run animation,
/// then the other animations, sorted by use.
/// @throws core::DecodeError of the kind `limit`
[[nodiscard]] AnimationLinks readFieldLinks(const EachEntry& entries, const core::Limits& limits);

}  // namespace reanima::ff7
