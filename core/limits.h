/// How much a file may ask for.
#pragma once

#include <cstdint>

namespace reanima::core {

/// Bounds that are compared with the decoded size BEFORE memory is reserved. Where a format can't expand much (an FF7
/// pack decodes to less than 64 times its size) the bytes that are left bound the size as well.
struct Limits {
    std::uint64_t samples = 64ULL << 20U;        ///< decoded values (channel x key) a file
    std::uint64_t memory = 1024ULL << 20U;       ///< bytes that one conversion may hold
    std::uint64_t picturePixels = 16ULL << 20U;  ///< pixels of one picture
    std::uint64_t filmPixels = 1024ULL << 20U;   ///< pixels of all pictures of a sequence; they are not held at once
    std::uint64_t fileSize = 1024ULL << 20U;     ///< bytes of one input file
};

}  // namespace reanima::core
