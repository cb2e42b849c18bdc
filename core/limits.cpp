#include "core/limits.h"

#include <fmt/format.h>

namespace reanima::core {

void SampleBudget::take(std::uint64_t samples, const Place& place) {
    if (samples > left_)
        throw DecodeError(place, "the file decodes to more samples than the limit allows", DecodeError::Kind::limit);
    left_ -= samples;
}

void requireMemory(std::uint64_t bytes, const Limits& limits, const Place& place) {
    if (bytes > limits.memory)
        throw DecodeError(
            place, fmt::format("would take {} MiB of memory, the limit is {}", bytes >> 20U, limits.memory >> 20U),
            DecodeError::Kind::limit);
}

}  // namespace reanima::core
