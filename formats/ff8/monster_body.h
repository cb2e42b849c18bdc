/// Converts the objects of a monster to meshes of the common model, with materials and images.
///
/// Rules and evidence: docs/formats/ff8_monster.md
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "core/asset.h"
#include "mesh.h"
#include "textures.h"

namespace reanima::ff8 {

struct BodySettings {
    std::string stem;                  ///< meshes are called `<stem>_object0`, images `<stem>_0`
    double unit = 1;                   ///< metres per unit of length
    std::set<std::uint32_t> hidden{};  ///< numbers of objects that are left out
    bool lit = false;                  ///< materials have lighting
};

/// Adds a mesh for every object that has a triangle, with its materials and images.
/// @return warnings in `diagnostics` for faces whose texture is missing
/// @throws core::DecodeError of the kind `limit` for more memory than the limits allow
void addBody(core::Asset& asset, const std::vector<Object>& objects, const Textures& textures,
             const BodySettings& settings, const core::Limits& limits, core::Diagnostics& diagnostics);

}  // namespace reanima::ff8
