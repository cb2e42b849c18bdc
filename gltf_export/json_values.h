/// The values of a JSON text, by RapidJSON.
#pragma once

#include <optional>
#include <string_view>

#include "json/json.h"
#include "json_library.h"

namespace reanima::gltf {

using JsonPool = rapidjson::MemoryPoolAllocator<ThrowingAllocator>;
using JsonDocument = rapidjson::GenericDocument<rapidjson::UTF8<>, JsonPool, ThrowingAllocator>;
using JsonValue = JsonDocument::ValueType;

/// Parses JSON in UTF-8. Members of large objects are found quickly, whatever their names.
/// @param text nested to a depth that the stack can bear
/// @return nothing if it is not JSON
[[nodiscard]] std::optional<JsonDocument> parsedJson(std::string_view text);

}  // namespace reanima::gltf

namespace reanima {

extern template class BasicJsonReader<gltf::JsonValue>;

}  // namespace reanima
