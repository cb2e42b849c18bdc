#include "json/stored_values.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.h"

namespace reanima {

double shortest(float value) {
    if (value == std::trunc(value))
        return static_cast<double>(value);
    std::array<char, 32> text{};
    const char* end = fmt::format_to_n(text.data(), text.size(), "{}", value).out;
    double decimal = 0;
    std::from_chars(text.data(), end, decimal);
    // The decimal was rounded to double. Rounding the double to float may give a different float.
    return static_cast<float>(decimal) == value ? decimal : static_cast<double>(value);
}

Json floatToJson(float value) {
    return std::isfinite(value) ? Json(shortest(value))
                                : Json(fmt::format("{:08x}", std::bit_cast<std::uint32_t>(value)));
}

float floatFromJson(const JsonReader& json) {
    if (!json.isText())
        return json.single();
    std::string_view digits = json.text();
    if (digits.starts_with("0x"))  // older dumps of some formats contain such texts
        digits.remove_prefix(2);
    constexpr int kHexadecimal = 16;
    std::uint32_t bits = 0;
    const char* end = digits.data() + digits.size();
    const auto [last, error] = std::from_chars(digits.data(), end, bits, kHexadecimal);
    const auto value = std::bit_cast<float>(bits);
    if (digits.size() != 8 || error != std::errc() || last != end || std::isfinite(value))
        json.fail("a number, or eight hexadecimal digits for a value that is not finite");
    return value;
}

Json textToJson(const std::string& text) {
    if (core::validUtf8(text) == text)
        return text;
    return {{"hex", toHex(core::ByteVector(text.begin(), text.end()))}};
}

std::string storedTextFromJson(const JsonReader& json) {
    if (json.isText())
        return std::string(json.text());
    const core::ByteVector bytes = json.at("hex").hex();
    return {bytes.begin(), bytes.end()};
}

}  // namespace reanima
