/// RapidJSON's writer in a separate namespace, since a program that links this library may use another RapidJSON.
#pragma once

#include <cstdlib>
#include <new>
#include <string_view>

#ifdef RAPIDJSON_RAPIDJSON_H_
#error "gltf_export/json_writer.h has to come before RapidJSON's own headers, or instead of them"
#endif
#define RAPIDJSON_NAMESPACE reanima_rapidjson
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace reanima::gltf {

namespace rapidjson = ::reanima_rapidjson;

/// Throws std::bad_alloc if memory runs out. RapidJSON does not check its allocator's result for null.
class ThrowingAllocator {
  public:
    static constexpr bool kNeedFree = true;

    void* Malloc(std::size_t size) { return Realloc(nullptr, 0, size); }
    void* Realloc(void* old, std::size_t, std::size_t size) {
        if (size == 0) {
            Free(old);
            return nullptr;
        }
        void* made = std::realloc(old, size);
        if (made == nullptr)
            throw std::bad_alloc();
        return made;
    }
    static void Free(void* memory) { std::free(memory); }
};

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
