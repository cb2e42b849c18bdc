/// What else stands in a rig's file beside the body that is bound.
#pragma once

#include <string>
#include <vector>

#include "core/skeleton.h"
#include "roles.h"

namespace reanima::roles {

/// A tree of joints without roles that is as large as a body, next to the one that has them.
struct FurtherBody {
    std::string top;  ///< name of its topmost joint
    std::size_t joints = 0;
};

/// Control joints of the same body, which stand where it stands, are none.
[[nodiscard]] std::vector<FurtherBody> furtherBodies(const core::Skeleton& rig, const Anatomy& anatomy);

}  // namespace reanima::roles
