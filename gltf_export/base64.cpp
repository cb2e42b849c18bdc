#include "gltf_export/base64.h"

namespace reanima::gltf {

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string toBase64(core::Bytes bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byte = [&](std::size_t k) -> std::uint32_t { return i + k < bytes.size() ? bytes[i + k] : 0U; };
        const std::uint32_t group = byte(0) << 16U | byte(1) << 8U | byte(2);
        for (std::size_t digit = 0; digit < 4; ++digit)
            text += i + digit > bytes.size() ? '=' : kDigits[group >> (18 - 6 * digit) & 63U];
    }
    return text;
}

std::optional<core::ByteVector> fromBase64(std::string_view text) {
    while (!text.empty() && text.back() == '=')
        text.remove_suffix(1);
    core::ByteVector bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char c : text) {
        const std::size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos)
            return std::nullopt;
        bits = bits << 6U | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8)
            continue;
        count -= 8;
        bytes.push_back(static_cast<std::uint8_t>(bits >> count & 255U));
    }
    return bytes;
}

}  // namespace reanima::gltf
