/// Field files as JSON, and back.
#pragma once

#include "field_animation.h"
#include "field_resource.h"
#include "field_skeleton.h"
#include "json/json.h"

namespace reanima::ff7 {

[[nodiscard]] Json toJson(const FieldSkeleton& skeleton, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the member
[[nodiscard]] FieldSkeleton fieldSkeletonFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

[[nodiscard]] Json toJson(const FieldAnimation& animation, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the member
[[nodiscard]] FieldAnimation fieldAnimationFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

[[nodiscard]] Json toJson(const FieldResource& resource, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the member
[[nodiscard]] FieldResource fieldResourceFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

}  // namespace reanima::ff7
