/// Skeletons of scene files: which nodes are joints, and their rest pose.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <glm/mat4x4.hpp>

#include "clip.h"
#include "diagnostics.h"
#include "mesh.h"
#include "skeleton.h"

namespace reanima::core {

struct Limits;
struct MovingScene;

/// A vertex of a scene's meshes in the rest pose.
struct SurfacePoint {
    std::uint32_t joint = 0;  ///< the joint that moves it most
    glm::vec3 at{0};          ///< metres in model space
};

/// How a vertex of a surface looks.
struct SurfaceColour {
    glm::vec2 texel{0};   ///< texture coordinates; v = 0 is the image's upper edge
    glm::vec4 colour{1};  ///< linear red, green, blue, alpha
};

/// The look of a rig's meshes.
struct RigLook {
    std::vector<SurfaceColour> points{};     ///< one per element of Rig::surface
    std::vector<std::uint32_t> triangles{};  ///< per triangle of Rig::triangles: index of its material
    std::vector<Material> materials{};
    std::vector<Image> images{};
};

/// What a file states about an animation, besides its keys. The members mean the same as in Clip.
struct StatedClip {
    double rate = 0;
    std::uint32_t frames = 0;
    std::uint32_t id = 0;
    std::string fullName{};
    NamedBy namedBy = NamedBy::file;
    std::optional<bool> loop{};
    std::string rootMotion{};  ///< how root motion was changed, as in `--root-motion`; empty: unknown
    std::vector<EventMarker> events{};
};

/// An animation in a scene.
struct SceneClip {
    std::string name;
    double seconds = 0;  ///< time of its last key
    std::optional<StatedClip> stated{};
};

/// A skeleton that was found in a scene, with the matching nodes.
struct Rig {
    /// The source of the rest pose.
    enum class RestFrom {
        skin,   ///< bind matrices, for joints that have one
        nodes,  ///< the nodes' transforms in the file
    };

    Skeleton skeleton;
    std::vector<std::uint32_t> nodes;  ///< the scene's node of every joint
    RestFrom restFrom = RestFrom::nodes;
    std::string source{};                    ///< the file's name, for messages; empty: the skeleton's name is shown
    double metresPerUnit = 1;                ///< the factor by which the scene's lengths were multiplied
    bool hasMesh = false;                    ///< the scene shows a mesh
    std::vector<std::string> roles{};        ///< per joint: the role that the file states, `leftUpperArm`; empty: none
    std::vector<SurfacePoint> surface{};     ///< vertices of meshes that follow joints, as far as they could be read
    std::vector<std::uint32_t> triangles{};  ///< three indices into `surface` each, counter-clockwise from outside
    std::optional<RigLook> look{};           ///< none: not read
    std::vector<SceneClip> clips{};          ///< animations of the scene, in its order
    std::vector<Clip> motion{};              ///< motion that helps to find the joint roles
    bool restsInMotion = false;              ///< the rest pose is a frame of `motion`; the real one is unknown
    /// Reads the animations of the rig's file. Called if joint roles are unsure without them. Empty: there are none.
    /// Keeps the file's bytes in memory.
    std::function<MovingScene(const Limits& limits)> readMotion{};
};

/// A node of a scene.
struct SceneNode {
    std::string name;                            ///< as in the file: may be empty or not unique
    int parent = kNoParent;                      ///< index of any other node
    glm::dmat4 local{1};                         ///< relative to the parent
    std::optional<Transform> parts;              ///< the same transform, if stated as translation, rotation and scale
    bool hasContent = false;                     ///< has a mesh, a camera or a light
    bool isAnimated = false;                     ///< an animation of the file moves it
    bool isInScene = true;                       ///< the node is in the scene that the file shows
    std::optional<std::uint32_t> statedJoint{};  ///< index of the joint in the original, in files of this program
};

/// The joints and bind matrices of skinned meshes.
struct SceneSkin {
    std::string name;
    std::string field;                             ///< its field path: `skins[0]`
    std::vector<std::uint32_t> joints;             ///< indices of nodes
    std::vector<std::optional<glm::dmat4>> binds;  ///< joint space to the skin's space in the rest pose, if known
    std::optional<std::uint32_t> meshNode{};       ///< node of the first mesh with this skin
};

/// The vertices of a mesh that a node shows.
struct SceneSurface {
    std::uint32_t node = 0;                ///< node of the mesh
    std::optional<std::size_t> skin{};     ///< index into Scene::skins; none: the mesh follows its node
    std::vector<glm::vec3> positions{};    ///< positions in the mesh's space
    std::vector<std::uint32_t> joints{};   ///< per vertex: its main joint, as an index into the skin's joints
    std::vector<std::uint32_t> indices{};  ///< indices of vertices, three per triangle, counter-clockwise from outside
    std::vector<SurfaceColour> colours{};  ///< per vertex; empty: not read
    std::uint32_t material = 0;            ///< index into RigLook::materials
};

struct Scene {
    std::string name;  ///< the skeleton's name if neither a skin nor a node has a name
    std::vector<SceneNode> nodes;
    std::vector<SceneSkin> skins;
    std::vector<SceneSurface> surfaces{};
    std::optional<RigLook> look{};  ///< the materials of the surfaces; none: not read
    std::vector<SceneClip> clips{};
    std::function<std::string(std::uint32_t)> fieldOf;  ///< the name of a node in messages: `nodes[3]`
};

/// The translation, rotation and scale of a matrix; shear is lost. The matrix must not be mirrored or flat.
[[nodiscard]] Transform decomposed(const glm::dmat4& matrix);

/// The skeleton of a scene.
///
/// With skins, the joints are the nodes in the skins, the animated nodes below them, and all nodes between or above
/// these. Nodes above may rotate or scale the skeleton. A top-level node that no skin lists is left out if its
/// transform is the identity and no animation moves it. Skins belong to one skeleton if they share a joint, or if a
/// joint of one is below or beside a joint of the other.
///
/// Without skins, the joints are the nodes of the scene, except unanimated leaves that carry a mesh, a camera or a
/// light. A single node at the top is left out if it has one child, its transform is the identity, and no animation
/// moves it. Of several skeletons, the one with most joints is chosen; a warning names the others.
///
/// The rest pose of a joint is its bind matrix. Without one, it is the transform of its node, relative to the parent's
/// rest. Files don't state whether bind matrices are relative to the world, the mesh or the joints' armature, so the
/// choice nearest to the nodes is used. Meshes with quantized positions add a transform to all bind matrices: if a
/// single transform maps all matrices to the nodes, the nodes are the rest pose. If node and matrix agree within float
/// rounding, the node's values are kept.
///
/// Joints are in the order of the nodes, but parents first. They keep the names of the file; a repeated name gets `_2`.
/// Non-uniform scales give a warning.
/// @throws DecodeError if there is no joint; if one is mirrored, has no extent or is not finite; or if nodes are cyclic
[[nodiscard]] Rig makeRig(const Scene& scene, Diagnostics& diagnostics);

}  // namespace reanima::core
