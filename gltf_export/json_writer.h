/// Writes JSON, by RapidJSON.
#pragma once

#include <string_view>

#include "json_library.h"

namespace reanima::gltf {

using JsonBuffer = rapidjson::GenericStringBuffer<rapidjson::UTF8<>, ThrowingAllocator>;

/// Numbers are written so that readers get exactly the same numbers. Text must be UTF-8.
using JsonWriter = rapidjson::Writer<JsonBuffer, rapidjson::UTF8<>, rapidjson::UTF8<>, ThrowingAllocator>;

/// A text, or the name of a member.
inline void writeText(JsonWriter& json, std::string_view text) {
    json.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

/// A value that is JSON already.
inline void writeRaw(JsonWriter& json, std::string_view value) {
    json.RawValue(value.data(), value.size(), rapidjson::kObjectType);
}

}  // namespace reanima::gltf
