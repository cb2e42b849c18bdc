/// The look of a character: meshes, materials and images, in glTF's terms.
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
    std::string format{};      ///< the file's texel format by its usual name: `CMPR`; empty: not stated
    std::uint32_t levels = 1;  ///< mipmap levels in the file
};

enum class AlphaMode { opaque, mask, blend };
enum class Filter {
    nearest,
    linear,
    mipmapped,  ///< linear, with mipmaps that the host makes
};
enum class Wrap { repeat, clamp };

struct Material {
    std::string name;
    std::optional<std::uint32_t> image{};  ///< index into Asset::images; none: only vertex colours
    /// Index into Asset::images of the emissive texture. Its coordinates are Primitive::emissiveCoordinates; if these
    /// are empty, those of `image`.
    std::optional<std::uint32_t> emissive{};
    glm::vec4 factor{1};  ///< linear red, green, blue, alpha: multiplies the image or the vertex colours
    Filter filter = Filter::nearest;
    Wrap wrap = Wrap::repeat;
    Wrap emissiveWrap = Wrap::repeat;
    AlphaMode alphaMode = AlphaMode::opaque;
    float alphaCutoff = 0.5F;  ///< threshold for AlphaMode::mask
    bool doubleSided = false;
    bool unlit = true;
    Properties extras{};  ///< values from the file, in an object with the game's name
};

/// Another joint that a vertex follows.
struct Influence {
    std::uint32_t joint = 0;  ///< index into Asset::skeleton
    float weight = 0;         ///< 0: unused
    glm::vec3 position{0};    ///< metres: the vertex in this joint's space
};
inline constexpr std::size_t kMostOthers = 2;
using Influences = std::array<Influence, kMostOthers>;

/// Triangles of one material. Every list of attributes is empty or has one element per vertex; positions always exist.
struct Primitive {
    std::uint32_t material = 0;  ///< index into Asset::materials
    /// Metres, in the space of the vertex's joint; in model space if there are no joints.
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals{};  ///< unit vectors, in the same space
    /// Offsets of vertices, in the same space, that lift a surface off others in its plane. Their unit is the rest
    /// height of the asset's first mesh.
    std::vector<glm::vec3> lifts{};
    std::vector<glm::vec2> textureCoordinates{};   ///< v = 0 is the image's upper edge
    std::vector<glm::vec2> emissiveCoordinates{};  ///< coordinates for Material::emissive, if they differ
    std::vector<glm::vec4> colors{};               ///< linear red, green, blue, alpha
    /// Indices of joints of Asset::skeleton; empty where the asset has no skeleton.
    std::vector<std::uint32_t> joints{};
    /// The other joints of each vertex. The weight of the first joint is 1 minus the sum of theirs. Empty if every
    /// vertex follows one joint.
    std::vector<Influences> others{};
    std::vector<std::uint32_t> indices{};  ///< three per triangle, counter-clockwise as seen from the front
};

/// The weight of a vertex's first joint.
[[nodiscard]] inline float firstWeight(const Primitive& primitive, std::size_t vertex) {
    float weight = 1;
    if (!primitive.others.empty())
        for (const Influence& other : primitive.others[vertex])
            weight -= other.weight;
    return weight;
}

/// Merges influences of the same joint, as glTF requires. The result has the weighted mean of their positions.
void joinInfluences(Primitive& primitive, std::size_t vertex);

/// A mesh with vertices in joint space, independent of the rest pose.
struct Mesh {
    std::string name;  ///< unique among the meshes of an asset; differs from the skeleton's name
    std::vector<Primitive> primitives;
    Properties extras{};  ///< values from the file, in an object with the game's name
};

}  // namespace reanima::core
