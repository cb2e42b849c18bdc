/// Quantises the values of type 2 animations, with multipliers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "animation.h"
#include "values.h"

namespace reanima::metroid {

/// A channel to encode: its values, and the stored numbers of some properties.
struct ChannelToStore {
    ChannelValues values;
    StreamChannel stored;  ///< properties in `values` that have no stored numbers here will be quantised
};

/// Translations or scales.
struct VectorProperty {
    std::vector<glm::dvec3> ChannelValues::*values;
    std::optional<Property> StreamChannel::*stored;
};
inline constexpr VectorProperty kTranslations{&ChannelValues::translations, &StreamChannel::translation};
inline constexpr VectorProperty kScales{&ChannelValues::scales, &StreamChannel::scale};

/// The multiplier of a property: `wanted` if all values that must be quantised then fit in 16 bits. Otherwise a
/// multiplier with which all values fit; known numbers are then dropped, since they would mean other values.
/// @param wanted empty: known numbers are not kept
[[nodiscard]] float chooseMultiplier(std::span<ChannelToStore> channels, const VectorProperty& property,
                                     std::optional<float> wanted);

/// The number for a quarter turn: `wanted` if all rotations that must be quantised then fit in 16 bits. Otherwise the
/// largest with which all rotations fit; then known numbers are dropped.
[[nodiscard]] std::uint32_t chooseDivisor(std::span<ChannelToStore> channels, std::uint32_t wanted);

/// The largest error of quantised values.
struct QuantizationError {
    double degrees = 0;
    double translation = 0;  ///< units of the game
    double scale = 0;
};

/// Computes missing numbers with the narrowest widths and the animation's divisor and multipliers. A rotation whose
/// first W is negative is negated in all keys, since frame 0 stores no sign.
/// @param channels rotations must not have length 0; values must fit with the multipliers
[[nodiscard]] QuantizationError quantizeMissing(std::span<ChannelToStore> channels, const StreamAnimation& animation);

/// The bits needed for all numbers in two's complement; 0 if all are 0.
[[nodiscard]] std::uint8_t bitsFor(const std::vector<std::int32_t>& numbers);

}  // namespace reanima::metroid
