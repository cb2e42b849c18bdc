/// Meshes, materials and images, for `info`.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/asset.h"
#include "json/json.h"

namespace reanima::tool {

/// Tables of the meshes, the materials and the images. Empty if there are none.
/// @param width maximal width of tables
[[nodiscard]] std::string meshTables(const core::Asset& asset, std::size_t width);

/// Lists of `meshes`, `materials` and `textures`.
struct MeshRows {
    Json meshes = Json::array();
    Json materials = Json::array();
    Json textures = Json::array();

    /// @param model id of the asset's model if the file contains several, otherwise empty
    void add(const core::Asset& asset, const std::string& model);
};

}  // namespace reanima::tool
