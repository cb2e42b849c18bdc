#include "core/shortened.h"

#include <cstdint>
#include <string_view>

namespace reanima::core {

namespace {

bool continuesCharacter(char byte) { return (static_cast<std::uint8_t>(byte) & 0xC0U) == 0x80; }

}  // namespace

std::string shortened(std::string text, std::size_t most) {
    constexpr std::string_view kBetween = "...";
    constexpr std::size_t kLongestCharacter = 4;
    if (text.size() <= most)
        return text;
    const std::size_t kept = most - kBetween.size();
    std::size_t end = kept / 2;  // end of the first part
    for (std::size_t i = 1; i < kLongestCharacter && continuesCharacter(text[end]); ++i)
        --end;
    std::size_t begin = text.size() - kept / 2;  // start of the last part
    for (std::size_t i = 1; i < kLongestCharacter && continuesCharacter(text[begin]); ++i)
        ++begin;
    return text.replace(end, begin - end, kBetween);
}

}  // namespace reanima::core
