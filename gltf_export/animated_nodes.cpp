#include "gltf_export/animated_nodes.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/edit.h"

namespace reanima::gltf {

namespace {

/// For every node, the properties that the file's animations move.
/// @param nodes number of nodes, including added ones
std::vector<core::AnimatedProperties> animatedBefore(const Field& root, std::size_t nodes) {
    const std::size_t known = root.list("nodes").size();
    std::vector<core::AnimatedProperties> animated(nodes);
    for (const Field& animation : root.list("animations"))
        for (const Field& channel : animation.list("channels")) {
            const Field target = channel.at("target");
            const std::optional<Field> node = target.find("node");
            if (!node)
                continue;
            core::AnimatedProperties& moves = animated[node->index(known)];
            const std::string path = target.textOrNone("path");
            moves.translation |= path == "translation";
            moves.rotation |= path == "rotation";
            moves.scale |= path == "scale";
        }
    return animated;
}

}  // namespace

core::Transform partsOf(const Field& node) {
    const NodeTransform transform = transformOf(node);
    return transform.parts ? *transform.parts : core::decomposed(transform.matrix);
}

std::size_t nodeOfJoint(const Rig& rig, std::size_t nodes, std::size_t joint) {
    return joint < rig.nodes.size() ? rig.nodes[joint] : nodes + (joint - rig.nodes.size());
}

std::vector<AnimatedNode> animatedNodes(const Field& root, const Rig& rig, std::span<const core::Clip> clips) {
    const std::size_t joints = rig.skeleton.joints.size();
    const std::vector<Field> fields = root.list("nodes");
    std::vector<bool> inSkin(nodeOfJoint(rig, fields.size(), joints), false);
    for (const Field& skin : root.list("skins"))
        for (const Field& joint : skin.list("joints"))
            inSkin[joint.index(fields.size())] = true;
    const std::vector<core::AnimatedProperties> animated = core::animatedProperties(clips, joints);
    const std::vector<core::AnimatedProperties> before = animatedBefore(root, inSkin.size());
    std::vector<AnimatedNode> nodes;
    for (std::size_t joint = 0; joint < joints; ++joint) {
        const std::size_t node = nodeOfJoint(rig, fields.size(), joint);
        const core::Transform& rest = rig.skeleton.joints[joint].rest;
        const core::Transform stands = node < fields.size() ? partsOf(fields[node]) : rest;
        core::AnimatedProperties moves = before[node];
        moves.translation |= animated[joint].translation;
        moves.rotation |= animated[joint].rotation;
        moves.scale |= animated[joint].scale;
        const bool isOurs = inSkin[node] || moves.translation || moves.rotation || moves.scale;
        // Clips are relative to the rest pose. If a node differs from the rest pose, each clip must set the node.
        nodes.push_back({static_cast<int>(node),
                         isOurs && (moves.translation || stands.translation != rest.translation), isOurs,
                         isOurs && (moves.scale || stands.scale != rest.scale)});
    }
    return nodes;
}

std::optional<WholeNode> rootMotionNode(const Field& root, const Rig& rig, std::span<const core::Clip> clips,
                                        const std::vector<AnimatedNode>& animated) {
    if (std::none_of(clips.begin(), clips.end(), [](const core::Clip& clip) { return clip.travel.isPresent(); }))
        return std::nullopt;
    const std::vector<Field> fields = root.list("nodes");
    std::vector<int> parents(fields.size(), core::kNoParent);
    for (std::size_t node = 0; node < fields.size(); ++node)
        for (const Field& child : fields[node].list("children"))
            parents[child.index(fields.size())] = static_cast<int>(node);
    std::vector<int> above;  // parents of the topmost moving joints
    for (std::size_t joint = 0; joint < rig.nodes.size(); ++joint) {
        const auto moves = [&](int j) {
            const AnimatedNode& node = animated[static_cast<std::size_t>(j)];
            return node.translation || node.rotation || node.scale;
        };
        const int parent = rig.skeleton.joints[joint].parent;
        if (moves(static_cast<int>(joint)) && (parent == core::kNoParent || !moves(parent)))
            above.push_back(parents[rig.nodes[joint]]);
    }
    for (std::size_t joint = rig.nodes.size(); joint < rig.skeleton.joints.size(); ++joint)
        if (rig.skeleton.joints[joint].parent == core::kNoParent)
            throw core::DecodeError(
                fmt::format("{} would be added outside the rig's joints and would not follow the root motion",
                            rig.skeleton.joints[joint].name))
                .withHint({"root-motion", "in-place"});
    if (above.empty() || above.front() == core::kNoParent ||
        std::any_of(above.begin(), above.end(), [&](int node) { return node != above.front(); }))
        throw core::DecodeError(
            "has no node above its joints that can carry the root motion. Put the joints below an empty node")
            .withHint({"root-motion", "in-place"});
    glm::dmat3 toModel(1);
    for (int node = parents[static_cast<std::size_t>(above.front())]; node != core::kNoParent;
         node = parents[static_cast<std::size_t>(node)])
        toModel = glm::dmat3(core::matrixOf(partsOf(fields[static_cast<std::size_t>(node)]))) * toModel;
    return WholeNode{above.front(), partsOf(fields[static_cast<std::size_t>(above.front())]).translation,
                     glm::mat3(glm::inverse(toModel))};
}

}  // namespace reanima::gltf
