/// The common model: what every format is converted to and every host is built from.
///
/// Units and axes: seconds, metres, right-handed, +Y up, front +Z; quaternions on column vectors; local space.
#pragma once

#include <string>
#include <vector>

#include "clip.h"
#include "image_sequence.h"
#include "skeleton.h"

namespace reanima::core {

struct Asset {
    std::vector<Skeleton> skeletons;
    std::vector<Clip> clips;
    std::vector<ImageSequence> images{};  ///< an asset of pictures has no skeleton
    std::string model{};                  ///< of a file that may hold several models, the id of this one
    std::vector<std::string> models{};    ///< ids of all models that the file holds, if they are several
    bool holdsSkeleton = false;  ///< the skeleton lies in the animations' own file, which is of use without any
};

}  // namespace reanima::core
