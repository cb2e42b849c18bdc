/// Shared parts of Metroid Prime's readers: big-endian fields, texts, checked counts, and padding.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "core/byte_writer.h"

namespace reanima::metroid {

using Reader = core::BigEndianReader;
using Writer = core::BigEndianWriter;

/// The magic of Metroid Prime Remastered and later games: "RFRM".
inline constexpr std::uint32_t kRemasteredMagic = 0x5246524D;

/// A value and its place, for messages.
template <typename T>
struct Field {
    T value{};
    core::Place place{};
};

template <typename T>
Field<T> readField(Reader& file, std::string_view name) {
    core::Place place = file.place(name);
    return {file.read<T>(name), std::move(place)};
}

/// Limit for positions, translations and scales, so that their differences and products fit in floats.
inline constexpr float kLargestNumber = 1e18F;

/// True for a valid frame interval in seconds. No two frames then have the same time.
[[nodiscard]] inline bool isInterval(float seconds) { return seconds > 0 && seconds <= kLargestNumber; }

/// True for a valid multiplier of 16-bit numbers.
[[nodiscard]] inline bool isMultiplier(float number) {
    constexpr float kMostTimes = 32768;
    return number != 0 && std::abs(number) <= kLargestNumber / kMostTimes;
}

/// True for a number up to kLargestNumber.
[[nodiscard]] inline bool isNumber(float value) { return std::abs(value) <= kLargestNumber; }

[[noreturn]] inline void refuseNumber(float value, const core::Place& place) {
    throw core::DecodeError(place, fmt::format("is {}, expected a number of at most 1e18", value));
}

/// @throws core::DecodeError if it is not a number or is larger than kLargestNumber
inline float readNumber(Reader& file, std::string_view name) {
    const auto value = file.read<float>(name);
    if (!isNumber(value))
        refuseNumber(value, file.place(name, sizeof value));
    return value;
}

/// A count of elements of at least `smallest` bytes each.
/// @throws core::DecodeError if the file is too small for that count
inline std::uint32_t readCount(Reader& file, std::string_view name, std::size_t smallest) {
    const Field<std::uint32_t> field = readField<std::uint32_t>(file, name);
    if (field.value > file.remaining() / smallest)
        throw core::DecodeError(field.place, fmt::format("is {}, but the file has room for only {}", field.value,
                                                         file.remaining() / smallest));
    return field.value;
}

/// A text that ends with a zero byte.
/// @throws core::DecodeError if there is no such byte
inline std::string readText(Reader& file, std::string_view name) {
    const core::Place start = file.place(name);
    Reader ahead = file;
    const core::Bytes rest = ahead.rest();
    const auto end = std::find(rest.begin(), rest.end(), std::uint8_t{0});
    if (end == rest.end())
        throw core::DecodeError(start, "has no zero byte at its end");
    std::string text(rest.begin(), end);
    (void)file.bytes(text.size() + 1, name);
    return text;
}

inline void writeText(Writer& out, const std::string& text) {
    for (const char c : text)
        out.write(static_cast<std::uint8_t>(c));
    out.write(std::uint8_t{0});
}

/// Files in a .pak begin at multiples of this size. 0xFF fills the space between them.
inline constexpr std::size_t kPakAlignment = 32;

/// True if there are no bytes, or only 0xFF up to a multiple of 32 bytes.
[[nodiscard]] inline bool isPadding(core::Bytes after, std::size_t fileSize) {
    return after.empty() || (after.size() < kPakAlignment && fileSize % kPakAlignment == 0 &&
                             std::all_of(after.begin(), after.end(), [](std::uint8_t byte) { return byte == 0xFF; }));
}

}  // namespace reanima::metroid
