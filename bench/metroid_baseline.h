/// A simple decoder of Metroid Prime's type 2 animations. It reads bit by bit, and calls the standard library's sine
/// and square root for every key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace reanima::bench {

/// Rotations as W X Y Z and translations of a channel, one per key.
struct PlainChannel {
    std::vector<std::array<float, 4>> rotations;
    std::vector<std::array<float, 3>> translations;
};

/// @param file a valid file of Metroid Prime, not checked
std::vector<PlainChannel> decodeStreamPlainly(const std::uint8_t* file);

}  // namespace reanima::bench
