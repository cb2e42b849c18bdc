/// Guesses which joint of one skeleton is which of another: by names where they tell, by the shape of the trees and the
/// proportions where they don't.
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

/// Both skeletons stand at rest, +Y up, looking to +Z; poses and proportions may differ. One link per target joint at
/// most, in the order of the target's joints.
[[nodiscard]] std::vector<ShapeLink> linksByShape(const Skeleton& source, const Skeleton& target);

}  // namespace reanima::roles
