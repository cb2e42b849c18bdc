#include "core/limits.h"

#include <limits>

#include <fmt/format.h>

namespace reanima::core {

void SampleBudget::take(std::uint64_t samples, const Place& place) {
    if (samples > left_)
        throw DecodeError(place, "the file decodes to more samples than the limit allows", DecodeError::Kind::limit);
    left_ -= samples;
}

void requireMemory(std::uint64_t bytes, const Limits& limits, const Place& place) {
    constexpr std::uint64_t kMebibyte = 1U << 20U;
    if (bytes > limits.memory)
        throw DecodeError(place,
                          fmt::format("would take {} MiB of memory, the limit is {}", (bytes - 1) / kMebibyte + 1,
                                      limits.memory / kMebibyte),
                          DecodeError::Kind::limit);
}

std::uint64_t memoryOfKeys(std::uint64_t keys) {
    constexpr std::uint64_t kBytesPerKey = 128;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    return keys > kMost / kBytesPerKey ? kMost : keys * kBytesPerKey;
}

}  // namespace reanima::core
