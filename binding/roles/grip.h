/// Closes the fingers of hands that hold something.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "../../core/clip.h"
#include "../../core/skeleton.h"
#include "roles.h"

namespace reanima::roles {

/// Whether hands close around what they hold.
enum class Grip {
    automatic,  ///< if the rig has fingers and the source's hand has none
    keep,       ///< fingers keep their rest pose
};

/// In the order of the enumeration.
inline constexpr std::array<std::string_view, 2> kGripNames = {"auto", "keep"};

/// A finger of a rig that is closed at all times.
struct ClosedFinger {
    std::uint32_t joint = 0;
    glm::quat rotation{1, 0, 0, 0};  ///< local, in place of the rest pose
};

/// The fingers of one side, closed to a fist. Each is bent towards the palm, less if it is already bent at rest. Empty
/// if the rig has no fingers there or the direction of its palm is unknown.
/// @param rig at rest
[[nodiscard]] std::vector<ClosedFinger> closedFingers(const core::Skeleton& rig, const Anatomy& roles, Side side);

/// Keeps the fingers closed during a whole clip. Fingers with a rotation in the clip stay unchanged.
void closeFingers(const std::vector<ClosedFinger>& fingers, core::Clip& clip);

}  // namespace reanima::roles
