/// Whole numbers for the values of an animation of type 2, and what they are multiplied with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "animation.h"
#include "values.h"

namespace reanima::metroid {

/// A channel of an animation that is encoded: its values, and the whole numbers that are known for some of them.
struct ChannelToStore {
    ChannelValues values;
    StreamChannel stored;  ///< a property with values but without numbers is to be quantised
};

/// Translations or scales.
struct VectorProperty {
    std::vector<glm::dvec3> ChannelValues::*values;
    std::optional<Property> StreamChannel::*stored;
};
inline constexpr VectorProperty kTranslations{&ChannelValues::translations, &StreamChannel::translation};
inline constexpr VectorProperty kScales{&ChannelValues::scales, &StreamChannel::scale};

/// The multiplier of a property: `wanted`, if all values that are to be quantised fit 16 bits with it. Otherwise it is
/// one with which all values do, and known numbers are dropped, since they stand for something else then.
/// @param wanted none: no known numbers are kept
[[nodiscard]] float chooseMultiplier(std::span<ChannelToStore> channels, const VectorProperty& property,
                                     std::optional<float> wanted);

/// The number that stands for a quarter turn: `wanted`, if all rotations that are to be quantised fit 16 bits with it.
/// Otherwise it is the largest with which all do, and known numbers are dropped.
[[nodiscard]] std::uint32_t chooseDivisor(std::span<ChannelToStore> channels, std::uint32_t wanted);

/// How far stored values are from what they were made of.
struct QuantizationError {
    double degrees = 0;
    double translation = 0;  ///< units of the game
    double scale = 0;
};

/// Makes the numbers that are missing, with the narrowest widths and the animation's divisor and multipliers. A
/// rotation whose first W is negative is negated in all keys, since that of frame 0 has no sign.
/// @param channels rotations of a length other than 0; values that the multipliers reach
[[nodiscard]] QuantizationError quantizeMissing(std::span<ChannelToStore> channels, const StreamAnimation& animation);

/// The number of bits that every one of the numbers fits as two's complement; 0 if all are 0.
[[nodiscard]] std::uint8_t bitsFor(const std::vector<std::int32_t>& numbers);

}  // namespace reanima::metroid
