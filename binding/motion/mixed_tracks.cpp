#include "binding/motion/mixed_tracks.h"

#include <algorithm>

#include "binding/motion/target_motion.h"

namespace reanima::motion {

bool MixedTracks::needs(const LinkedSkeletons& linked, std::uint32_t joint) {
    const JointLink* link = linked.links()[joint];
    const JointLink* above = linked.linkAbove(joint);
    if ((link != nullptr && link->mixedFrom) || (above != nullptr && above->mixedFrom))
        return true;
    for (const std::uint32_t j : linked.target().upFrom(joint)) {
        if (above != nullptr && j == above->target)
            break;
        if (linked.twistOf(j) != nullptr || linked.ikTargetOf(j) != nullptr)
            return true;
    }
    return false;
}

Channel<glm::quat> MixedTracks::rotation(Clip& bound, const SourceMotion& motion, std::uint32_t joint) const {
    const TargetMotion target(linked_, binding_.scale, motion);
    const std::optional<std::uint32_t> parent = linked_.target().parentOf(joint);
    KeyTimes keys(motion);
    target.addKeys(keys, joint);
    return makeChannel<glm::quat>(bound, keys, [&](float time) {
        const glm::dquat above = parent ? target.rotation(*parent, time) : kNoTurn;
        return glm::quat(glm::normalize(glm::conjugate(above) * target.rotation(joint, time)));
    });
}

Channel<glm::vec3> MixedTracks::translation(Clip& bound, const SourceMotion& motion, const JointLink& link) const {
    return translation(bound, motion, link.target, *link.carrier);
}

Channel<glm::vec3> MixedTracks::translation(Clip& bound, const SourceMotion& motion, std::uint32_t joint,
                                            std::uint32_t carrier) const {
    const TargetMotion target(linked_, binding_.scale, motion);
    KeyTimes keys(motion);
    target.addKeys(keys, joint);
    target.addKeys(keys, carrier);
    return makeChannel<glm::vec3>(
        bound, keys, [&](float time) { return glm::vec3(target.local(joint, target.position(joint, time), time)); });
}

void MixedTracks::addOthers(Clip& bound, const SourceMotion& motion) const {
    const auto add = [&bound](JointTrack track) {
        const auto at = std::ranges::lower_bound(bound.tracks, track.joint, {}, &JointTrack::joint);
        bound.tracks.insert(at, std::move(track));
    };
    for (const TwistShare& twist : binding_.twists) {
        JointTrack track;
        track.joint = twist.joint;
        track.rotation = rotation(bound, motion, twist.joint);
        add(std::move(track));
    }
    for (const IkTarget& ik : binding_.ikTargets) {
        JointTrack track;
        track.joint = ik.joint;
        track.rotation = rotation(bound, motion, ik.joint);
        track.translation = translation(bound, motion, ik.joint, ik.aim);
        add(std::move(track));
    }
}

}  // namespace reanima::motion
