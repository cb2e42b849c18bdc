/// How much memory Assimp takes for a file.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/bytes.h"

namespace reanima {

/// The most memory that Assimp takes to read a file, by what it has been seen to take for every kind.
[[nodiscard]] std::uint64_t memoryOfScene(core::Bytes bytes, std::string_view name);

}  // namespace reanima
