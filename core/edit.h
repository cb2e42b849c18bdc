/// Changes to an asset that a user can request before it is written.
#pragma once

#include <span>
#include <vector>

#include "asset.h"
#include "pose.h"

namespace reanima::core {

/// Makes `pose` the rest pose. Joints with a track move as before: missing channels get the joint's old rest value.
/// Joints without a track follow the new pose.
void setRest(Asset& asset, const Pose& pose);

/// Makes the clip's pose at `seconds` the rest pose. Joints that the clip does not move keep their rest transform.
void setRest(Asset& asset, const Clip& clip, double seconds);

/// Repeats the first key of every animated channel at frames / rate, so that a looping player shows the step from the
/// last frame to the first. Channels that end before the last frame keep their last value. This adds a frame.
void addLoopKey(Clip& clip);

/// Ensures a key at the clip's duration. Without keys in its last frames, a written clip would be shorter. Extends only
/// one timeline, with its last values.
void holdToTheEnd(Clip& clip);

/// Sets the interpolation of every channel.
void setInterpolation(Clip& clip, Interpolation interpolation);

/// Adds a child joint `<joint>_end` at the end of every joint's bone, if the joint has no child and the end is known.
void addEndJoints(Skeleton& skeleton);

/// For one joint: the properties that at least one clip animates. A host that plays one clip after another keeps values
/// that the second clip does not set. Builders therefore write a key for such a property in every clip.
struct AnimatedProperties {
    bool translation = false;
    bool rotation = false;
    bool scale = false;
};
/// @param joints number of joints of the clips' skeleton
[[nodiscard]] std::vector<AnimatedProperties> animatedProperties(std::span<const Clip> clips, std::size_t joints);

}  // namespace reanima::core
