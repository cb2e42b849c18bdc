/// Joints that were renamed, in scenes whose nodes state which joints of the original they are.
#pragma once

#include "diagnostics.h"
#include "scene_motion.h"
#include "skeleton.h"

namespace reanima::core {

/// Gives nodes the names of the joints that they state (SceneNode::statedJoint), if the scene lacks these names. Such
/// nodes were renamed, for example by `convert --names`. Changes nothing unless all joints are found this way, with the
/// parents and the proportions of the skeleton. Otherwise the scene belongs to another skeleton.
void restoreJointNames(Scene& scene, const Skeleton& skeleton, Diagnostics& diagnostics);

}  // namespace reanima::core
