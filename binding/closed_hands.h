/// Finds the hands of a rig that close their fingers because the source's hand holds something.
#pragma once

#include <vector>

#include "../core/diagnostics.h"
#include "motion/bind.h"
#include "roles/grip.h"
#include "roles/roles.h"

namespace reanima::binding {

/// A skeleton and the roles of its joints.
struct KnownSkeleton {
    const core::Skeleton& skeleton;
    const roles::Anatomy& roles;
};

/// The fingers of each rig hand whose source hand has no fingers, but carries an attachment or a weapon.
[[nodiscard]] std::vector<roles::ClosedFinger> closedHands(const KnownSkeleton& source, const KnownSkeleton& target,
                                                           const motion::Binding& binding,
                                                           core::Diagnostics& diagnostics);

}  // namespace reanima::binding
