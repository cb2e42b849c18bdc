/// Finds further bodies in a rig's file, beside the body that is bound.
#pragma once

#include <string>
#include <vector>

#include "core/skeleton.h"
#include "roles.h"

namespace reanima::roles {

/// A tree of joints that have no roles. It is as large as a body, and beside the body with roles.
struct FurtherBody {
    std::string top;  ///< name of its topmost joint
    std::size_t joints = 0;
};

/// Control joints in the same place as the body are not counted.
[[nodiscard]] std::vector<FurtherBody> furtherBodies(const core::Skeleton& rig, const Anatomy& anatomy);

}  // namespace reanima::roles
