#include "binding/motion/target_motion.h"

#include <cmath>

#include <glm/geometric.hpp>

namespace reanima::motion {

namespace {

/// A fraction of a rotation about an axis.
glm::dquat rollOf(const glm::dquat& turn, const glm::dvec3& axis, double share) {
    const double along = glm::dot(glm::dvec3(turn.x, turn.y, turn.z), axis);
    double angle = 2 * std::atan2(along, turn.w);
    constexpr double kPi = 3.14159265358979323846;
    if (angle > kPi)
        angle -= 2 * kPi;
    else if (angle < -kPi)
        angle += 2 * kPi;
    const double half = angle * share / 2;
    return {std::cos(half), axis * std::sin(half)};
}

}  // namespace

glm::dquat TargetMotion::turnOf(std::uint32_t source, float time) const {
    const Path path = pathBetween(linked_.source(), std::nullopt, source);
    return motion_.rotation(path, time) * glm::conjugate(linked_.reference().rotations[source]);
}

glm::dquat TargetMotion::turnOf(const JointLink& link, float time) const {
    const glm::dquat own = turnOf(link.source, time);
    return link.mixedFrom ? glm::slerp(turnOf(*link.mixedFrom, time), own, link.share) : own;
}

glm::dquat TargetMotion::turned(std::uint32_t joint, float time) const {
    return rotation(joint, time) * glm::conjugate(linked_.constant(joint));
}

glm::dquat TargetMotion::twisted(const TwistShare& twist, float time) const {
    const Globals& rest = linked_.rest();
    const glm::dquat limb = turned(twist.limb, time);
    const glm::dvec3 axis = rest.positions[twist.end] - rest.positions[twist.limb];
    if (!(glm::length(axis) > 0) || linked_.links()[twist.other] == nullptr)
        return limb * rest.rotations[twist.joint];
    const glm::dquat against = glm::conjugate(limb) * turned(twist.other, time);
    return limb * rollOf(against, glm::normalize(axis), twist.share) * rest.rotations[twist.joint];
}

glm::dquat TargetMotion::rotation(std::uint32_t joint, float time) const {
    if (const JointLink* link = linked_.links()[joint]; link != nullptr)
        return glm::normalize(turnOf(*link, time) * linked_.constant(joint));
    if (const TwistShare* twist = linked_.twistOf(joint); twist != nullptr)
        return glm::normalize(twisted(*twist, time));
    if (const IkTarget* ik = linked_.ikTargetOf(joint); ik != nullptr)
        return glm::normalize(turned(ik->aim, time) * linked_.rest().rotations[joint]);
    const std::optional<std::uint32_t> parent = linked_.target().parentOf(joint);
    const glm::dquat own = normalized(linked_.target().joints[joint].rest.rotation);
    return parent ? glm::normalize(rotation(*parent, time) * own) : own;
}

glm::dvec3 TargetMotion::beside(std::uint32_t carrier, std::uint32_t joint, float time) const {
    const Globals& rest = linked_.rest();
    return position(carrier, time) + turned(carrier, time) * (rest.positions[joint] - rest.positions[carrier]);
}

glm::dvec3 TargetMotion::position(std::uint32_t joint, float time) const {
    const Globals& rest = linked_.rest();
    const JointLink* link = linked_.links()[joint];
    if (link != nullptr && link->carrier)
        return beside(*link->carrier, joint, time);
    if (const IkTarget* ik = linked_.ikTargetOf(joint); link == nullptr && ik != nullptr)
        return beside(ik->aim, joint, time);
    if (link != nullptr && linked_.linkAbove(joint) == nullptr) {
        std::vector<std::uint32_t> fromRoot = upwards(linked_.source(), link->source);
        std::reverse(fromRoot.begin(), fromRoot.end());
        return rest.positions[joint] +
               scale_ * (motion_.position(fromRoot, time) - linked_.reference().positions[link->source]) +
               turnOf(link->source, time) * linked_.rootOffset();
    }
    const std::optional<std::uint32_t> parent = linked_.target().parentOf(joint);
    const glm::dvec3 offset(linked_.target().joints[joint].rest.translation);
    return parent ? position(*parent, time) + rotation(*parent, time) * (rest.scales[*parent] * offset) : offset;
}

glm::dvec3 TargetMotion::local(std::uint32_t joint, const glm::dvec3& place, float time) const {
    const std::optional<std::uint32_t> parent = linked_.target().parentOf(joint);
    if (!parent)
        return place;
    return glm::conjugate(rotation(*parent, time)) * (place - position(*parent, time)) / linked_.rest().scales[*parent];
}

void TargetMotion::addKeys(KeyTimes& keys, std::uint32_t joint) const {
    for (const std::uint32_t j : linked_.target().upFrom(joint)) {
        if (const TwistShare* twist = linked_.twistOf(j); twist != nullptr)
            if (const JointLink* other = linked_.links()[twist->other]; other != nullptr)
                keys.addRotations(upwards(linked_.source(), other->source));
        if (const IkTarget* ik = linked_.ikTargetOf(j); ik != nullptr)
            addKeys(keys, ik->aim);
        const JointLink* link = linked_.links()[j];
        if (link == nullptr)
            continue;
        keys.addRotations(upwards(linked_.source(), link->source));
        if (link->mixedFrom)
            keys.addRotations(upwards(linked_.source(), *link->mixedFrom));
        if (linked_.linkAbove(j) == nullptr && !link->carrier)
            keys.addTranslations(upwards(linked_.source(), link->source));
        if (link->carrier && j == joint)
            addKeys(keys, *link->carrier);
    }
}

}  // namespace reanima::motion
