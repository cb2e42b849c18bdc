#include "core/scene_joints.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <glm/geometric.hpp>

namespace reanima::core {

namespace {

bool isIdentity(const glm::dmat4& matrix) { return largestDifference(matrix, glm::dmat4(1)) <= 1e-6; }

/// A union-find structure.
class Groups {
  public:
    explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), NodeIndex{0}); }

    NodeIndex of(NodeIndex member) {
        while (parent_[member] != member)
            member = parent_[member] = parent_[parent_[member]];
        return member;
    }
    void join(NodeIndex a, NodeIndex b) { parent_[of(b)] = of(a); }

  private:
    std::vector<NodeIndex> parent_;
};

/// Finds the skeletons of a scene and chooses the joints of one.
class JointSelection {
  public:
    JointSelection(const Scene& scene, const std::vector<NodeIndex>& order, Diagnostics& diagnostics)
        : scene_(scene), order_(order), diagnostics_(diagnostics) {
        joints_.isJoint.assign(nodes().size(), false);
    }

    SceneJoints choose() {
        if (scene_.skins.empty())
            chooseNodes();
        else
            chooseSkinned();
        return std::move(joints_);
    }

  private:
    [[nodiscard]] const std::vector<SceneNode>& nodes() const { return scene_.nodes; }

    [[nodiscard]] std::optional<NodeIndex> parentOf(NodeIndex node) const {
        const int parent = nodes()[node].parent;
        return parent == kNoParent ? std::nullopt : std::optional(static_cast<NodeIndex>(parent));
    }

    /// The largest group. A warning names the others.
    NodeIndex largestGroup(const std::vector<NodeIndex>& members, Groups& groups) {
        struct Group {
            NodeIndex first;
            std::size_t count = 0;
        };
        std::map<NodeIndex, Group> found;
        for (const NodeIndex member : members)
            ++found.try_emplace(groups.of(member), Group{member}).first->second.count;
        const auto largest = std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return a.second.count != b.second.count ? a.second.count < b.second.count : a.second.first > b.second.first;
        });
        std::vector<std::string> others;
        for (const auto& [group, content] : found)
            if (group != largest->first)
                others.push_back(nodes()[content.first].name);
        if (!others.empty())
            diagnostics_.warn(
                Code::ignored, {},
                fmt::format("contains {} skeletons; using \"{}\" with {} joints, not {}", found.size(),
                            nodes()[largest->second.first].name, largest->second.count, quotedNames(others)));
        return largest->first;
    }

    void chooseSkinned() {
        std::vector<bool> inSkin(nodes().size(), false);
        Groups groups(nodes().size());
        for (const SceneSkin& skin : scene_.skins)
            for (const NodeIndex joint : skin.joints) {
                inSkin[joint] = true;
                groups.join(skin.joints.front(), joint);
            }
        joinRelated(inSkin, groups);
        std::vector<NodeIndex> members;
        for (const NodeIndex node : order_)
            if (inSkin[node])
                members.push_back(node);
        if (members.empty())
            throw DecodeError("contains no skeleton, because its skins list no joints");
        const NodeIndex chosen = largestGroup(members, groups);
        for (const NodeIndex member : members)
            if (groups.of(member) == chosen)
                addUpwards(member);
        addAnimatedBelow();
        for (const NodeIndex node : order_)  // from the top down
            if (joints_.isJoint[node] && !inSkin[node] && isTop(node) && isIdentity(nodes()[node].local) &&
                !nodes()[node].isAnimated)
                leaveOut(node);
        for (const SceneSkin& skin : scene_.skins)
            if (!skin.joints.empty() && groups.of(skin.joints.front()) == chosen)
                joints_.skins.push_back(&skin);
    }

    /// Adds a node and its ancestors.
    void addUpwards(NodeIndex from) {
        for (std::optional<NodeIndex> node = from; node && !joints_.isJoint[*node]; node = parentOf(*node))
            joints_.isJoint[*node] = true;
    }

    /// Animated nodes below a joint belong to the body even if no skin lists them, such as legs without a mesh.
    void addAnimatedBelow() {
        std::vector<bool> isBelow(nodes().size(), false);
        for (const NodeIndex node : order_) {
            const std::optional<NodeIndex> parent = parentOf(node);
            isBelow[node] = parent && (isBelow[*parent] || joints_.isJoint[*parent]);
        }
        for (const NodeIndex node : order_)
            if (isBelow[node] && nodes()[node].isAnimated)
                addUpwards(node);
    }

    /// Merges joints that are descendants or siblings of each other.
    void joinRelated(const std::vector<bool>& inSkin, Groups& groups) const {
        std::vector<std::optional<NodeIndex>> jointAbove(nodes().size());  // including the node itself
        std::map<NodeIndex, NodeIndex> firstBelow;                         // per parent: its first joint
        for (const NodeIndex node : order_) {
            const std::optional<NodeIndex> parent = parentOf(node);
            jointAbove[node] = inSkin[node] ? node : parent ? jointAbove[*parent] : std::nullopt;
            if (!inSkin[node] || !parent)
                continue;
            if (jointAbove[*parent])
                groups.join(*jointAbove[*parent], node);
            groups.join(firstBelow.try_emplace(*parent, node).first->second, node);
        }
    }

    void chooseNodes() {
        std::vector<bool> hasChildren(nodes().size(), false);
        for (NodeIndex node = 0; node < nodes().size(); ++node)
            if (parentOf(node))
                hasChildren[*parentOf(node)] = true;
        Groups groups(nodes().size());
        std::vector<NodeIndex> members;
        for (const NodeIndex node : order_) {
            const SceneNode& content = nodes()[node];
            if (!content.isInScene || (content.hasContent && !hasChildren[node] && !content.isAnimated))
                continue;
            members.push_back(node);
            if (parentOf(node))
                groups.join(*parentOf(node), node);
        }
        if (members.empty())
            return;
        const NodeIndex chosen = largestGroup(members, groups);
        std::size_t below = 0;
        for (const NodeIndex member : members)
            if (groups.of(member) == chosen) {
                joints_.isJoint[member] = true;
                below += parentOf(member) && isTop(*parentOf(member)) ? 1U : 0U;
            }
        const NodeIndex top =
            *std::find_if(order_.begin(), order_.end(), [this](NodeIndex n) { return joints_.isJoint[n]; });
        if (below == 1 && isIdentity(nodes()[top].local) && !nodes()[top].isAnimated)
            leaveOut(top);
    }

    /// True for a joint without a joint above it.
    [[nodiscard]] bool isTop(NodeIndex node) const { return !parentOf(node) || !joints_.isJoint[*parentOf(node)]; }

    void leaveOut(NodeIndex container) {
        joints_.isJoint[container] = false;
        joints_.container = container;
    }

    const Scene& scene_;
    const std::vector<NodeIndex>& order_;
    Diagnostics& diagnostics_;
    SceneJoints joints_;
};

}  // namespace

std::vector<NodeIndex> nodesParentsFirst(const Scene& scene) {
    std::vector<int> parents;
    parents.reserve(scene.nodes.size());
    for (const SceneNode& node : scene.nodes)
        parents.push_back(node.parent);
    ParentsFirst result = parentsFirst(parents);
    if (result.inCircle)
        throw DecodeError({scene.fieldOf(*result.inCircle), std::nullopt},
                          "is its own ancestor, expected a tree of nodes");
    return std::move(result.order);
}

SceneJoints chooseJoints(const Scene& scene, const std::vector<NodeIndex>& order, Diagnostics& diagnostics) {
    return JointSelection(scene, order, diagnostics).choose();
}

double largestDifference(const glm::dmat4& a, const glm::dmat4& b) {
    double largest = 0;
    for (int column = 0; column < 4; ++column)
        largest = std::max(largest, glm::length(a[column] - b[column]));
    return largest;
}

std::string quotedNames(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i)
        text += fmt::format("{}\"{}\"", i > 0 ? ", " : "", names[i]);
    return names.size() > kMost ? fmt::format("{} and {} more", text, names.size() - kMost) : text;
}

}  // namespace reanima::core
