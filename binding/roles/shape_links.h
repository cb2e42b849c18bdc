/// Guesses matching joints of two skeletons: by names if possible, else by the shape of the trees and proportions.
#pragma once

#include <string>
#include <vector>

#include "binding/motion/bind.h"

namespace reanima::roles {

using namespace core;
using namespace motion;

struct ShapeLink {
    JointLink link;
    double confidence = 0;  ///< 0 to 1
    std::string reason;
};

/// Both skeletons must be at rest, +Y up, facing +Z; poses and proportions may differ. At most one link per target
/// joint, in the order of the target's joints.
[[nodiscard]] std::vector<ShapeLink> linksByShape(const Skeleton& source, const Skeleton& target);

}  // namespace reanima::roles
