/// Keeps feet in their places while they stand.
#pragma once

#include <optional>
#include <vector>

#include "binding/ground.h"
#include "binding/motion/bind.h"
#include "binding/roles/roles.h"

namespace reanima::binding {

/// Two skeletons whose clips were bound, and what their joints are for.
struct BoundBodies {
    const core::Skeleton& source;
    const roles::Anatomy& sourceRoles;
    const roles::Anatomy& targetRoles;
    const motion::Binding& binding;
    const Ground* ground = nullptr;  ///< tells how high feet with meshes are; null, and where it does not: as they rest
};

/// Moves the feet of a bound clip while those of the source stand: no farther over the ground than the source's do, but
/// for the first centimetre that they move, which they stay; and as high as they rest, and above it as the source's
/// are; of two bodies with meshes, with the mesh of the foot as high as that of the source's. Legs are bent for it by
/// two bones, with the knee in the plane that it was in; feet keep their turn. Before and after, four frames lead there
/// and back, more where a joint of the leg would get half as fast again as it was; knees that are nearly straight then
/// point to where they do on the whole. Where a leg is too short, the whole figure is lowered, by at most a fiftieth of
/// the leg. The changed channels have a key for every frame.
///
/// A foot stands while its toes, or its ankle where one of the skeletons has no toes, are low and slow (soles.h); what
/// stands does so until it is higher or faster than that by a third. It does not where the hips are hardly above it,
/// nor where it would have to be moved up or down by more than 15 % of a leg.
/// @param bound.skeleton that of `bodies.targetRoles`, with joints that were added
/// @param clips on the source, as many as `bound` has
/// @param window seconds: a foot's place is where it comes on average so long before and after, nearer frames counting
/// more, and moves as the source's foot does. That takes out what slides back and forth, and hardly turns limbs: by
/// 0.03 to 0.24 degrees on average, where one place turns them by 1 to 4 (three captures on bodies of other
/// proportions). Where the last frame leads to the first, both ends are moved alike; and what hovers counts, too.
/// Unset: one place as long as it stands, at the height at which it rests
/// @throws core::DecodeError of the kind `limit` for clips whose poses memory does not hold
/// @return how many legs can be bent so: those whose hip, knee and ankle are one chain
std::size_t plantFeet(const BoundBodies& bodies, const std::vector<core::Clip>& clips, motion::BoundMotion& bound,
                      const core::Limits& limits = {}, std::optional<double> window = {});

}  // namespace reanima::binding
