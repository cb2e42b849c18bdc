#include "core/limits.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace reanima::core {

void SampleBudget::take(std::uint64_t samples, const Place& place) {
    // A sample needs up to 4 bytes in the file and less than 6 bytes in keys: a rotation key of 16 bytes is made of
    // three or six samples.
    constexpr std::uint64_t kBytesPerSample = 8;
    if (samples > limits_.samples)
        throw DecodeError(place, "the file decodes to more samples than the limit allows", DecodeError::Kind::limit)
            .withHint({"limit-samples", "N"});
    requireMemory(std::min(samples, limits_.memory) * kBytesPerSample, limits_, place);
    limits_.samples -= samples;
}

void SampleBudget::keep(std::uint64_t bytes, const Place& place) {
    requireMemory(bytes, limits_, place);
    limits_.held += bytes;
}

void requireMemory(std::uint64_t bytes, const Limits& limits, const Place& place) {
    constexpr std::uint64_t kMebibyte = 1U << 20U;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t all = bytes > kMost - limits.held ? kMost : bytes + limits.held;
    if (all > limits.memory)
        throw DecodeError(place,
                          fmt::format("would need {} MiB of memory, but the limit is {}", (all - 1) / kMebibyte + 1,
                                      limits.memory / kMebibyte),
                          DecodeError::Kind::limit)
            .withHint({"limit-memory", "MIB"});
}

std::uint64_t memoryOfKeys(std::uint64_t keys) {
    constexpr std::uint64_t kBytesPerKey = 128;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    return keys > kMost / kBytesPerKey ? kMost : keys * kBytesPerKey;
}

}  // namespace reanima::core
