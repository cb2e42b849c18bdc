/// Skeletons of files that hold whole scenes: the joints among all the nodes, and their rest pose.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <glm/mat4x4.hpp>

#include "clip.h"
#include "diagnostics.h"
#include "skeleton.h"

namespace reanima::core {

/// A vertex of what a scene shows, where it is in the rest pose.
struct SurfacePoint {
    std::uint32_t joint = 0;  ///< the joint that moves it most
    glm::vec3 at{0};          ///< metres in model space
};

/// An animation that a scene brings along.
struct SceneClip {
    std::string name;
    double seconds = 0;  ///< to its last key
};

/// A skeleton that was found in a scene, and where.
struct Rig {
    /// What the rest pose was taken from.
    enum class RestFrom {
        skin,   ///< bind matrices, wherever a joint has one
        nodes,  ///< the nodes as they stand in the file
    };

    Skeleton skeleton;
    std::vector<std::uint32_t> nodes;  ///< the scene's node of every joint
    RestFrom restFrom = RestFrom::nodes;
    std::string source{};      ///< for messages: the file that it comes from; empty: the skeleton's name is shown
    double metresPerUnit = 1;  ///< of the scene, whose lengths were multiplied by it
    bool hasMesh = false;      ///< the scene shows a mesh
    std::vector<std::string> roles{};     ///< per joint what the file says that it is, `leftUpperArm`; empty: nothing
    std::vector<SurfacePoint> surface{};  ///< of the meshes that follow joints, as far as they could be read
    std::vector<std::uint32_t> triangles{};  ///< three indices into `surface` each, counter-clockwise from outside
    std::vector<SceneClip> clips{};          ///< of the scene, in its order
    std::vector<Clip> motion{};              ///< of a game's skeleton how it moves in its game
    bool restsInMotion = false;  ///< the rest pose is a frame of `motion`, which tells nothing about the body
};

/// A node of a scene.
struct SceneNode {
    std::string name;                ///< as the file has it: may be empty, or the name of other nodes, too
    int parent = kNoParent;          ///< index of any other node
    glm::dmat4 local{1};             ///< relative to the parent
    std::optional<Transform> parts;  ///< the same, where the file states translation, rotation and scale
    bool hasContent = false;         ///< a mesh, a camera or a light stands here
    bool isAnimated = false;         ///< an animation of the file moves it
    bool isInScene = true;           ///< the file shows it
};

/// What binds a mesh to nodes.
struct SceneSkin {
    std::string name;
    std::string field;                             ///< where it stands: `skins[0]`
    std::vector<std::uint32_t> joints;             ///< indices of nodes
    std::vector<std::optional<glm::dmat4>> binds;  ///< joint space to the skin's space in the rest pose, if known
    std::optional<std::uint32_t> meshNode{};       ///< where the first mesh with this skin stands
};

/// The vertices of a mesh that a node shows.
struct SceneSurface {
    std::uint32_t node = 0;                ///< where the mesh stands
    std::optional<std::size_t> skin{};     ///< index into Scene::skins; none: the mesh follows its node
    std::vector<glm::vec3> positions{};    ///< in the mesh's space
    std::vector<std::uint32_t> joints{};   ///< indices into the skin's joints: what moves each vertex most
    std::vector<std::uint32_t> indices{};  ///< of vertices, three a triangle, counter-clockwise from outside
};

struct Scene {
    std::string name;  ///< what the skeleton is called if neither a skin nor a node lends its name
    std::vector<SceneNode> nodes;
    std::vector<SceneSkin> skins;
    std::vector<SceneSurface> surfaces{};
    std::vector<SceneClip> clips{};
    std::function<std::string(std::uint32_t)> fieldOf;  ///< how messages call a node: `nodes[3]`
};

/// The translation, rotation and scale of a matrix; shear is lost. The matrix must not be mirrored or flat.
[[nodiscard]] Transform decomposed(const glm::dmat4& matrix);

/// The skeleton of a scene.
///
/// With skins, the joints are those that the skins list, the nodes below them that an animation moves, the nodes
/// between all these, and the nodes above them up to the scene, so that what is turned or scaled up there is kept;
/// nodes without a skin at the very top stay out as long as their transform is the identity and no animation moves
/// them. Skins belong to one skeleton if they share a joint, or a joint of one stands below or beside a joint of the
/// other. Without skins, the joints are the nodes of the scene, except those at the tips that hold a mesh, a camera or
/// a light and that no animation moves; a single node at the top stays out if its transform is the identity, no
/// animation moves it, and one node hangs on it. Of several skeletons the one with most joints is taken; a warning
/// names the others.
///
/// Rest pose: a joint with a bind matrix stands where that says, any other where its node says, relative to its
/// parent's rest. Files don't tell whether bind matrices mean the world, the place of the mesh or that of the joints'
/// own armature: what lies nearest to the nodes is taken. Where one transform for all leads from the matrices to the
/// nodes (meshes with quantized positions have theirs in the bind matrices) the nodes show the rest pose. Where node
/// and matrix agree within the rounding of floats, the node's own values are kept.
///
/// Joints come parents first and otherwise in the order of the nodes, with the names of the file (`_2` is added to one
/// that is not unique). Non-uniform scales give a warning.
/// @throws DecodeError if there is no joint, or one is mirrored, has no extent, or is not finite; or nodes are cyclic
[[nodiscard]] Rig makeRig(const Scene& scene, Diagnostics& diagnostics);

}  // namespace reanima::core
