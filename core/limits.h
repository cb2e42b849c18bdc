/// Limits of memory and size for one file.
#pragma once

#include <cstdint>

#include "decode_error.h"

namespace reanima::core {

/// Bounds that are compared with the decoded size BEFORE memory is reserved. Formats that can't expand much are also
/// limited by the remaining bytes: an FF7 pack decodes to less than 64 times its size.
struct Limits {
    /// A sequence may contain this many pictures of the largest size, or more if they are smaller.
    static constexpr std::uint64_t kLargestPictures = 64;

    std::uint64_t samples = 64ULL << 20U;        ///< decoded values (channel x key) per file
    std::uint64_t memory = 1024ULL << 20U;       ///< bytes of memory for one conversion
    std::uint64_t held = 0;                      ///< bytes of that memory that the caller already uses
    std::uint64_t picturePixels = 16ULL << 20U;  ///< pixels of one picture
    /// Pixels of all pictures of a sequence. They are never in memory at the same time.
    std::uint64_t videoPixels = kLargestPictures * picturePixels;
    std::uint64_t fileSize = 1024ULL << 20U;  ///< bytes of one input file

    /// The limits that apply while this many more bytes are in use.
    [[nodiscard]] Limits holding(std::uint64_t bytes) const {
        Limits rest = *this;
        rest.held += bytes;
        return rest;
    }

    /// Sets the same limit for the values of a file and the pixels of a picture.
    void setSamples(std::uint64_t most) {
        samples = picturePixels = most;
        videoPixels = kLargestPictures * most;
    }
};

/// What is left of Limits::samples and Limits::memory while one file is decoded.
class SampleBudget {
  public:
    explicit SampleBudget(const Limits& limits) : limits_(limits) {}

    /// Call this before memory is reserved for the samples.
    /// @throws DecodeError of the kind `limit` that names `place` if fewer are left, or they need too much memory
    void take(std::uint64_t samples, const Place& place);
    /// Counts bytes that stay in use while the rest is decoded.
    /// @throws DecodeError of the kind `limit` that names `place`
    void keep(std::uint64_t bytes, const Place& place);

  private:
    Limits limits_;
};

/// Call this before `bytes` of memory are reserved.
/// @throws DecodeError of the kind `limit` that names `place` if they and Limits::held exceed Limits::memory
void requireMemory(std::uint64_t bytes, const Limits& limits, const Place& place);

/// The memory for this many keys, in the clip and in the host. A rotation needs 32 bytes while it is read, and 16 bytes
/// in the clip and in each output, plus its time.
[[nodiscard]] std::uint64_t memoryOfKeys(std::uint64_t keys);

}  // namespace reanima::core
