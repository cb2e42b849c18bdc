/// RapidJSON's writer, under a name of its own: a program that links this library may use another RapidJSON.
#pragma once

#include <string_view>

#ifdef RAPIDJSON_RAPIDJSON_H_
#error "gltf_export/json_writer.h has to come before RapidJSON's own headers, or instead of them"
#endif
#define RAPIDJSON_NAMESPACE reanima_rapidjson
#include <rapidjson/prettywriter.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace reanima::gltf {

namespace rapidjson = ::reanima_rapidjson;

/// Numbers are written so that they are read as the same number. Text has to be UTF-8.
using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

/// A text, or the name of a member.
inline void writeText(JsonWriter& json, std::string_view text) {
    json.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

/// A value that is JSON already.
inline void writeRaw(JsonWriter& json, std::string_view value) {
    json.RawValue(value.data(), value.size(), rapidjson::kObjectType);
}

}  // namespace reanima::gltf
