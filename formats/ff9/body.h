/// Converts the groups of a model to meshes of the common model, with materials and images.
///
/// Rules and evidence: docs/formats/ff9_model.md
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "core/asset.h"
#include "look.h"
#include "model.h"

namespace reanima::ff9 {

/// How a model's groups become meshes.
struct BodySettings {
    std::string name;  ///< meshes are called `<name>_group0`, images `<name>_0`
    double scale = 1.0 / 256;
    std::set<std::uint32_t> hidden{};  ///< numbers of groups that are left out
    bool lit = false;                  ///< materials have lighting
    core::Properties identity{};       ///< first entries of the character's properties
};

/// Adds a mesh for every group that has a triangle, with its materials and images. Without a texture, faces show their
/// colours at half brightness.
/// @param asset has the model's skeleton
/// @return warnings in `diagnostics` for materials without textures, and for texels that were never loaded
/// @throws core::DecodeError of the kind `limit` for more memory than the limits allow
void addBody(core::Asset& asset, const Model& model, const Look& look, const BodySettings& settings,
             const core::Limits& limits, core::Diagnostics& diagnostics);

}  // namespace reanima::ff9
