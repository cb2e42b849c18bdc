/// Viewing directions for skeletons.
#pragma once

#include <glm/vec3.hpp>

#include "../binding/roles/roles.h"
#include "../core/pose.h"
#include "../core/skeleton.h"

namespace reanima::drawing {

/// A viewing direction: two directions in model space, at right angles.
struct View {
    glm::dvec3 right{1, 0, 0};
    glm::dvec3 up{0, 1, 0};

    /// From the front, which the legs and their sides determine; if they are unknown, +Y is up and +Z front. Up is an
    /// axis of model space, so a body that leans at rest is shown leaning.
    [[nodiscard]] static View ofFront(const core::Skeleton& skeleton, const roles::Anatomy& anatomy);
    /// The same, or from the opposite side if the body faces the other way in a pose: motion rotates rigs that face -Z.
    [[nodiscard]] View forPose(const core::Skeleton& skeleton, const roles::Anatomy& anatomy,
                               const core::Pose& pose) const;
    /// Moved by that many degrees around the body, to its left.
    [[nodiscard]] View turned(double degrees) const;
};

}  // namespace reanima::drawing
