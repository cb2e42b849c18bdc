/// Keeps feet in place while they stand.
#pragma once

#include <optional>
#include <vector>

#include "binding/ground.h"
#include "binding/motion/bind.h"
#include "binding/roles/roles.h"

namespace reanima::binding {

/// Two skeletons whose clips were bound, and the roles of their joints.
struct BoundBodies {
    const core::Skeleton& source;
    const roles::Anatomy& sourceRoles;
    const roles::Anatomy& targetRoles;
    const motion::Binding& binding;
    const Ground* ground = nullptr;  ///< sets the height of feet with meshes; without it, feet keep their rest height
};

/// Plants the feet of a bound clip while those of the source stand. The changed channels have a key for every frame.
/// - Horizontally, feet move no farther than the source's feet; the first centimetre of that movement is ignored.
/// - They are as high as at rest, plus the height of the source's foot above its lowest position. If both bodies have
/// meshes, the lowest point of the foot's mesh is as high as the source's.
/// - Two-bone IK bends the legs and keeps the knee in its plane; feet keep their rotation.
/// - The correction blends in and out over four frames, and over more if a leg joint would otherwise become more than
/// 1.5 times as fast. Nearly straight knees then point in their average direction.
/// - If a leg is too short, the whole character is lowered, by at most a fiftieth of the leg.
/// - Feet are corrected less where the figure would be farther above or below its floor than anywhere in the original
/// clip (not with a window).
///
/// A foot stands while its toes (its ankle if one of the skeletons has no toes) are low and slow (soles.h). It stands
/// until it exceeds these limits by a third. It never stands if the hips are hardly above it, or if it would have to be
/// moved up or down by more than 15 % of a leg.
/// @param bound.skeleton the skeleton of `bodies.targetRoles`, with added joints
/// @param clips the same clips on the source
/// @param window seconds: a foot's target is its weighted average position within this time of a frame, moved as the
/// source's foot moves. This removes sliding back and forth. It rotates limbs by 0.03 to 0.24 degrees on average; a
/// fixed target rotates them by 1 to 4 (three captures on bodies of other proportions). Both ends of a loop get the
/// same offset, and hovering feet count as standing. Unset: a fixed target while the foot stands, at its rest height
/// @throws core::DecodeError of the kind `limit` for clips whose poses exceed the memory limit
/// @return the number of legs that can be bent: those whose hip, knee and ankle form a chain
std::size_t plantFeet(const BoundBodies& bodies, const std::vector<core::Clip>& clips, motion::BoundMotion& bound,
                      const core::Limits& limits = {}, std::optional<double> window = {});

}  // namespace reanima::binding
