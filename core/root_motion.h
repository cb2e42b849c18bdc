/// What becomes of the way that a clip's root covers.
#pragma once

#include <optional>
#include <string_view>

#include "clip.h"
#include "skeleton.h"

namespace reanima::core {

enum class RootMotion {
    keep,
    inPlace,  ///< the way over the ground is taken out: the root stays where it is in the first frame, but for its
              ///< height
    drop,     ///< the root stays where it rests
    extract,  ///< as inPlace, and the way goes to Clip::travel
};

/// `keep`, `in-place`, `drop` or `extract`.
[[nodiscard]] std::optional<RootMotion> rootMotionNamed(std::string_view name);

/// The root is the first joint whose translation changes. Joints that are not below it but move in model space, such as
/// weapons, lose the same way.
void applyRootMotion(const Skeleton& skeleton, Clip& clip, RootMotion mode);

}  // namespace reanima::core
