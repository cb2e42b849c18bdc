/// RapidJSON in a separate namespace, since programs that link this library may use another version of it.
#pragma once

#include <cstdlib>
#include <new>

#ifdef RAPIDJSON_RAPIDJSON_H_
#error "gltf_export/json_library.h has to come before RapidJSON's own headers, or instead of them"
#endif
#define RAPIDJSON_NAMESPACE reanima_rapidjson
#include <rapidjson/document.h>
#include <rapidjson/encodedstream.h>
#include <rapidjson/memorystream.h>
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

}  // namespace reanima::gltf
