#include "binding/mixed_tracks.h"

#include <algorithm>

#include "binding/target_motion.h"

namespace reanima::core {

bool MixedTracks::needs(const LinkedSkeletons& linked, std::uint32_t joint) {
    const JointLink* link = linked.links()[joint];
    const JointLink* above = linked.linkAbove(joint);
    if ((link != nullptr && link->mixedFrom) || (above != nullptr && above->mixedFrom))
        return true;
    for (std::optional<std::uint32_t> j = joint; j && !(above != nullptr && *j == above->target);
         j = parentOf(linked.target(), *j))
        if (linked.twistOf(*j) != nullptr)
            return true;
    return false;
}

Channel<glm::quat> MixedTracks::rotation(Clip& bound, const SourceMotion& motion, std::uint32_t joint) const {
    const TargetMotion target(linked_, binding_.scale, motion);
    const std::optional<std::uint32_t> parent = parentOf(linked_.target(), joint);
    KeyTimes keys(motion);
    target.addKeys(keys, joint);
    return makeChannel<glm::quat>(bound, keys, [&](float time) {
        const glm::dquat above = parent ? target.rotation(*parent, time) : kNoTurn;
        return glm::quat(glm::normalize(glm::conjugate(above) * target.rotation(joint, time)));
    });
}

Channel<glm::vec3> MixedTracks::translation(Clip& bound, const SourceMotion& motion, const JointLink& link) const {
    const TargetMotion target(linked_, binding_.scale, motion);
    KeyTimes keys(motion);
    target.addKeys(keys, link.target);
    target.addKeys(keys, *link.carrier);
    return makeChannel<glm::vec3>(bound, keys, [&](float time) {
        return glm::vec3(target.local(link.target, target.position(link.target, time), time));
    });
}

void MixedTracks::addTwists(Clip& bound, const SourceMotion& motion) const {
    for (const TwistShare& twist : binding_.twists) {
        JointTrack track;
        track.joint = twist.joint;
        track.rotation = rotation(bound, motion, twist.joint);
        const auto at = std::lower_bound(bound.tracks.begin(), bound.tracks.end(), twist.joint,
                                         [](const JointTrack& t, std::uint32_t joint) { return t.joint < joint; });
        bound.tracks.insert(at, std::move(track));
    }
}

}  // namespace reanima::core
