/// The numbers of animations as JSON.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/metroid/json_fields.h"
#include "formats/metroid/reading.h"
#include "values.h"

namespace reanima::metroid {

/// The properties of a channel, in the order of ChannelValues.
inline constexpr std::array<const char*, 3> kPropertyNames = {"rotation", "translation", "scale"};
/// What errors about scales in Metroid Prime state as expected. The game has no scales.
inline constexpr const char* kNoScales = "null, because mp1 has no scales";

/// Reads the components of a key and checks how many there are.
/// @throws core::DecodeError if their number is wrong, or one is too large
template <std::size_t size>
std::array<double, size> tupleFromJson(const JsonReader& json) {
    json.requireSize(size);
    std::array<double, size> tuple{};
    for (std::size_t i = 0; i < size; ++i) {
        if (!(std::abs(json.at(i).single()) <= kLargestNumber))
            json.at(i).fail("a number of at most 1e18");
        tuple[i] = json.at(i).number();
    }
    return tuple;
}

/// `bone`, and a list of `count` keys for every property; null for a property without keys.
[[nodiscard]] Json channelToJson(const ChannelValues& channel, std::size_t count);

/// The common number of keys of all lists. Empty if the numbers differ or all lists are empty.
[[nodiscard]] std::optional<std::uint32_t> commonKeyCount(const JsonReader& channels);

/// The values of the channels. @throws core::DecodeError if a list does not have `count` keys
[[nodiscard]] std::vector<ChannelValues> valuesFromJson(const JsonReader& channels, std::size_t keyCount);

/// Warns about a field that is rewritten.
void recomputed(core::Diagnostics& diagnostics, const std::string& field, std::string text);

}  // namespace reanima::metroid
