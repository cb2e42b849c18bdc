#include "pipeline/mirrored_body.h"

#include <algorithm>

#include <glm/vector_relational.hpp>

namespace reanima {

std::vector<std::uint32_t> mirroredJoints(const core::Skeleton& skeleton) {
    std::vector<std::uint32_t> joints;
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
        if (glm::all(glm::lessThan(skeleton.joints[joint].rest.scale, glm::vec3(0))) &&
            std::ranges::none_of(joints, [&](std::uint32_t above) { return skeleton.isBelow(joint, above); }))
            joints.push_back(joint);
    return joints;
}

void turnInsideOut(const std::vector<std::uint32_t>& joints, core::Skeleton& skeleton, std::vector<core::Clip>& clips) {
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint) {
        const bool isMirror = std::ranges::find(joints, joint) != joints.end();
        const bool isBelow =
            std::ranges::any_of(joints, [&](std::uint32_t above) { return skeleton.isBelow(joint, above); });
        core::Joint& each = skeleton.joints[joint];
        if (isMirror)
            each.rest.scale = -each.rest.scale;
        if (isBelow)
            each.rest.translation = -each.rest.translation;
        if ((isMirror || isBelow) && each.end)
            each.end = -*each.end;
        for (core::Clip& clip : clips)
            if (core::JointTrack* track = clip.trackOf(joint)) {
                if (isMirror)
                    for (glm::vec3& scale : track->scale.values)
                        scale = -scale;
                if (isBelow)
                    for (glm::vec3& place : track->translation.values)
                        place = -place;
            }
    }
}

}  // namespace reanima
