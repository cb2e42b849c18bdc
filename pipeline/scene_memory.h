/// The memory that Assimp needs for a file.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/bytes.h"

namespace reanima {

/// An upper bound for the memory that Assimp needs to read a file, measured for every kind of file.
[[nodiscard]] std::uint64_t memoryOfScene(core::Bytes bytes, std::string_view name);

}  // namespace reanima
