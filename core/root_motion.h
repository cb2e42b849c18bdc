/// What to do with the displacement of a clip's root.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "clip.h"
#include "skeleton.h"

namespace reanima::core {

/// In the order of the enumeration.
inline constexpr std::array<std::string_view, 4> kRootMotionNames = {"keep", "in-place", "drop", "extract"};

/// `keep`, `in-place`, `drop` or `extract`.
[[nodiscard]] std::optional<RootMotion> rootMotionNamed(std::string_view name);
[[nodiscard]] std::string_view nameOf(RootMotion mode);  ///< the word that rootMotionNamed() reads

/// Which joints take a clip's root motion.
struct RootJoints {
    std::optional<std::uint32_t> root{};    ///< unset: the first joint whose translation changes
    std::optional<std::uint32_t> ground{};  ///< an ancestor on the ground, which takes the extracted displacement
};

/// In-place and extract keep the root above the origin. Joints that are not below it but move with it in model space,
/// such as weapons and targets of inverse kinematics, lose the same displacement. Extracted displacement goes to the
/// joint on the ground, if there is one without keys, else to Clip::travel.
void applyRootMotion(const Skeleton& skeleton, Clip& clip, RootMotion mode, const RootJoints& joints = {});

}  // namespace reanima::core
