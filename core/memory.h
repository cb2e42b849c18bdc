/// How much memory the parts of the common model hold, to be compared with Limits::memory.
#pragma once

#include <cstdint>

#include "asset.h"

namespace reanima::core {

/// What the heap takes for one block of so many bytes: with its header, in steps of 16, and at least 32.
[[nodiscard]] constexpr std::uint64_t heapBytes(std::uint64_t bytes) {
    constexpr std::uint64_t kHeader = 8;
    constexpr std::uint64_t kStep = 16;
    constexpr std::uint64_t kLeast = 32;
    const std::uint64_t rounded = (bytes + kHeader + kStep - 1) / kStep * kStep;
    return bytes == 0 ? 0 : rounded < kLeast ? kLeast : rounded;
}

/// The bytes that these hold on the heap, and their own.
[[nodiscard]] std::uint64_t memoryOf(const Clip& clip);
[[nodiscard]] std::uint64_t memoryOf(const Asset& asset);

}  // namespace reanima::core
