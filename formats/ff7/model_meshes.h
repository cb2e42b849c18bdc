/// Converts meshes of Final Fantasy VII's models to meshes, materials and images of the common model.
#pragma once

#include <optional>
#include <string>

#include "core/asset.h"
#include "formats/input.h"
#include "model_parts.h"

namespace reanima::ff7 {

/// How the parts of a model become meshes.
struct MeshSettings {
    /// Which faces are lit.
    enum class Lighting {
        battle,  ///< none: the shading is painted into the colours
        field,   ///< only groups with smooth shading
        lit,     ///< all faces
        unlit,   ///< none, but normals are kept
    };

    std::string stem;  ///< stem of the skeleton's file, for the names of materials and body
    double scale = 1;  ///< metres per unit of the game
    Lighting lighting = Lighting::battle;
    core::Filter filter = core::Filter::nearest;
};

/// The joint that carries weapons, beside the root; it is added if missing.
[[nodiscard]] std::uint32_t weaponJoint(core::Skeleton& skeleton);

/// Adds a mesh for the body and one for each weapon, with their materials and images. If the asset has a skeleton, a
/// piece follows the joint of its bone: bone i is joint i + 1, or joint 0 if the skeleton has no bones.
/// @param body the mesh's name
/// @throws core::DecodeError of the kind `limit` if the meshes and images exceed the limits
void addMeshes(core::Asset& asset, const ModelParts& parts, const std::string& body, const MeshSettings& settings,
               Context& context);

}  // namespace reanima::ff7
