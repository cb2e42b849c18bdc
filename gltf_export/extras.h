/// Values of the common model as glTF extras.
#pragma once

#include <string>

#include "core/properties.h"

namespace reanima::gltf {

/// The properties as a JSON object. Whole numbers beyond 32 bits are written with a fraction (`4294967295.0`), since a
/// larger whole number makes Blender's importer turn all extras into one text. Numbers that are not finite become null.
[[nodiscard]] std::string jsonOf(const core::Properties& properties);

}  // namespace reanima::gltf
