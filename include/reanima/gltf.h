/// Writes the common model as glTF, and reads skeletons from glTF. Target reanima::gltf.
#pragma once

#include "gltf_export/gltf_file.h"
#include "gltf_export/gltf_motion.h"
#include "gltf_export/gltf_patch.h"
#include "gltf_export/gltf_skeleton.h"
