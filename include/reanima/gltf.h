/// From the common model to the bytes of glTF files, and skeletons out of them. Target reanima::gltf.
#pragma once

#include "gltf_export/gltf_file.h"
#include "gltf_export/gltf_motion.h"
#include "gltf_export/gltf_patch.h"
#include "gltf_export/gltf_skeleton.h"
