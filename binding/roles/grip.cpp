#include "binding/roles/grip.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

#include "binding/roles/hand_at_rest.h"
#include "core/pose.h"

namespace reanima::roles {

namespace {

/// The total bend in degrees of a finger's segments, relative to the hand, in a fist around a handle: about 65 at the
/// knuckle, then 75 and 45 more.
constexpr std::array kBent{65.0, 140.0, 185.0};
/// The same for a thumb, which lies across the fingers.
constexpr std::array kThumbBent{10.0, 40.0, 75.0};

/// One hand, and how far its fingers are turned from their rest.
class Fist {
  public:
    Fist(const core::Skeleton& rig, const Anatomy& roles, const HandAtRest& hand)
        : rig_(rig),
          roles_(roles),
          hand_(hand),
          rest_(motion::globalsOf(rig, core::restPose(rig))),
          turned_(rig.joints.size(), glm::dquat(1, 0, 0, 0)) {}

    [[nodiscard]] std::vector<ClosedFinger> close() {
        std::vector<ClosedFinger> fingers;
        for (std::uint32_t joint = 0; joint < rig_.joints.size(); ++joint) {
            const int parent = rig_.joints[joint].parent;
            if (parent == core::kNoParent)
                continue;
            const auto above = static_cast<std::size_t>(parent);
            turned_[joint] = turned_[above];
            const Role& role = roles_.roles[joint];
            if (!isFinger(role.part) || role.side != hand_.side)
                continue;
            turned_[joint] = turnOf(joint, role);
            const glm::dquat local =
                glm::conjugate(turned_[above] * rest_.rotations[above]) * turned_[joint] * rest_.rotations[joint];
            fingers.push_back({joint, glm::quat(glm::normalize(local))});
        }
        return fingers;
    }

  private:
    /// The bend in model space that a finger still needs at rest.
    [[nodiscard]] glm::dquat turnOf(std::uint32_t joint, const Role& role) const {
        const bool isThumb = role.part == Part::thumb;
        const std::size_t segment = std::min<std::size_t>(role.segment, kBent.size() - 1);
        const glm::dvec3 way = wayOf(joint);
        // A thumb goes over the fingers that lie in the palm.
        const glm::dvec3 from = isThumb ? way : hand_.along;
        const glm::dvec3 to = isThumb ? glm::normalize(hand_.palm - hand_.thumb) : hand_.palm;
        const glm::dvec3 axis = glm::cross(from, to);
        if (!(glm::length(axis) > 1e-6))
            return glm::dquat(1, 0, 0, 0);
        const double isBent =
            isThumb ? 0 : std::max(0.0, std::atan2(glm::dot(way, hand_.palm), glm::dot(way, hand_.along)));
        const double wanted = glm::radians(isThumb ? kThumbBent[segment] : kBent[segment]);
        return glm::angleAxis(std::max(0.0, wanted - isBent), glm::normalize(axis));
    }

    /// The direction of a segment: to the next segment, else to its end, else that of the segment before.
    [[nodiscard]] glm::dvec3 wayOf(std::uint32_t joint) const {
        const Role& role = roles_.roles[joint];
        glm::dvec3 way(0);
        for (std::uint32_t next = joint + 1; next < rig_.joints.size(); ++next)
            if (rig_.joints[next].parent == static_cast<int>(joint) && roles_.roles[next].part == role.part)
                way = rest_.positions[next] - rest_.positions[joint];
        if (const auto& end = rig_.joints[joint].end; end && glm::length(way) == 0)
            way = rest_.rotations[joint] * glm::dvec3(*end);
        if (glm::length(way) == 0)
            way = rest_.positions[joint] - rest_.positions[static_cast<std::size_t>(rig_.joints[joint].parent)];
        return glm::length(way) > 0 ? glm::normalize(way) : hand_.along;
    }

    const core::Skeleton& rig_;
    const Anatomy& roles_;
    const HandAtRest& hand_;
    motion::Globals rest_;
    std::vector<glm::dquat> turned_;  // per joint, in model space
};

}  // namespace

std::vector<ClosedFinger> closedFingers(const core::Skeleton& rig, const Anatomy& roles, Side side) {
    const std::optional<HandAtRest> hand = handAtRest(rig, roles, side);
    return hand ? Fist(rig, roles, *hand).close() : std::vector<ClosedFinger>{};
}

void closeFingers(const std::vector<ClosedFinger>& fingers, core::Clip& clip) {
    for (const ClosedFinger& finger : fingers) {
        core::JointTrack* own = clip.trackOf(finger.joint);
        if (own == nullptr) {
            const auto next = std::ranges::upper_bound(clip.tracks, finger.joint, {}, &core::JointTrack::joint);
            own = &*clip.tracks.insert(next, core::JointTrack{});
            own->joint = finger.joint;
        }
        if (!own->rotation.isPresent())
            own->rotation.values = {finger.rotation};
    }
}

}  // namespace reanima::roles
