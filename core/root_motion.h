/// Keeps, removes or extracts the displacement of a clip's root.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "clip.h"
#include "skeleton.h"

namespace reanima::core {

/// Names, in the order of the enumeration.
inline constexpr std::array<std::string_view, 4> kRootMotionNames = {"keep", "in-place", "drop", "extract"};

/// `keep`, `in-place`, `drop` or `extract`.
[[nodiscard]] std::optional<RootMotion> rootMotionNamed(std::string_view name);
[[nodiscard]] std::string_view nameOf(RootMotion mode);  ///< the inverse of rootMotionNamed()

/// The joint that root motion is taken from, and the joint that gets it.
struct RootJoints {
    std::optional<std::uint32_t> root{};    ///< unset: the first joint whose translation changes
    std::optional<std::uint32_t> ground{};  ///< an ancestor on the ground, for the extracted displacement
};

/// Removes or moves the displacement of the root. In-place and extract keep the root above the origin. Other joints
/// that move with the root in model space, such as weapons and targets of inverse kinematics, lose the same
/// displacement. An extracted displacement moves to RootJoints::ground, or to Clip::travel if there is no such joint.
void applyRootMotion(const Skeleton& skeleton, Clip& clip, RootMotion mode, const RootJoints& joints = {});

}  // namespace reanima::core
