/// How much a file may ask for.
#pragma once

#include <cstdint>

#include "decode_error.h"

namespace reanima::core {

/// Bounds that are compared with the decoded size BEFORE memory is reserved. If a format can't expand much (an FF7 pack
/// decodes to less than 64 times its size), the remaining bytes also limit the size.
struct Limits {
    /// How many pictures of the largest size a sequence may have; smaller ones accordingly more.
    static constexpr std::uint64_t kLargestPictures = 64;

    std::uint64_t samples = 64ULL << 20U;        ///< decoded values (channel x key) a file
    std::uint64_t memory = 1024ULL << 20U;       ///< bytes that one conversion may hold
    std::uint64_t held = 0;                      ///< of these, what the caller holds already
    std::uint64_t picturePixels = 16ULL << 20U;  ///< pixels of one picture
    /// Pixels of all pictures of a sequence; they are not held at once.
    std::uint64_t videoPixels = kLargestPictures * picturePixels;
    std::uint64_t fileSize = 1024ULL << 20U;  ///< bytes of one input file

    /// The limits for work done while so many more bytes are held.
    [[nodiscard]] Limits holding(std::uint64_t bytes) const {
        Limits rest = *this;
        rest.held += bytes;
        return rest;
    }

    /// The same number for values and for the pixels of a picture.
    void setSamples(std::uint64_t most) {
        samples = picturePixels = most;
        videoPixels = kLargestPictures * most;
    }
};

/// What is left of Limits::samples and Limits::memory while one file is decoded.
class SampleBudget {
  public:
    explicit SampleBudget(const Limits& limits) : limits_(limits) {}

    /// To be called before memory is reserved for the samples.
    /// @throws DecodeError of the kind `limit` that names `place` if fewer are left, or they take too much memory
    void take(std::uint64_t samples, const Place& place);
    /// Counts bytes that stay held while others are decoded.
    /// @throws DecodeError of the kind `limit` that names `place`
    void keep(std::uint64_t bytes, const Place& place);

  private:
    Limits limits_;
};

/// To be called before `bytes` of memory are reserved.
/// @throws DecodeError of the kind `limit` that names `place` if they and Limits::held are more than Limits::memory
void requireMemory(std::uint64_t bytes, const Limits& limits, const Place& place);

/// The memory of so many keys of clips, in clip and host: a rotation takes 32 bytes while it is read, 16 in the clip
/// and in each output, plus its time.
[[nodiscard]] std::uint64_t memoryOfKeys(std::uint64_t keys);

}  // namespace reanima::core
