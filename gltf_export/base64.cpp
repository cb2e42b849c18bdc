#include "gltf_export/base64.h"

#include <algorithm>

namespace reanima::gltf {

namespace {

constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<core::ByteVector> fromBase64(std::string_view text) {
    while (!text.empty() && text.back() == '=')
        text.remove_suffix(1);
    core::ByteVector bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char c : text) {
        const std::size_t digit = kBase64Digits.find(c);
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

std::string toBase64(core::Bytes bytes) {
    constexpr std::size_t kGroup = 3;
    std::string text;
    text.reserve((bytes.size() + kGroup - 1) / kGroup * 4);
    for (std::size_t at = 0; at < bytes.size(); at += kGroup) {
        const std::size_t count = std::min(kGroup, bytes.size() - at);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < kGroup; ++i)
            bits = bits << 8U | (i < count ? bytes[at + i] : 0U);
        for (std::size_t digit = 0; digit < 4; ++digit)
            text += digit <= count ? kBase64Digits[bits >> (18U - 6U * digit) & 63U] : '=';
    }
    return text;
}

}  // namespace reanima::gltf
