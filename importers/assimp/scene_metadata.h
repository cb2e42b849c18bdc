/// Values of the common model as Assimp metadata.
#pragma once

#include <string>

#include <assimp/scene.h>  // metadata.h does not stand alone

#include "../../core/properties.h"

namespace reanima {

/// Adds a value under a name; members and elements of lists get names of their own, `name.member`, `name.0`, since
/// Assimp's metadata knows no lists. Nulls are left out. Whole numbers are int32; those below `counters` and `events`,
/// which are words as files store them, are uint64 whatever their value.
void addMetadata(aiMetadata& metadata, const std::string& name, const core::Value& value);

}  // namespace reanima
