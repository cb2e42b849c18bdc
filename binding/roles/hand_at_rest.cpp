#include "binding/roles/hand_at_rest.h"

#include <glm/geometric.hpp>

#include "core/pose.h"

namespace reanima::roles {

namespace {

/// From the knuckle of the last finger to that of the index finger: towards the thumb.
std::optional<glm::dvec3> acrossKnuckles(const motion::Globals& rest, const Anatomy& roles, Side side) {
    const auto index = roles.jointOf(Part::index, side);
    auto last = roles.jointOf(Part::little, side);
    if (!last)
        last = roles.jointOf(Part::ring, side);
    if (!last)
        last = roles.jointOf(Part::middle, side);
    return index && last ? std::optional(rest.positions[*index] - rest.positions[*last]) : std::nullopt;
}

/// The palm of a hand that points along `along`, with the thumb turned as far towards a direction as the hand allows.
std::optional<glm::dvec3> palmTowards(const glm::dvec3& thumbwards, Side side, const glm::dvec3& along) {
    const glm::dvec3 thumb = thumbwards - along * glm::dot(thumbwards, along);
    constexpr double kApart = 0.3;
    if (!(glm::length(thumb) > kApart * glm::length(thumbwards)))
        return std::nullopt;
    return glm::normalize(side == Side::left ? glm::cross(along, thumb) : glm::cross(thumb, along));
}

}  // namespace

std::optional<glm::dvec3> palmByKnuckles(const motion::Globals& pose, const Anatomy& roles, Side side,
                                         const glm::dvec3& along) {
    const auto knuckles = acrossKnuckles(pose, roles, side);
    return knuckles ? palmTowards(*knuckles, side, along) : std::nullopt;
}

std::optional<glm::dvec3> palmAtRest(const motion::Globals& rest, const Anatomy& roles, Side side,
                                     const glm::dvec3& along, const glm::dvec3& front) {
    return palmTowards(acrossKnuckles(rest, roles, side).value_or(front), side, along);
}

std::optional<HandAtRest> handAtRest(const core::Skeleton& rig, const Anatomy& roles, Side side) {
    const motion::Globals rest = motion::globalsOf(rig, core::restPose(rig));
    const auto hand = roles.jointOf(Part::hand, side);
    auto finger = roles.jointOf(Part::middle, side);
    if (!finger)
        finger = roles.jointOf(Part::index, side);
    const auto knuckles = acrossKnuckles(rest, roles, side);
    if (!hand || !finger || !knuckles)
        return std::nullopt;
    const glm::dvec3 way = rest.positions[*finger] - rest.positions[*hand];
    if (!(glm::length(way) > 0))
        return std::nullopt;
    HandAtRest result{side, glm::normalize(way), {}, {}};
    const auto palm = palmAtRest(rest, roles, side, result.along, *knuckles);
    if (!palm)
        return std::nullopt;
    result.palm = *palm;
    result.thumb = side == Side::left ? glm::cross(*palm, result.along) : glm::cross(result.along, *palm);
    return result;
}

}  // namespace reanima::roles
