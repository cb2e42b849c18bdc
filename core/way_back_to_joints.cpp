#include "core/way_back_to_joints.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/matrix.hpp>

#include "core/pose.h"
#include "core/scene_joints.h"

namespace reanima::core {

namespace {

/// True for the nodes that may be joints.
/// @param root a node's name; empty: all nodes
std::vector<bool> nodesBelow(const std::string& root, const Scene& scene, const std::vector<std::uint32_t>& order) {
    if (root.empty())
        return std::vector<bool>(scene.nodes.size(), true);
    std::vector<bool> isBelow(scene.nodes.size(), false);
    std::size_t tops = 0;
    for (const std::uint32_t node : order) {
        const int parent = scene.nodes[node].parent;
        isBelow[node] = parent != kNoParent && isBelow[static_cast<std::size_t>(parent)];
        if (scene.nodes[node].name != root)
            continue;
        isBelow[node] = true;
        ++tops;
    }
    if (tops != 1)
        throw optionError({"joint-root", root}, tops == 0 ? std::string("there is no node with that name")
                                                          : fmt::format("there are {} nodes with that name", tops));
    return isBelow;
}

/// For each joint of the original, its node in the scene.
std::vector<std::uint32_t> nodesOf(const Skeleton& skeleton, const Scene& scene, const std::string& root,
                                   const std::vector<std::uint32_t>& order) {
    const std::vector<bool> isLookedAt = nodesBelow(root, scene, order);
    std::map<std::string, std::vector<std::uint32_t>> byName;
    for (std::size_t node = 0; node < scene.nodes.size(); ++node)
        if (isLookedAt[node])
            byName[scene.nodes[node].name].push_back(static_cast<std::uint32_t>(node));
    std::vector<std::uint32_t> nodes;
    std::vector<std::string> missing;
    for (const Joint& joint : skeleton.joints) {
        const auto found = byName.find(joint.name);
        if (found == byName.end()) {
            missing.push_back(joint.name);
            continue;
        }
        if (found->second.size() > 1)
            throw DecodeError({"nodes", std::nullopt},
                              fmt::format("contains {} nodes named \"{}\", so the joint is ambiguous",
                                          found->second.size(), joint.name))
                .withHint({"joint-root", "NAME"});
        nodes.push_back(found->second.front());
    }
    const auto isStated = [](const SceneNode& node) { return node.statedJoint.has_value(); };
    const bool mayBeStated =
        missing.size() <= skeleton.joints.size() / 2 && std::ranges::none_of(scene.nodes, isStated);
    if (!missing.empty())
        throw DecodeError(
            {"nodes", std::nullopt},
            fmt::format(
                "does not contain {} of {} joints: {}. The file belongs to another skeleton, or joints were renamed{}",
                missing.size(), skeleton.joints.size(), quotedNames(missing),
                mayBeStated ? ". If it is exported with custom properties, these identify renamed joints" : ""));
    return nodes;
}

/// The transform of each node to the space of the scene, without animation.
/// @param order all nodes, parents first
std::vector<glm::dmat4> standingMatrices(const Scene& scene, const std::vector<std::uint32_t>& order) {
    std::vector<glm::dmat4> matrices(scene.nodes.size());
    for (const std::uint32_t node : order) {
        const int parent = scene.nodes[node].parent;
        matrices[node] = parent == kNoParent ? scene.nodes[node].local
                                             : matrices[static_cast<std::size_t>(parent)] * scene.nodes[node].local;
    }
    return matrices;
}

/// The rest pose of the scene's joints, in the space in which animations move them: from bind matrices if there are
/// any, otherwise from the nodes' transforms.
std::vector<glm::dmat4> restOf(const Scene& scene, const std::vector<std::uint32_t>& nodes,
                               const std::vector<std::uint32_t>& order) {
    const std::vector<glm::dmat4> standing = standingMatrices(scene, order);
    std::vector<std::optional<glm::dmat4>> binds(scene.nodes.size());
    for (const SceneSkin& skin : scene.skins)
        for (std::size_t i = 0; i < skin.binds.size(); ++i)
            if (skin.binds[i] && !binds[skin.joints[i]])
                binds[skin.joints[i]] = skin.binds[i];
    // If one transform maps all bind matrices to the nodes, it is the transform of the skin's space.
    std::optional<glm::dmat4> space;
    bool isCommon = true;
    for (const std::uint32_t node : nodes) {
        if (!binds[node])
            continue;
        const glm::dmat4 own = standing[node] * glm::affineInverse(*binds[node]);
        if (!space)
            space = own;
        else
            isCommon = isCommon && largestDifference(*space, own) < 1e-3 * (1 + glm::length(glm::dvec3(own[3])));
    }
    const glm::dmat4 toWorld = space && isCommon ? *space : glm::dmat4(1);
    std::vector<glm::dmat4> rest(scene.nodes.size());
    for (const std::uint32_t node : order) {
        const int parent = scene.nodes[node].parent;
        if (binds[node])
            rest[node] = toWorld * *binds[node];
        else
            rest[node] = parent == kNoParent ? scene.nodes[node].local
                                             : rest[static_cast<std::size_t>(parent)] * scene.nodes[node].local;
    }
    return rest;
}

/// The rotation of a matrix. Its columns need not be of unit length.
glm::dquat turnOf(const glm::dmat3& matrix) {
    glm::dmat3 axes;
    axes[0] = glm::normalize(matrix[0]);
    axes[1] = glm::normalize(matrix[1] - axes[0] * glm::dot(axes[0], matrix[1]));
    axes[2] = glm::cross(axes[0], axes[1]);
    return glm::normalize(glm::quat_cast(axes));
}

constexpr double kFlat = 1e-12;  // an axis system with a volume this small is flat

JointPose poseOf(const glm::dmat3& axes, const glm::dvec3& translation) {
    JointPose pose;
    pose.translation = translation;
    pose.volume = glm::determinant(axes);
    pose.isTurned = pose.volume > kFlat;
    if (!pose.isTurned)
        return pose;
    const glm::dvec3 lengths(glm::length(axes[0]), glm::length(axes[1]), glm::length(axes[2]));
    pose.rotation = turnOf(axes);
    pose.unevenness = unevennessOf(lengths);
    for (int axis = 0; axis < 3; ++axis) {
        const int next = (axis + 1) % 3;
        pose.unevenness += std::abs(glm::dot(axes[axis], axes[next])) / (lengths[axis] * lengths[next]);
    }
    return pose;
}

/// The translation, rotation and scale of a node at a time. Empty if a still node has only a matrix.
/// @param track the node's track; null if the node does not move
std::optional<Transform> partsAt(const SceneNode& node, const NodeTrack* track, double seconds) {
    if (track == nullptr)
        return node.parts;
    Transform local = node.parts.value_or(Transform{});
    if (track->translation.isPresent())
        local.translation = valueAt(track->translation, seconds);
    if (track->rotation.isPresent())
        local.rotation = valueAt(track->rotation, seconds);
    if (track->scale.isPresent())
        local.scale = valueAt(track->scale, seconds);
    return local;
}

}  // namespace

double unevennessOf(const glm::dvec3& lengths) {
    const double least = std::min({lengths.x, lengths.y, lengths.z});
    return least > 0 ? std::max({lengths.x, lengths.y, lengths.z}) / least - 1 : 0;
}

WayBackToJoints::WayBackToJoints(const Skeleton& skeleton, const Scene& scene, const std::string& jointRoot)
    : skeleton_(skeleton), scene_(scene) {
    const std::vector<std::uint32_t> order = nodesParentsFirst(scene);
    nodes_ = nodesOf(skeleton, scene, jointRoot, order);
    const std::vector<glm::dmat4> game = globalMatrices(skeleton, restPose(skeleton));
    const std::vector<glm::dmat4> rest = restOf(scene, nodes_, order);
    std::vector<glm::dvec3> from;
    std::vector<glm::dvec3> to;
    for (std::size_t joint = 0; joint < nodes_.size(); ++joint) {
        from.emplace_back(game[joint][3]);
        to.emplace_back(rest[nodes_[joint]][3]);
    }
    placed_ = similarityBetween(from, to);
    requireProper(rest);
    requireSameShape(from, to);
    toGame_ = glm::mat3_cast(glm::conjugate(placed_.rotation));
    for (std::size_t joint = 0; joint < nodes_.size(); ++joint) {
        toAxes_.push_back(glm::inverse(glm::dmat3(rest[nodes_[joint]])) * glm::mat3_cast(placed_.rotation) *
                          glm::dmat3(game[joint]));
        fromAxes_.push_back(glm::inverse(toAxes_.back()));
    }
    findMoving();
    findWays();
    findAbove(order);
}

bool WayBackToJoints::moves(const SceneMotion& motion) const {
    return std::ranges::any_of(motion.tracks, [this](const NodeTrack& track) { return isMoving_[track.node]; });
}

WayBackToJoints::Tracks WayBackToJoints::tracksOf(const SceneMotion& motion) const {
    Tracks tracks(scene_.nodes.size(), nullptr);
    for (const NodeTrack& track : motion.tracks)
        tracks[track.node] = &track;
    return tracks;
}

LocalPose WayBackToJoints::at(const Tracks& tracks, double seconds) const {
    const std::vector<glm::dmat4> globals = globalsAbove(tracks, seconds);
    LocalPose pose;
    pose.reserve(nodes_.size());
    std::vector<double> volumes(nodes_.size());  // per joint: the volume spanned by its axes in the scene's space
    for (std::uint32_t joint = 0; joint < nodes_.size(); ++joint) {
        const Way& way = ways_[joint];
        const std::optional<std::uint32_t> parent = skeleton_.parentOf(joint);
        if (parent && !(std::abs(volumes[*parent]) > kFlat))
            pose.emplace_back().isPlaced = false;
        else
            pose.push_back(way.isDirect ? directPose(joint, tracks, seconds) : otherPose(joint, globals));
        volumes[joint] = way.isDirect ? volumes[*parent] * pose.back().volume
                                      : glm::determinant(glm::dmat3(globalOf(joint, globals)) * toAxes_[joint]);
    }
    return pose;
}

/// Ignores the nodes above the parent, since they move the joint and its parent equally.
JointPose WayBackToJoints::directPose(std::uint32_t joint, const Tracks& tracks, double seconds) const {
    const Way& way = ways_[joint];
    const SceneNode& node = scene_.nodes[nodes_[joint]];
    const glm::dmat3& back = fromAxes_[*skeleton_.parentOf(joint)];
    const std::optional<Transform> parts = partsAt(node, tracks[nodes_[joint]], seconds);
    if (!parts || !way.isRigid || parts->scale != glm::vec3(1)) {
        const glm::dmat4 local = parts ? matrixOf(*parts) : node.local;
        return poseOf(back * glm::dmat3(local) * toAxes_[joint], back * (glm::dvec3(local[3]) / placed_.scale));
    }
    JointPose pose;
    pose.rotation = glm::normalize(way.fromParent * glm::dquat(parts->rotation) * way.toJoint);
    pose.translation = back * (glm::dvec3(parts->translation) / placed_.scale);
    pose.volume = way.volume;
    return pose;
}

JointPose WayBackToJoints::otherPose(std::uint32_t joint, const std::vector<glm::dmat4>& globals) const {
    const glm::dmat4& global = globalOf(joint, globals);
    const glm::dmat3 axes = glm::dmat3(global) * toAxes_[joint];  // in the scene's space
    const std::optional<std::uint32_t> parent = skeleton_.parentOf(joint);
    if (!parent)
        return poseOf(toGame_ * axes, placed_.inverseOf(glm::dvec3(global[3])));
    // Uses matrices, not rotations: below a non-uniform scale, the scene's axes are skewed.
    const glm::dmat4& above = globalOf(*parent, globals);
    const glm::dmat3 back = glm::inverse(glm::dmat3(above) * toAxes_[*parent]);
    return poseOf(back * axes, back * ((glm::dvec3(global[3]) - glm::dvec3(above[3])) / placed_.scale));
}

/// For each node in `above_`, its transform to the space of the scene.
std::vector<glm::dmat4> WayBackToJoints::globalsAbove(const Tracks& tracks, double seconds) const {
    std::vector<glm::dmat4> globals;
    globals.reserve(above_.size());
    for (const std::uint32_t node : above_) {
        const std::optional<Transform> parts = partsAt(scene_.nodes[node], tracks[node], seconds);
        const glm::dmat4 local = parts ? matrixOf(*parts) : scene_.nodes[node].local;
        const int parent = scene_.nodes[node].parent;
        globals.push_back(parent == kNoParent ? local : globals[slots_[static_cast<std::size_t>(parent)]] * local);
    }
    return globals;
}

void WayBackToJoints::findMoving() {
    isMoving_.assign(scene_.nodes.size(), false);
    for (const std::uint32_t joint : nodes_)
        for (int node = static_cast<int>(joint); node != kNoParent && !isMoving_[static_cast<std::size_t>(node)];
             node = scene_.nodes[static_cast<std::size_t>(node)].parent)
            isMoving_[static_cast<std::size_t>(node)] = true;
}

void WayBackToJoints::findWays() {
    for (std::uint32_t joint = 0; joint < nodes_.size(); ++joint)
        ways_.push_back(wayOf(joint));
}

WayBackToJoints::Way WayBackToJoints::wayOf(std::uint32_t joint) const {
    Way way;
    const std::optional<std::uint32_t> parent = skeleton_.parentOf(joint);
    way.isDirect = parent && scene_.nodes[nodes_[joint]].parent == static_cast<int>(nodes_[*parent]);
    if (!way.isDirect)
        return way;
    constexpr double kSquare = 1e-5;  // shear and uneven scale that single precision leaves
    const JointPose before = poseOf(fromAxes_[*parent], {});
    const JointPose after = poseOf(toAxes_[joint], {});
    way.volume = before.volume * after.volume;
    way.isRigid = before.isTurned && after.isTurned && way.volume > kFlat && before.unevenness < kSquare &&
                  after.unevenness < kSquare;
    way.fromParent = before.rotation;
    way.toJoint = after.rotation;
    return way;
}

void WayBackToJoints::findAbove(const std::vector<std::uint32_t>& order) {
    std::vector<bool> isAbove(scene_.nodes.size(), false);
    const auto addWithParents = [&](std::uint32_t joint) {
        for (int node = static_cast<int>(nodes_[joint]); node != kNoParent && !isAbove[static_cast<std::size_t>(node)];
             node = scene_.nodes[static_cast<std::size_t>(node)].parent)
            isAbove[static_cast<std::size_t>(node)] = true;
    };
    for (std::uint32_t joint = 0; joint < nodes_.size(); ++joint) {
        if (ways_[joint].isDirect)
            continue;
        addWithParents(joint);
        if (const std::optional<std::uint32_t> parent = skeleton_.parentOf(joint))
            addWithParents(*parent);
    }
    slots_.resize(scene_.nodes.size());
    for (const std::uint32_t node : order)
        if (isAbove[node]) {
            slots_[node] = above_.size();
            above_.push_back(node);
        }
}

Place WayBackToJoints::placeOf(std::size_t joint) const {
    return {scene_.fieldOf ? scene_.fieldOf(nodes_[joint]) : std::string("nodes"), std::nullopt};
}

void WayBackToJoints::requireProper(const std::vector<glm::dmat4>& rest) const {
    for (std::size_t joint = 0; joint < nodes_.size(); ++joint)
        if (const double volume = glm::determinant(glm::dmat3(rest[nodes_[joint]])); !(volume > 0))
            throw DecodeError(placeOf(joint),
                              fmt::format("at rest, \"{}\" is {} by its own scale or by the scale of a node above it, "
                                          "expected scales above 0",
                                          skeleton_.joints[joint].name, volume < 0 ? "mirrored" : "flat"));
}

void WayBackToJoints::requireSameShape(const std::vector<glm::dvec3>& from, const std::vector<glm::dvec3>& to) const {
    double extent = 0;
    double worst = 0;
    std::size_t where = 0;
    for (std::size_t joint = 0; joint < from.size(); ++joint) {
        extent = std::max(extent, glm::distance(from[joint], from.front()));
        const double off = glm::distance(placed_.inverseOf(to[joint]), from[joint]);
        if (!(off <= worst)) {  // also if not finite
            worst = off;
            where = joint;
        }
    }
    constexpr double kSame = 0.005;  // fraction of the extent; the errors of programs are below 0.001
    if (!(worst <= kSame * extent))
        throw DecodeError(
            placeOf(where),
            fmt::format("its rest position is {:.1f} % of the skeleton's size away from \"{}\" in the original: "
                        "bones were moved in edit mode, or the file has another rest pose or skeleton",
                        100 * worst / extent, skeleton_.joints[where].name))
            .withHint({"rest", "FILE:CLIP:FRAME"});
}

}  // namespace reanima::core
