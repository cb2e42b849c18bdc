/// From where skeletons are looked at.
#pragma once

#include <glm/vec3.hpp>

#include "../binding/roles/roles.h"
#include "../core/pose.h"
#include "../core/skeleton.h"

namespace reanima::drawing {

/// From where a body is looked at: two directions in model space, at right angles.
struct View {
    glm::dvec3 right{1, 0, 0};
    glm::dvec3 up{0, 1, 0};

    /// From the front: legs and their sides tell where that is; +Y is up and +Z ahead where they are not known. The
    /// axis of model space up which the legs lead stands upright: a body that leans at rest leans.
    [[nodiscard]] static View ofFront(const core::Skeleton& skeleton, const roles::Anatomy& anatomy);
    /// The same, or from the other side, if the body stands the other way round in a pose: motion turns rigs that face
    /// -Z.
    [[nodiscard]] View forPose(const core::Skeleton& skeleton, const roles::Anatomy& anatomy,
                               const core::Pose& pose) const;
    /// From a place further to the body's left, by that many degrees around it.
    [[nodiscard]] View turned(double degrees) const;
};

}  // namespace reanima::drawing
