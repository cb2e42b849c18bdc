/// Changes to an asset that a user may ask for before it is written.
#pragma once

#include <span>
#include <vector>

#include "asset.h"
#include "pose.h"

namespace reanima::core {

/// Makes `pose` the rest pose. Clips stay as they are: a channel that a track lacks gets the joint's old rest value.
/// Joints without a track follow the new pose.
void setRest(Asset& asset, const Pose& pose);

/// Makes the clip's pose at `seconds` the rest pose. Joints of the skeleton that the clip does not move keep theirs.
void setRest(Asset& asset, const Clip& clip, double seconds);

/// Repeats the first key of every animated channel at frames / rate, so that a looping player shows the step from the
/// last frame to the first. Channels that end before the last frame hold their value up to it. The clip's duration
/// grows by a frame.
void addLoopKey(Clip& clip);

/// Ensures a key at the clip's duration; otherwise a clip without keys in its last frames would become shorter. Adds
/// keys that hold the last value to one timeline, which is enough.
void holdToTheEnd(Clip& clip);

/// Sets the interpolation of every channel.
void setInterpolation(Clip& clip, Interpolation interpolation);

/// Gives every joint that has no child and whose bone has an end a child joint `<joint>_end` there.
void addEndJoints(Skeleton& skeleton);

/// Which properties of each joint any clip animates. A host that plays one clip after another keeps values that the
/// second clip does not set, so builders give such a property a key in every clip.
struct AnimatedProperties {
    bool translation = false;
    bool rotation = false;
    bool scale = false;
};
/// @param joints number of joints of the clips' skeleton
[[nodiscard]] std::vector<AnimatedProperties> animatedProperties(std::span<const Clip> clips, std::size_t joints);

}  // namespace reanima::core
