/// The memory that the JSON of a file needs.
#pragma once

#include "core/bytes.h"
#include "core/limits.h"

namespace reanima {

/// Call this before a file that consists mainly of numbers is converted to JSON.
/// @throws core::DecodeError of the kind `limit`
inline void requireRoomForJson(core::Bytes file, const core::Limits& limits) {
    constexpr std::uint64_t kPerByte = 60;  // measured upper bound, for nlohmann's JSON and its text together
    core::requireMemory(file.size() * kPerByte, limits, {});
}

}  // namespace reanima
