/// From the common model to the bytes of glTF files. Target reanima::gltf.
#pragma once

#include "gltf_export/gltf_file.h"
