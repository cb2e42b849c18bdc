#include "core/renamed_joints.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace reanima::core {

namespace {

constexpr int kNone = -1;

/// The node of each joint: the only node with the joint's name, otherwise the only node that states the joint. Empty if
/// a joint has no node.
std::vector<std::uint32_t> nodesOf(const Skeleton& skeleton, const Scene& scene) {
    std::vector<int> named(skeleton.joints.size(), kNone);
    std::vector<int> stated(skeleton.joints.size(), kNone);
    const auto set = [](int& place, std::size_t node) {
        constexpr int kSeveral = -2;
        place = place == kNone ? static_cast<int>(node) : kSeveral;
    };
    for (std::size_t node = 0; node < scene.nodes.size(); ++node)
        if (const auto joint = skeleton.find(scene.nodes[node].name))
            set(named[*joint], node);
        else if (const auto own = scene.nodes[node].statedJoint; own && *own < stated.size())
            set(stated[*own], node);
    std::vector<std::uint32_t> nodes;
    for (std::size_t joint = 0; joint < named.size(); ++joint) {
        const int node = named[joint] == kNone ? stated[joint] : named[joint];
        if (node < 0)
            return {};
        nodes.push_back(static_cast<std::uint32_t>(node));
    }
    return nodes;
}

/// True if the nodes have the same parents as the joints, at distances in the same proportions.
bool isSameSkeleton(const Skeleton& skeleton, const Scene& scene, const std::vector<std::uint32_t>& nodes) {
    constexpr double kSame = 0.01;
    double ours = 0;
    double theirs = 0;
    std::vector<std::pair<double, double>> lengths;
    for (std::uint32_t joint = 0; joint < nodes.size(); ++joint) {
        const std::optional<std::uint32_t> parent = skeleton.parentOf(joint);
        if (!parent)
            continue;
        if (scene.nodes[nodes[joint]].parent != static_cast<int>(nodes[*parent]))
            return false;
        lengths.emplace_back(glm::length(glm::dvec3(skeleton.joints[joint].rest.translation)),
                             glm::length(glm::dvec3(scene.nodes[nodes[joint]].local[3])));
        ours += lengths.back().first;
        theirs += lengths.back().second;
    }
    return ours > 0 && theirs > 0 && std::ranges::all_of(lengths, [&](const auto& length) {
               return std::abs(length.first / ours - length.second / theirs) < kSame;
           });
}

}  // namespace

void restoreJointNames(Scene& scene, const Skeleton& skeleton, Diagnostics& diagnostics) {
    const std::vector<std::uint32_t> nodes = nodesOf(skeleton, scene);
    if (nodes.empty() || !isSameSkeleton(skeleton, scene, nodes))
        return;
    std::size_t renamed = 0;
    for (std::size_t joint = 0; joint < nodes.size(); ++joint)
        renamed +=
            std::exchange(scene.nodes[nodes[joint]].name, skeleton.joints[joint].name) == skeleton.joints[joint].name
                ? 0
                : 1;
    if (renamed > 0)
        diagnostics.note(Code::renamed, {"nodes", std::nullopt},
                         fmt::format("{} joint{} renamed, but can be recognised by {} extras", renamed,
                                     renamed == 1 ? " was" : "s were", renamed == 1 ? "its" : "their"));
}

}  // namespace reanima::core
