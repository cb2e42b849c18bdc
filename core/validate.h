/// The rules that an Asset obeys; builders rely on them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "asset.h"

namespace reanima::core {

/// Every rule that `asset` breaks, one sentence each; none if it is valid.
///
/// Joints: unique names that are not empty, parents before children, finite rest with unit rotations.
/// Clips: unique names that are not empty; timelines not empty, finite, from 0 or later, strictly ascending; tracks of
/// existing joints in ascending order; as many values as times, or one, or none; finite values; unit rotations within
/// 1e-6 whose neighbours have a dot product that is not negative.
/// Images: unique names that are not empty, and as many texels as their sizes say.
/// Materials: names that are not empty, images that exist, an alpha cutoff between 0 and 1.
/// Meshes: unique names that are not empty nor the skeleton's; primitives whose materials and joints exist, with
/// triangles of vertices that exist; attributes for all vertices or none, finite, normals of unit length, colours
/// between 0 and 1; texture coordinates where the material has an image.
/// Pictures: a name, a size, a number, a rate, and a way to open them.
[[nodiscard]] std::vector<std::string> validate(const Asset& asset);
/// The same for clips that are all on one skeleton.
[[nodiscard]] std::vector<std::string> validate(const Skeleton& skeleton, std::span<const Clip> clips);

}  // namespace reanima::core
