/// What becomes of the way that a clip's root covers.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "clip.h"
#include "skeleton.h"

namespace reanima::core {

/// In the order of the enumeration.
inline constexpr std::array<std::string_view, 4> kRootMotionNames = {"keep", "in-place", "drop", "extract"};

/// `keep`, `in-place`, `drop` or `extract`.
[[nodiscard]] std::optional<RootMotion> rootMotionNamed(std::string_view name);
[[nodiscard]] std::string_view nameOf(RootMotion mode);

/// The root is the first joint whose translation changes. Joints that are not below it but move in model space, such as
/// weapons, lose the same way.
void applyRootMotion(const Skeleton& skeleton, Clip& clip, RootMotion mode);

}  // namespace reanima::core
