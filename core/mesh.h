/// What a character looks like: meshes, materials and images, in glTF's terms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "properties.h"

namespace reanima::core {

/// An image that a material shows.
struct Image {
    std::string name;  ///< unique among the images of an asset
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    /// Red, green, blue, alpha (straight, sRGB) of every texel: row by row from the top, without gaps.
    std::vector<std::uint8_t> rgba;
};

enum class AlphaMode { opaque, mask, blend };
enum class Filter { nearest, linear };
enum class Wrap { repeat, clamp };

struct Material {
    std::string name;
    std::optional<std::uint32_t> image{};  ///< index into Asset::images; none: vertex colours alone
    Filter filter = Filter::nearest;
    Wrap wrap = Wrap::repeat;
    AlphaMode alphaMode = AlphaMode::opaque;
    float alphaCutoff = 0.5F;  ///< of AlphaMode::mask
    bool doubleSided = false;
    bool unlit = true;
    Properties extras{};  ///< values of the file, below the game's name
};

/// Triangles of one material. Every list of attributes is empty or has one element per vertex; positions always has.
struct Primitive {
    std::uint32_t material = 0;  ///< index into Asset::materials
    /// Metres, in the space of the vertex's joint; where there are no joints, in model space.
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals{};  ///< unit vectors, in the same space
    /// By which share of the height of the asset's first mesh at rest a vertex is moved, in the same space: surfaces
    /// that lie in one plane with others are lifted off them.
    std::vector<glm::vec3> lifts{};
    std::vector<glm::vec2> textureCoordinates{};  ///< v = 0 is the image's upper edge
    std::vector<glm::vec4> colors{};              ///< linear red, green, blue, alpha
    /// Indices of joints of Asset::skeleton, each of weight 1; empty where the asset has no skeleton.
    std::vector<std::uint32_t> joints{};
    std::vector<std::uint32_t> indices;  ///< three a triangle, counter-clockwise seen from its front
};

/// Meshes whose vertices follow one joint each: they stay as they are whatever the rest pose is.
struct Mesh {
    std::string name;  ///< unique among the meshes of an asset, and not the skeleton's
    std::vector<Primitive> primitives;
    Properties extras{};  ///< values of the file, below the game's name
};

}  // namespace reanima::core
