#include "core/rig.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/matrix.hpp>
#include <glm/vector_relational.hpp>

#include "core/scene_joints.h"
#include "core/text.h"

namespace reanima::core {

namespace {

// The relative uncertainty of float matrices.
constexpr double kRounding = 1e-5;
// Scales that differ less between the axes are treated as uniform.
constexpr double kUnevenScale = 1e-3;

bool isFinite(const glm::dmat4& matrix) {
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            if (!(std::abs(matrix[column][row]) <= static_cast<double>(std::numeric_limits<float>::max())))
                return false;
    return true;
}

/// True if the matrices are equal except for rounding. `extent` is the size of the coordinates they were made from.
bool agree(const glm::dmat4& a, const glm::dmat4& b, double extent) {
    for (int axis = 0; axis < 3; ++axis)
        if (glm::length(a[axis] - b[axis]) > kRounding * glm::length(b[axis]))
            return false;
    return glm::length(a[3] - b[3]) <= kRounding * extent;
}

/// A transform as translation, rotation and scale, and what these can't represent.
struct Decomposed {
    Transform transform;
    bool isUneven;  ///< the scale is not uniform, or there is shear
};

Decomposed decompose(const glm::dmat4& matrix) {
    glm::dvec3 scale(1);
    glm::dmat3 axes;
    for (int axis = 0; axis < 3; ++axis) {
        scale[axis] = glm::length(glm::dvec3(matrix[axis]));
        axes[axis] = glm::dvec3(matrix[axis]) / scale[axis];
    }
    if (glm::determinant(axes) < 0) {  // mirrored through the origin: a scale of -1
        axes = -axes;
        scale = -scale;
    }
    const double skew = std::max({std::abs(glm::dot(axes[0], axes[1])), std::abs(glm::dot(axes[1], axes[2])),
                                  std::abs(glm::dot(axes[2], axes[0]))});
    axes[1] = glm::normalize(axes[1] - axes[0] * glm::dot(axes[0], axes[1]));
    axes[2] = glm::cross(axes[0], axes[1]);
    for (int axis = 0; axis < 3; ++axis)
        if (std::abs(std::abs(scale[axis]) - 1) <= kRounding)
            scale[axis] = std::copysign(1, scale[axis]);
    const auto [smallest, largest] = std::minmax({std::abs(scale.x), std::abs(scale.y), std::abs(scale.z)});
    return {{glm::vec3(matrix[3]), glm::quat(glm::normalize(glm::quat_cast(axes))), glm::vec3(scale)},
            largest > smallest * (1 + kUnevenScale) || skew > kUnevenScale};
}

/// Finds the space of bind matrices.
class SkinSpaces {
  public:
    /// @param globals transforms of the nodes to world space, as in the file
    /// @param rank each node's place in an order with parents first
    SkinSpaces(const std::vector<glm::dmat4>& globals, const std::vector<std::size_t>& rank)
        : globals_(globals), rank_(rank) {}

    /// The space of a skin's bind matrices. If a single space makes all matrices equal to their nodes, it is that
    /// space. Otherwise it is the world or the space of the skin's mesh, whichever is nearer to the nodes. If the scale
    /// is then wrong, an upper joint that is still in its bind pose determines the space.
    [[nodiscard]] glm::dmat4 of(const SceneSkin& skin) const {
        if (const std::optional<glm::dmat4> common = commonSpaceOf(skin))
            return *common;
        glm::dmat4 best(1);
        if (skin.meshNode && farFromNodes(skin, globals_[*skin.meshNode]) < farFromNodes(skin, best))
            best = globals_[*skin.meshNode];
        return hasScaleOfNodes(skin, best) ? best : spaceOfArmature(skin);
    }

  private:
    /// The transform that takes all bind matrices of a skin to their nodes, if there is one.
    [[nodiscard]] std::optional<glm::dmat4> commonSpaceOf(const SceneSkin& skin) const {
        constexpr double kQuantized = 100;  // in units of kRounding: the error of coordinates in steps of 1 / 16384
        std::optional<glm::dmat4> space;
        std::size_t count = 0;
        for (std::size_t i = 0; i < skin.binds.size(); ++i) {
            if (!skin.binds[i])
                continue;
            const glm::dmat4& node = globals_[skin.joints[i]];
            if (!space)
                space = node * glm::affineInverse(*skin.binds[i]);
            const double extent = glm::length(glm::dvec3(node[3])) + glm::length(glm::dvec3((*space)[3]));
            if (!isFinite(*space) || !agree(*space * *skin.binds[i], node, kQuantized * extent))
                return std::nullopt;
            ++count;
        }
        return count > 1 ? space : std::nullopt;  // a single joint always agrees
    }

    /// True if, with bind matrices in that space, joints have about the same scale as their nodes.
    [[nodiscard]] bool hasScaleOfNodes(const SceneSkin& skin, const glm::dmat4& space) const {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < skin.binds.size(); ++i)
            if (skin.binds[i])
                ratios.push_back(glm::length(glm::dvec3((space * *skin.binds[i])[0])) /
                                 glm::length(glm::dvec3(globals_[skin.joints[i]][0])));
        if (ratios.empty())
            return true;
        const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
        std::ranges::nth_element(ratios, middle);
        constexpr double kOtherUnit = 2;
        return *middle<kOtherUnit&& * middle> 1 / kOtherUnit;
    }

    /// glTF ignores the node of a skinned mesh. The joints' armature may be in centimetres. The space follows from a
    /// joint that is still in its bind pose.
    [[nodiscard]] glm::dmat4 spaceOfArmature(const SceneSkin& skin) const {
        constexpr std::size_t kLooks = 64;
        std::vector<std::size_t> known;
        for (std::size_t i = 0; i < skin.binds.size(); ++i)
            if (skin.binds[i])
                known.push_back(i);
        std::ranges::sort(known, {}, [&](std::size_t i) { return rank_[skin.joints[i]]; });
        if (known.size() > kLooks)
            known.erase(known.begin() + kLooks, known.end());
        glm::dmat4 best(1);
        double least = std::numeric_limits<double>::infinity();
        for (const std::size_t i : known) {
            const glm::dmat4 space = globals_[skin.joints[i]] * glm::affineInverse(*skin.binds[i]);
            if (const double far = farFromNodes(skin, space); isFinite(space) && far < least) {
                least = far;
                best = space;
            }
        }
        return best;
    }

    /// The total distance between joints and their nodes if bind matrices are in that space.
    [[nodiscard]] double farFromNodes(const SceneSkin& skin, const glm::dmat4& space) const {
        double far = 0;
        for (std::size_t i = 0; i < skin.binds.size(); ++i)
            if (skin.binds[i])
                far += glm::distance(glm::dvec3((space * *skin.binds[i])[3]), glm::dvec3(globals_[skin.joints[i]][3]));
        return far;
    }

    const std::vector<glm::dmat4>& globals_;
    const std::vector<std::size_t>& rank_;
};

/// Makes the skeleton from the joints, with their rest pose.
class RigMaker {
  public:
    RigMaker(const Scene& scene, Diagnostics& diagnostics)
        : scene_(scene),
          diagnostics_(diagnostics),
          order_(nodesParentsFirst(scene)),
          rank_(nodes().size()),
          globals_(nodes().size()) {
        for (std::size_t i = 0; i < order_.size(); ++i)
            rank_[order_[i]] = i;
        for (const NodeIndex node : order_)
            globals_[node] = parentOf(node) ? globals_[*parentOf(node)] * nodes()[node].local : nodes()[node].local;
    }

    Rig make() {
        const SceneJoints joints = chooseJoints(scene_, order_, diagnostics_);
        for (const SceneSkin* skin : joints.skins)
            addBinds(*skin);
        Rig rig;
        rig.restFrom = binds_.empty() ? Rig::RestFrom::nodes : Rig::RestFrom::skin;
        rig.skeleton.hasRest = true;
        rig.skeleton.name = nameOfSkeleton(joints);
        for (const NodeIndex node : order_)
            if (joints.isJoint[node])
                rig.nodes.push_back(node);
        if (rig.nodes.empty())
            throw DecodeError(
                "contains no skeleton, because it has no skin, and all nodes are meshes, cameras or lights");
        addJoints(rig);
        rig.look = scene_.look;
        for (const SceneSurface& surface : scene_.surfaces)
            addSurface(surface, rig);
        rig.clips = scene_.clips;
        return rig;
    }

  private:
    [[nodiscard]] const std::vector<SceneNode>& nodes() const { return scene_.nodes; }
    [[nodiscard]] Place placeOf(NodeIndex node) const { return {scene_.fieldOf(node), std::nullopt}; }

    [[nodiscard]] std::optional<NodeIndex> parentOf(NodeIndex node) const {
        const int parent = nodes()[node].parent;
        return parent == kNoParent ? std::nullopt : std::optional(static_cast<NodeIndex>(parent));
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Rest pose

    void addBinds(const SceneSkin& skin) {
        const glm::dmat4 space = SkinSpaces(globals_, rank_).of(skin);
        std::vector<std::string> differing;
        for (std::size_t i = 0; i < skin.binds.size(); ++i) {
            if (!skin.binds[i])
                continue;
            const glm::dmat4 bind = space * *skin.binds[i];
            const auto [known, isNew] = binds_.try_emplace(skin.joints[i], bind);
            const double extent = glm::length(glm::dvec3(bind[3])) + 1e-3;
            if (!isNew && !agree(known->second, bind, 100 * extent))
                differing.push_back(nodes()[skin.joints[i]].name);
        }
        if (!differing.empty())
            diagnostics_.warn(Code::countMismatch, {skin.field, std::nullopt},
                              fmt::format("binds {} in a different pose than an earlier skin. The earlier pose is used",
                                          quotedNames(differing)));
    }

    void addJoints(Rig& rig) {
        jointOf_.assign(nodes().size(), kNoParent);
        rest_.assign(nodes().size(), glm::dmat4(1));
        std::vector<std::string> uneven;
        std::vector<std::string> renamed;
        UniqueNames names;
        for (const NodeIndex node : rig.nodes) {
            Joint& joint = rig.skeleton.joints.emplace_back();
            jointOf_[node] = static_cast<int>(rig.skeleton.joints.size()) - 1;
            const std::optional<NodeIndex> parent = parentOf(node);
            if (parent)
                joint.parent = jointOf_[*parent];
            const std::string wanted = nodes()[node].name.empty() ? fmt::format("node{}", node) : nodes()[node].name;
            joint.name = names.unique(wanted);
            if (joint.name != wanted)
                renamed.push_back(joint.name);
            const glm::dmat4 above = joint.parent == kNoParent ? glm::dmat4(1) : rest_[*parent];
            rest_[node] = restOf(node, above);
            const Decomposed local = localRest(node, joint.name, above, rest_[node]);
            joint.rest = local.transform;
            if (local.isUneven)
                uneven.push_back(joint.name);
        }
        if (!renamed.empty())
            diagnostics_.warn(Code::renamed, {},
                              fmt::format("joints with duplicate names were renamed: {}", quotedNames(renamed)));
        if (!uneven.empty())
            diagnostics_.warn(Code::nonUniformScale, {},
                              fmt::format("the rest pose scales {} joints by different factors along their axes: {}",
                                          uneven.size(), quotedNames(uneven)));
    }

    void addSurface(const SceneSurface& surface, Rig& rig) const {
        constexpr auto kLeftOut = std::numeric_limits<std::uint32_t>::max();
        std::vector<std::uint32_t> pointOf(surface.positions.size(), kLeftOut);
        const auto add = [&](std::size_t vertex, NodeIndex node, const glm::dmat4& place) {
            const glm::vec3 at(place * glm::dvec4(glm::dvec3(surface.positions[vertex]), 1));
            if (!std::isfinite(at.x) || !std::isfinite(at.y) || !std::isfinite(at.z))
                return;
            pointOf[vertex] = static_cast<std::uint32_t>(rig.surface.size());
            rig.surface.push_back({static_cast<std::uint32_t>(jointOf_[node]), at});
            if (rig.look)
                rig.look->points.push_back(vertex < surface.colours.size() ? surface.colours[vertex] : SurfaceColour{});
        };
        if (surface.skin)
            addSkinned(surface, scene_.skins[*surface.skin], add);
        else
            addCarried(surface, add);
        for (std::size_t i = 0; i + 2 < surface.indices.size(); i += 3) {
            const auto corner = [&](std::size_t k) { return pointOf[surface.indices[i + k]]; };
            if (corner(0) == kLeftOut || corner(1) == kLeftOut || corner(2) == kLeftOut)
                continue;
            rig.triangles.insert(rig.triangles.end(), {corner(0), corner(1), corner(2)});
            if (rig.look)
                rig.look->triangles.push_back(surface.material);
        }
    }

    template <typename Add>
    void addSkinned(const SceneSurface& surface, const SceneSkin& skin, const Add& add) const {
        std::vector<std::optional<glm::dmat4>> places(skin.binds.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            if (skin.binds[i] && jointOf_[skin.joints[i]] != kNoParent)
                places[i] = rest_[skin.joints[i]] * glm::affineInverse(*skin.binds[i]);
        for (std::size_t i = 0; i < surface.joints.size(); ++i)
            if (const std::uint32_t listed = surface.joints[i]; listed < places.size() && places[listed])
                add(i, skin.joints[listed], *places[listed]);
    }

    /// Adds a mesh that moves with its node.
    template <typename Add>
    void addCarried(const SceneSurface& surface, const Add& add) const {
        std::optional<NodeIndex> carrier = surface.node;
        while (carrier && jointOf_[*carrier] == kNoParent)
            carrier = parentOf(*carrier);
        if (!carrier)
            return;
        const glm::dmat4 place = rest_[*carrier] * glm::affineInverse(globals_[*carrier]) * globals_[surface.node];
        for (std::size_t i = 0; i < surface.positions.size(); ++i)
            add(i, *carrier, place);
    }

    /// Joint space to model space.
    [[nodiscard]] glm::dmat4 restOf(NodeIndex node, const glm::dmat4& above) const {
        const glm::dmat4 fromNode = above * nodes()[node].local;
        const auto bind = binds_.find(node);
        if (bind == binds_.end())
            return fromNode;
        const double extent = std::max(glm::length(glm::dvec3(bind->second[3])), glm::length(glm::dvec3(above[3])));
        return agree(fromNode, bind->second, extent) ? fromNode : bind->second;
    }

    [[nodiscard]] Decomposed localRest(NodeIndex node, const std::string& name, const glm::dmat4& above,
                                       const glm::dmat4& rest) const {
        const bool asNode = rest == above * nodes()[node].local;
        const glm::dmat4 local = asNode ? nodes()[node].local : glm::affineInverse(above) * rest;
        requireSound(node, name, local);
        Decomposed result = decompose(local);
        if (asNode && nodes()[node].parts)
            result.transform = *nodes()[node].parts;
        return result;
    }

    void requireSound(NodeIndex node, const std::string& name, const glm::dmat4& local) const {
        const glm::dvec3 lengths(glm::length(glm::dvec3(local[0])), glm::length(glm::dvec3(local[1])),
                                 glm::length(glm::dvec3(local[2])));
        const auto [shortest, longest] = std::minmax({lengths.x, lengths.y, lengths.z});
        if (!isFinite(local) || longest > static_cast<double>(std::numeric_limits<float>::max()))
            throw DecodeError(placeOf(node), fmt::format("joint \"{}\" is not finite in the rest pose", name));
        const double volume = glm::determinant(glm::dmat3(local));
        if (shortest < 1e-9 || std::abs(volume) < 1e-6 * lengths.x * lengths.y * lengths.z)
            throw DecodeError(
                placeOf(node),
                fmt::format("joint \"{}\" has the scale 0 in the rest pose, expected a scale above 0", name));
        if (volume < 0 && !isMirroredThroughOrigin(nodes()[node]))
            throw DecodeError(placeOf(node), fmt::format("joint \"{}\" is mirrored in the rest pose (negative scale), "
                                                         "expected rotations and positive scales",
                                                         name));
    }

    /// Allowed: every program supports a mirror of all axes, as a scale. A mirror of one axis swaps a body's sides.
    [[nodiscard]] static bool isMirroredThroughOrigin(const SceneNode& node) {
        return !node.parts || glm::all(glm::lessThan(node.parts->scale, glm::vec3(0)));
    }

    /// The name of the first named skin; otherwise of the node above the joints, or of the scene.
    [[nodiscard]] std::string nameOfSkeleton(const SceneJoints& joints) const {
        for (const SceneSkin& skin : scene_.skins)
            if (!skin.joints.empty() && joints.isJoint[skin.joints.front()] && !skin.name.empty())
                return skin.name;
        return joints.container && !nodes()[*joints.container].name.empty() ? nodes()[*joints.container].name
                                                                            : scene_.name;
    }

    const Scene& scene_;
    Diagnostics& diagnostics_;
    std::vector<NodeIndex> order_;
    std::vector<std::size_t> rank_;          // per node: its place in the order
    std::vector<glm::dmat4> globals_;        // per node: the transform to world space, as in the file
    std::map<NodeIndex, glm::dmat4> binds_;  // joint space to world
    std::vector<int> jointOf_;               // per node: its joint
    std::vector<glm::dmat4> rest_;           // per node that is a joint: its rest in model space
};

}  // namespace

Transform decomposed(const glm::dmat4& matrix) { return decompose(matrix).transform; }

Rig makeRig(const Scene& scene, Diagnostics& diagnostics) { return RigMaker(scene, diagnostics).make(); }

}  // namespace reanima::core
