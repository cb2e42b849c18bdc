/// What a person wants to know of meshes, materials and images.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/asset.h"
#include "json/json.h"

namespace reanima::measures {

[[nodiscard]] std::size_t trianglesOf(const core::Mesh& mesh);
/// Of all meshes.
[[nodiscard]] std::size_t trianglesOf(const core::Asset& asset);

/// Tables of the meshes, the materials and the images; empty if there are none.
[[nodiscard]] std::string meshTables(const core::Asset& asset);

/// Lists of `meshes`, `materials` and `textures`.
struct MeshRows {
    Json meshes = Json::array();
    Json materials = Json::array();
    Json textures = Json::array();

    /// @param model the id of the model that the asset is, of a file that holds several; else empty
    void add(const core::Asset& asset, const std::string& model);
};

}  // namespace reanima::measures
