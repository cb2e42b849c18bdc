/// What a character looks like: meshes, materials and images, in glTF's terms.
#pragma once

#include <array>
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
    std::string format{};      ///< how the file stores texels, as the game's files call it: `CMPR`; empty: not told
    std::uint32_t levels = 1;  ///< of the file: it may have smaller copies of the image
};

enum class AlphaMode { opaque, mask, blend };
enum class Filter {
    nearest,
    linear,
    mipmapped,  ///< linear, also between smaller images that a host makes
};
enum class Wrap { repeat, clamp };

struct Material {
    std::string name;
    std::optional<std::uint32_t> image{};  ///< index into Asset::images; none: vertex colours alone
    /// Index into Asset::images of what shines by itself; the primitives have Primitive::emissiveCoordinates, or what
    /// it shows lies where the image does.
    std::optional<std::uint32_t> emissive{};
    glm::vec4 factor{1};  ///< linear red, green, blue, alpha that the image, or vertex colours, are multiplied with
    Filter filter = Filter::nearest;
    Wrap wrap = Wrap::repeat;
    Wrap emissiveWrap = Wrap::repeat;
    AlphaMode alphaMode = AlphaMode::opaque;
    float alphaCutoff = 0.5F;  ///< of AlphaMode::mask
    bool doubleSided = false;
    bool unlit = true;
    Properties extras{};  ///< values of the file, below the game's name
};

/// What a vertex follows besides its first joint.
struct Influence {
    std::uint32_t joint = 0;  ///< index into Asset::skeleton
    float weight = 0;         ///< 0: there is none
    glm::vec3 position{0};    ///< of the vertex in the space of this joint, in metres
};
inline constexpr std::size_t kMostOthers = 2;
using Influences = std::array<Influence, kMostOthers>;

/// Triangles of one material. Every list of attributes is empty or has one element per vertex; positions always has.
struct Primitive {
    std::uint32_t material = 0;  ///< index into Asset::materials
    /// Metres, in the space of the vertex's joint; where there are no joints, in model space.
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals{};  ///< unit vectors, in the same space
    /// By which share of the height of the asset's first mesh at rest a vertex is moved, in the same space: surfaces
    /// that lie in one plane with others are lifted off them.
    std::vector<glm::vec3> lifts{};
    std::vector<glm::vec2> textureCoordinates{};   ///< v = 0 is the image's upper edge
    std::vector<glm::vec2> emissiveCoordinates{};  ///< of Material::emissive, where they are others
    std::vector<glm::vec4> colors{};               ///< linear red, green, blue, alpha
    /// Indices of joints of Asset::skeleton; empty where the asset has no skeleton.
    std::vector<std::uint32_t> joints{};
    /// Of a vertex that follows several joints all but the first, whose weight is what is left of 1. Empty where every
    /// vertex follows one.
    std::vector<Influences> others{};
    std::vector<std::uint32_t> indices{};  ///< three a triangle, counter-clockwise seen from its front
};

/// The weight of a vertex's first joint.
[[nodiscard]] inline float firstWeight(const Primitive& primitive, std::size_t vertex) {
    float weight = 1;
    if (!primitive.others.empty())
        for (const Influence& other : primitive.others[vertex])
            weight -= other.weight;
    return weight;
}

/// Makes influences of one joint one, as glTF demands: it lies in the weighted middle of their positions.
void joinInfluences(Primitive& primitive, std::size_t vertex);

/// Meshes whose vertices lie in the spaces of their joints: they stay as they are whatever the rest pose is.
struct Mesh {
    std::string name;  ///< unique among the meshes of an asset, and not the skeleton's
    std::vector<Primitive> primitives;
    Properties extras{};  ///< values of the file, below the game's name
};

}  // namespace reanima::core
