#include "core/text.h"

#include <array>
#include <cstdint>

namespace reanima::core {

std::string UniqueNames::unique(const std::string& wanted) {
    if (used_.insert(wanted).second)
        return wanted;
    int& next = next_.try_emplace(wanted, 2).first->second;
    std::string name;
    do
        name = wanted + "_" + std::to_string(next++);
    while (!used_.insert(name).second);
    return name;
}

std::string safeName(std::string_view name) {
    std::string safe(name);
    for (char& c : safe) {
        const bool allowed =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        if (!allowed)
            c = '_';
    }
    return safe.empty() ? "_" : safe;
}

namespace {

/// Bytes of the well-formed sequence that `text` begins with; 0 if it begins with none.
std::size_t sequenceLength(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80)
        return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length)
        return 0;
    std::uint32_t code = lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80)
            return 0;
        code = code << 6U | (byte(i) & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < kSmallest[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

}  // namespace

std::string validUtf8(std::string_view text) {
    std::string valid;
    valid.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        valid += length > 0 ? text.substr(0, length) : "_";
        text.remove_prefix(length > 0 ? length : 1);
    }
    return valid;
}

}  // namespace reanima::core
