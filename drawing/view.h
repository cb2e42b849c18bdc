/// Viewing directions for skeletons.
#pragma once

#include <vector>

#include <glm/vec3.hpp>

#include "../binding/roles/roles.h"
#include "../core/pose.h"
#include "../core/skeleton.h"

namespace reanima::drawing {

/// A viewing direction, as two perpendicular directions in model space.
struct View {
    glm::dvec3 right{1, 0, 0};
    glm::dvec3 up{0, 1, 0};

    /// The view from the front, which is determined by the legs and their sides. If they are unknown, +Y is up and +Z
    /// is the front. Up is always an axis of model space, so a body that leans at rest is shown leaning.
    [[nodiscard]] static View ofFront(const core::Skeleton& skeleton, const roles::Anatomy& anatomy);
    /// As ofFront(), but from the opposite side if the body faces the other way in the first of these poses. The rest
    /// pose of a capture may be lying, or a bundle of bones. So if the body stands along another axis in these poses
    /// than at rest, that axis is up, and the first or third axis of model space is level.
    [[nodiscard]] static View ofMotion(const core::Skeleton& skeleton, const roles::Anatomy& anatomy,
                                       const std::vector<core::Pose>& poses);
    /// This view after the viewer moves around the body by this angle, towards its left.
    [[nodiscard]] View turned(double degrees) const;
};

}  // namespace reanima::drawing
