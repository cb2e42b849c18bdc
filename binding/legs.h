/// Legs of a skeleton and functions to rotate them.
#pragma once

#include <optional>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

#include "binding/roles/roles.h"
#include "core/clip.h"
#include "core/skeleton.h"

namespace reanima::binding {

/// The joints of a leg; each is a descendant of the one before.
struct Leg {
    std::uint32_t hip;
    std::uint32_t knee;
    std::uint32_t ankle;
};

/// None if a joint is unknown or the joints do not form a chain.
[[nodiscard]] std::optional<Leg> legOf(const core::Skeleton& skeleton, const roles::Anatomy& roles, roles::Side side);

/// The smallest rotation from one direction to another; the identity if they are opposite.
[[nodiscard]] glm::dquat turnBetween(const glm::dvec3& from, const glm::dvec3& to);

/// Sets a key of a joint for each frame of the clip. The signs of quaternions are chosen so that neighbours are close.
void setTranslations(core::Clip& clip, std::uint32_t joint, std::vector<glm::vec3> values);
void setRotations(core::Clip& clip, std::uint32_t joint, std::vector<glm::quat> values);

}  // namespace reanima::binding
