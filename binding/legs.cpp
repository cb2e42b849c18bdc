#include "binding/legs.h"

#include <algorithm>
#include <utility>

#include <glm/geometric.hpp>

#include "binding/motion/linked_skeletons.h"
#include "core/rotation.h"

namespace reanima::binding {

namespace {

/// The track of a joint; a new track if it has none.
core::JointTrack& trackFor(core::Clip& clip, std::uint32_t joint) {
    const auto at = std::ranges::lower_bound(clip.tracks, joint, {}, &core::JointTrack::joint);
    if (at != clip.tracks.end() && at->joint == joint)
        return *at;
    core::JointTrack track;
    track.joint = joint;
    return *clip.tracks.insert(at, std::move(track));
}

template <typename T>
void setKeys(core::Clip& clip, core::Channel<T>& channel, std::vector<T> values) {
    channel.timeline = core::timelineOf(clip, core::frameTimes(values.size(), clip.rate));
    channel.values = std::move(values);
}

}  // namespace

std::optional<Leg> legOf(const core::Skeleton& skeleton, const roles::Anatomy& roles, roles::Side side) {
    const auto hip = roles.jointOf(roles::Part::upperLeg, side);
    const auto knee = roles.jointOf(roles::Part::lowerLeg, side);
    const auto ankle = roles.jointOf(roles::Part::foot, side);
    if (!hip || !knee || !ankle || !skeleton.isBelow(*knee, *hip) || !skeleton.isBelow(*ankle, *knee))
        return std::nullopt;
    return Leg{*hip, *knee, *ankle};
}

glm::dquat turnBetween(const glm::dvec3& from, const glm::dvec3& to) {
    const glm::dvec3 a = glm::normalize(from);
    const glm::dvec3 b = glm::normalize(to);
    const glm::dquat turn(1 + glm::dot(a, b), glm::cross(a, b));
    constexpr double kOpposite = 1e-9;
    return turn.w > kOpposite ? glm::normalize(turn) : motion::kNoTurn;
}

void setTranslations(core::Clip& clip, std::uint32_t joint, std::vector<glm::vec3> values) {
    setKeys(clip, trackFor(clip, joint).translation, std::move(values));
}

void setRotations(core::Clip& clip, std::uint32_t joint, std::vector<glm::quat> values) {
    for (std::size_t i = 1; i < values.size(); ++i)
        values[i] = core::nearestSign(values[i], values[i - 1]);
    setKeys(clip, trackFor(clip, joint).rotation, std::move(values));
}

}  // namespace reanima::binding
