/// The rules that an Asset obeys; builders rely on them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "asset.h"

namespace reanima::core {

/// Every rule that `asset` breaks, one sentence each; empty if the asset is valid. Names must not be empty. They must
/// be unique, except names of materials.
///
/// * Joints: parents before children; finite rest with unit rotations.
/// * Clips: timelines not empty, finite, from 0 or later, strictly ascending; tracks of existing joints in ascending
///   order; as many values as times, or one, or none; finite values; unit rotations within 1e-6 whose neighbours have a
///   dot product of 0 or more.
/// * Images: as many texels as the size requires.
/// * Materials: images that exist; an alpha cutoff between 0 and 1.
/// * Meshes: names other than the skeleton's; existing materials, joints and vertices; attributes for all vertices or
///   none, finite, with normals of unit length and colours between 0 and 1; texture coordinates for an image.
/// * Videos: a name, a size, a number of pictures, a rate, and a way to open them.
[[nodiscard]] std::vector<std::string> validate(const Asset& asset);
/// Every rule that the clips of a skeleton break, as above.
[[nodiscard]] std::vector<std::string> validate(const Skeleton& skeleton, std::span<const Clip> clips);

}  // namespace reanima::core
