/// Hands that hold something close their fingers around it.
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
    keep,       ///< fingers stay as they rest
};

/// In the order of the enumeration.
inline constexpr std::array<std::string_view, 2> kGripNames = {"auto", "keep"};

/// A finger of a rig that is closed at all times.
struct ClosedFinger {
    std::uint32_t joint = 0;
    glm::quat rotation{1, 0, 0, 0};  ///< local, in place of the rest pose
};

/// The fingers of one side closed to a fist: each bent towards the palm, less by what it is bent already. Empty if the
/// rig has no fingers there or its palm direction is unknown.
/// @param rig at rest
[[nodiscard]] std::vector<ClosedFinger> closedFingers(const core::Skeleton& rig, const Anatomy& roles, Side side);

/// Holds the fingers closed from the beginning to the end of a clip. Fingers that move stay as they are.
void closeFingers(const std::vector<ClosedFinger>& fingers, core::Clip& clip);

}  // namespace reanima::roles
