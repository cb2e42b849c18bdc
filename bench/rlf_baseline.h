/// A simple decoder of RLF frames, pixel by pixel: the published algorithm with corrected counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reanima::bench {

void decodeKeyPlainly(const std::uint8_t* data, std::size_t size, std::vector<std::uint16_t>& surface);
void decodeDeltaPlainly(const std::uint8_t* data, std::size_t size, std::vector<std::uint16_t>& surface);

}  // namespace reanima::bench
