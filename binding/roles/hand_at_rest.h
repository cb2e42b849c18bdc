/// The pose of a rig's hands at rest.
#pragma once

#include <optional>

#include <glm/vec3.hpp>

#include "../motion/linked_skeletons.h"
#include "roles.h"

namespace reanima::roles {

/// The direction of the palm at rest, a unit vector in model space. The knuckles show it; if they are unknown, the
/// thumb is assumed to point to the front as far as the arm allows. None if the hand itself points to the front.
/// @param along where the hand points; @param front where the body faces: unit vectors
[[nodiscard]] std::optional<glm::dvec3> palmAtRest(const motion::Globals& rest, const Anatomy& roles, Side side,
                                                   const glm::dvec3& along, const glm::dvec3& front);

/// The direction of the palm in any pose, by the knuckles of two fingers. None if they are unknown.
[[nodiscard]] std::optional<glm::dvec3> palmByKnuckles(const motion::Globals& pose, const Anatomy& roles, Side side,
                                                       const glm::dvec3& along);

/// Unit vectors in model space, at right angles.
struct HandAtRest {
    Side side = Side::left;
    glm::dvec3 along;  ///< to the root of the middle finger
    glm::dvec3 palm;   ///< where it faces
    glm::dvec3 thumb;  ///< from the little finger's side to the thumb's
};

/// A hand at rest. The knuckles of two fingers determine its palm.
[[nodiscard]] std::optional<HandAtRest> handAtRest(const core::Skeleton& rig, const Anatomy& roles, Side side);

}  // namespace reanima::roles
