/// Which hands of a rig close their fingers, because those of the source hold something.
#pragma once

#include <vector>

#include "../core/diagnostics.h"
#include "motion/bind.h"
#include "roles/grip.h"
#include "roles/roles.h"

namespace reanima::binding {

/// A skeleton, and what its joints are for.
struct KnownSkeleton {
    const core::Skeleton& skeleton;
    const roles::Anatomy& roles;
};

/// The fingers of hands that follow one with an attachment, or with a weapon below it, and without fingers of its own.
[[nodiscard]] std::vector<roles::ClosedFinger> closedHands(const KnownSkeleton& source, const KnownSkeleton& target,
                                                           const motion::Binding& binding,
                                                           core::Diagnostics& diagnostics);

}  // namespace reanima::binding
