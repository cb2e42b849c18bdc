#include "core/skeleton.h"

#include <algorithm>

namespace reanima::core {

std::optional<std::uint32_t> Skeleton::find(std::string_view jointName) const {
    const auto joint =
        std::find_if(joints.begin(), joints.end(), [jointName](const Joint& j) { return j.name == jointName; });
    if (joint == joints.end())
        return std::nullopt;
    return static_cast<std::uint32_t>(joint - joints.begin());
}

bool Skeleton::isBelow(std::uint32_t joint, std::uint32_t above) const {
    for (const std::uint32_t ancestor : ancestors(joint))
        if (ancestor == above)
            return true;
    return false;
}

std::uint32_t Skeleton::rootOf(std::uint32_t joint) const {
    std::uint32_t root = joint;
    for (const std::uint32_t ancestor : ancestors(joint))
        root = ancestor;
    return root;
}

ParentsFirst parentsFirst(std::span<const int> parents) {
    enum class State : std::uint8_t { open, onTheWay, placed };
    std::vector<State> states(parents.size(), State::open);
    ParentsFirst result;
    result.order.reserve(parents.size());
    std::vector<std::uint32_t> way;  // a node and its ancestors, up to an ancestor whose place is known
    for (std::uint32_t first = 0; first < parents.size(); ++first) {
        for (int next = static_cast<int>(first); next != kNoParent;) {
            const auto node = static_cast<std::uint32_t>(next);
            if (states[node] == State::placed)
                break;
            if (states[node] == State::onTheWay) {
                result.inCircle = node;
                return result;
            }
            states[node] = State::onTheWay;
            way.push_back(node);
            next = parents[node];
        }
        for (; !way.empty(); way.pop_back()) {
            states[way.back()] = State::placed;
            result.order.push_back(way.back());
        }
    }
    return result;
}

Skeleton madeUpSkeleton(const std::vector<std::string>& names, double apart) {
    constexpr std::size_t kColumns = 8;
    Skeleton skeleton;
    skeleton.origin = Skeleton::Origin::madeUp;
    for (const std::string& name : names) {
        Joint& joint = skeleton.joints.emplace_back();
        joint.name = name;
        if (skeleton.joints.size() == 1)
            continue;
        const std::size_t place = skeleton.joints.size() - 2;
        const auto column = static_cast<double>(place % kColumns) - (kColumns - 1) / 2.0;
        const auto row = static_cast<double>(place / kColumns);  // NOLINT(bugprone-integer-division): whole rows
        joint.parent = 0;
        joint.rest.translation = {column * apart, row * apart, 0};
        joint.end = glm::vec3(0, 0, apart / 2);
    }
    return skeleton;
}

std::string_view originName(Skeleton::Origin origin) {
    switch (origin) {
        case Skeleton::Origin::given:
            return "given";
        case Skeleton::Origin::found:
            return "found";
        case Skeleton::Origin::madeUp:
            break;
    }
    return "made-up";
}

}  // namespace reanima::core
