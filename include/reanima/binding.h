/// Transfers clips from one skeleton to another: matches joints and compensates for different rest poses. Target
/// reanima::binding. Programs that load a file and bind it call loadFile() of <reanima/pipeline.h>.
#pragma once

#include "binding/bind_plan.h"
#include "binding/motion/bind.h"
#include "binding/roles/joint_map.h"
#include "binding/roles/proposed_links.h"
#include "core/rig.h"
