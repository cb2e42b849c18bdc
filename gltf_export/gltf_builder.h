/// The common model as a tinygltf model.
#pragma once

#include <string_view>

#include <tiny_gltf.h>

#include "../core/asset.h"
#include "gltf_file.h"

namespace reanima::gltf {

/// tinygltf drops nulls and turns empty lists into null. Extras hold these texts instead, as JSON spells them; no other
/// text begins with this control character.
inline constexpr char kPlaceholder = '\x01';
inline constexpr std::string_view kNullInJson = "\"\\u0001null\"";
inline constexpr std::string_view kEmptyListInJson = "\"\\u0001[]\"";

/// Builds the model of one skeleton and its clips.
///
/// What makes other programs show it as ONE armature with one action per clip: a container node with the identity
/// transform; every joint below it; one skin that lists every joint, with inverse bind matrices of the rest pose; one
/// animation per clip, in which every joint has a key. One shared time accessor per distinct set of times, few buffer
/// views. Animations without channels are left out.
/// @throws std::invalid_argument for an asset that validate() refuses or that is larger than a .glb can be
[[nodiscard]] tinygltf::Model buildModel(const core::Asset& asset, const GltfOptions& options);

}  // namespace reanima::gltf
