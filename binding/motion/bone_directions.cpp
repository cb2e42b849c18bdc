#include "binding/motion/bone_directions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

namespace reanima::motion {

namespace {

constexpr double kNoLength = 1e-9;

/// Direction to the known end of a joint's bone; 0 if there is none.
glm::dvec3 toEnd(const Skeleton& skeleton, const Globals& globals, std::uint32_t joint) {
    const std::optional<glm::vec3>& end = skeleton.joints[joint].end;
    return end ? globals.rotations[joint] * glm::dvec3(*end) : glm::dvec3(0);
}

/// For each link, the next links below it: their targets are descendants with no linked joint in between, and their
/// sources are descendants of its source.
std::vector<std::vector<const JointLink*>> linksBelow(const Skeleton& source, const Skeleton& target,
                                                      const std::vector<JointLink>& links) {
    constexpr std::size_t kNone = ~std::size_t{0};
    std::vector<std::size_t> linkOf(target.joints.size(), kNone);
    for (std::size_t i = 0; i < links.size(); ++i)
        linkOf[links[i].target] = i;
    std::vector<std::vector<const JointLink*>> below(links.size());
    for (const JointLink& link : links) {
        for (const std::uint32_t above : target.ancestors(link.target)) {
            if (linkOf[above] == kNone)
                continue;
            if (source.isBelow(link.source, links[linkOf[above]].source))
                below[linkOf[above]].push_back(&link);
            break;
        }
    }
    return below;
}

}  // namespace

std::vector<std::optional<double>> degreesBetweenBones(const Skeleton& source, const Globals& from,
                                                       const Skeleton& target, const Globals& to,
                                                       const std::vector<JointLink>& links) {
    const std::vector<std::vector<const JointLink*>> below = linksBelow(source, target, links);
    std::vector<std::optional<double>> degrees;
    for (std::size_t i = 0; i < links.size(); ++i) {
        const JointLink& link = links[i];
        double sum = 0;
        std::size_t count = 0;
        const auto compare = [&](const glm::dvec3& own, const glm::dvec3& other) {
            if (glm::length(own) <= kNoLength || glm::length(other) <= kNoLength)
                return;
            sum += std::acos(std::clamp(glm::dot(glm::normalize(own), glm::normalize(other)), -1.0, 1.0));
            ++count;
        };
        for (const JointLink* next : below[i])
            compare(from.positions[next->source] - from.positions[link.source],
                    to.positions[next->target] - to.positions[link.target]);
        if (count == 0)
            compare(toEnd(source, from, link.source), toEnd(target, to, link.target));
        degrees.push_back(count > 0 ? std::optional(sum / static_cast<double>(count) * 180 / std::numbers::pi)
                                    : std::nullopt);
    }
    return degrees;
}

}  // namespace reanima::motion
