/// Data URIs for tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/bytes.h"

namespace reanima::test {

/// Base64 by RFC 4648, with padding.
inline std::string toBase64(core::Bytes bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byte = [&](std::size_t k) -> std::uint32_t { return i + k < bytes.size() ? bytes[i + k] : 0U; };
        const std::uint32_t group = byte(0) << 16U | byte(1) << 8U | byte(2);
        for (std::size_t digit = 0; digit < 4; ++digit)
            text += i + digit > bytes.size() ? '=' : kDigits[group >> (18 - 6 * digit) & 63U];
    }
    return text;
}

}  // namespace reanima::test
