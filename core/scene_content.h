/// Meshes, materials and animations of another program's scene, in glTF's terms.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "bytes.h"
#include "mesh.h"
#include "rig.h"

namespace reanima::core {

/// A picture as a PNG or JPEG file.
struct SceneImage {
    std::string name;
    std::string mimeType;  ///< `image/png` or `image/jpeg`
    ByteVector bytes;
    std::string file{};  ///< path below the scene's folder, if it is a separate file
};

struct SceneMaterial {
    std::string name;
    glm::vec4 baseColor{1};                ///< linear red, green, blue, alpha
    std::optional<std::uint32_t> image{};  ///< index into SceneContent::images; multiplied with baseColor
    bool doubleSided = false;
};

/// The joints and inverse bind matrices of skinned meshes.
struct SceneBones {
    std::vector<std::uint32_t> joints;       ///< indices of nodes
    std::vector<glm::dmat4> inverseBinds{};  ///< per joint: from the mesh's space to the joint's
};

/// A shape that a mesh can be blended into.
struct SceneShape {
    std::string name;
    std::vector<glm::vec3> positions;  ///< offset of every vertex
    std::vector<glm::vec3> normals{};  ///< offsets; may be empty
};

/// Triangles of one material. Every list of attributes except the positions may be empty.
struct ScenePart {
    std::string name;
    std::uint32_t node = 0;              ///< the node that shows it
    std::optional<std::size_t> bones{};  ///< index into SceneContent::bones; none: the part follows its node
    std::uint32_t material = 0;          ///< index into SceneContent::materials
    std::vector<glm::vec3> positions;    ///< metres
    std::vector<glm::vec3> normals{};
    std::vector<glm::vec2> textureCoordinates{};         ///< v = 0 is the picture's upper edge
    std::vector<glm::vec4> colors{};                     ///< linear
    std::vector<std::array<std::uint16_t, 4>> joints{};  ///< indices into the bones' joints
    std::vector<glm::vec4> weights{};                    ///< weights of these joints; their sum is 1
    std::vector<std::uint32_t> indices{};                ///< three per triangle
    std::vector<SceneShape> shapes{};
};

/// Keys of a node, with ascending times. An empty list keeps the node's own value.
struct SceneTrack {
    std::uint32_t node = 0;
    std::vector<float> translationTimes{};  ///< seconds
    std::vector<glm::vec3> translations{};  ///< metres
    std::vector<float> rotationTimes{};
    std::vector<glm::quat> rotations{};
    std::vector<float> scaleTimes{};
    std::vector<glm::vec3> scales{};
};

struct SceneAnimation {
    std::string name;
    std::vector<SceneTrack> tracks;
};

struct SceneContent {
    Scene scene;  ///< with nodes in the order of Rig::nodes
    std::vector<SceneBones> bones{};
    std::vector<ScenePart> parts{};
    std::vector<SceneMaterial> materials{};
    std::vector<SceneImage> images{};
    std::vector<SceneAnimation> animations{};
};

}  // namespace reanima::core
