/// The common model. Every format is converted to it, and every output is built from it.
///
/// Units and axes: seconds, metres, right-handed, +Y up, front +Z; quaternions on column vectors; local space.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "called.h"
#include "clip.h"
#include "image_sequence.h"
#include "mesh.h"
#include "skeleton.h"

namespace reanima::core {

struct Asset {
    std::optional<Skeleton> skeleton;
    std::vector<Clip> clips;
    std::vector<Mesh> meshes{};            ///< animated by the skeleton, or static if there is none
    std::vector<Material> materials{};     ///< materials of the meshes
    std::vector<Image> images{};           ///< images of the materials
    Properties character{};                ///< values from the files that apply to all meshes
    std::optional<ImageSequence> video{};  ///< pictures over time, instead of a skeleton
    std::string model{};                   ///< id of this model in a file that may contain several
    std::vector<std::string> models{};     ///< ids of all models in the file, if there are several
    Called called{};                       ///< who the character is, if known
    bool holdsSkeleton = false;            ///< the file has a skeleton and is useful without animations
};

}  // namespace reanima::core
