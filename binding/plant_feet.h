/// Keeps feet in their places while they stand.
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
    const Ground* ground = nullptr;  ///< gives the height of feet with meshes; without it, feet keep their rest height
};

/// Plants the feet of a bound clip while those of the source stand. The changed channels have a key for every frame.
/// - Over the ground they move no farther than the source's feet; the first centimetre of that movement is ignored.
/// - Their height is that of the rest pose plus the source's height above its own. If both bodies have meshes, the mesh
/// of the foot is as high as the source's.
/// - Legs are bent with two-bone IK, with the knee in its plane; feet keep their rotation.
/// - Four frames before and after blend in and out, more if a leg joint would otherwise become more than half as fast
/// again. Knees that are nearly straight then point in their average direction.
/// - If a leg is too short, the whole character is lowered, by at most a fiftieth of the leg.
/// - Where the figure would be farther from its floor than anywhere in the clip as it came, up or down, feet move less
/// (not with a window).
///
/// A foot stands while its toes, or its ankle where one of the skeletons has no toes, are low and slow (soles.h). It
/// stands until it exceeds these limits by a third. It never stands if the hips are hardly above it, or if it would
/// have to be moved up or down by more than 15 % of a leg.
/// @param bound.skeleton that of `bodies.targetRoles`, with joints that were added
/// @param clips on the source, as many as `bound` has
/// @param window seconds: a foot's target is its weighted average position over this time before and after, moved as
/// the source's foot moves. That removes sliding back and forth and hardly rotates limbs: by 0.03 to 0.24 degrees on
/// average, where a fixed target takes 1 to 4 (three captures on bodies of other proportions). In loops both ends are
/// moved alike, and hovering feet count as standing. Unset: one fixed target for as long as the foot stands, at its
/// rest height
/// @throws core::DecodeError of the kind `limit` for clips whose poses exceed the memory limit
/// @return the number of legs that can be bent: those whose hip, knee and ankle form a chain
std::size_t plantFeet(const BoundBodies& bodies, const std::vector<core::Clip>& clips, motion::BoundMotion& bound,
                      const core::Limits& limits = {}, std::optional<double> window = {});

}  // namespace reanima::binding
