#include "pictures/picture.h"

#include <algorithm>
#include <map>
#include <utility>

#include <xxhash.h>

namespace reanima::pictures {

namespace {

constexpr core::Pixel555 kColourBits = 0x7FFF;

std::uint8_t widened(unsigned five) { return static_cast<std::uint8_t>(five << 3U | five >> 2U); }

}  // namespace

Rgba toRgba(core::Pixel555 pixel) {
    return {widened(pixel >> 10U & 31U), widened(pixel >> 5U & 31U), widened(pixel & 31U), 255};
}

core::Pixel555 toPixel555(const Rgba& colour) {
    return static_cast<core::Pixel555>((colour[0] >> 3U) << 10U | (colour[1] >> 3U) << 5U | colour[2] >> 3U);
}

Picture shown(const core::ImageSequence& sequence, std::span<const core::Pixel555> stored) {
    Picture picture{sequence.shownWidth(), sequence.shownHeight(), std::vector<Rgba>(stored.size())};
    const auto convert = [&](core::Pixel555 pixel) {
        Rgba colour = toRgba(pixel);
        if (sequence.colorKey && (pixel & kColourBits) == (*sequence.colorKey & kColourBits))
            colour[3] = 0;
        return colour;
    };
    if (!sequence.transposed) {
        std::transform(stored.begin(), stored.end(), picture.pixels.begin(), convert);
        return picture;
    }
    for (std::uint32_t y = 0; y < sequence.height; ++y)
        for (std::uint32_t x = 0; x < sequence.width; ++x)
            picture.at(y, x) = convert(stored[std::size_t{y} * sequence.width + x]);
    return picture;
}

std::vector<core::Pixel555> stored(const Picture& picture, bool transposed) {
    std::vector<core::Pixel555> pixels(picture.pixels.size());
    if (!transposed) {
        std::transform(picture.pixels.begin(), picture.pixels.end(), pixels.begin(), toPixel555);
        return pixels;
    }
    for (std::uint32_t y = 0; y < picture.height; ++y)
        for (std::uint32_t x = 0; x < picture.width; ++x)
            pixels[std::size_t{x} * picture.height + y] = toPixel555(picture.at(x, y));
    return pixels;
}

std::vector<std::uint32_t> firstAppearances(const core::ImageSequence& sequence) {
    std::vector<std::uint32_t> first;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> seen;  // by a hash of 128 bits
    const std::unique_ptr<core::PictureCursor> cursor = sequence.open();
    std::vector<core::Pixel555> colours;
    for (std::uint32_t i = 0; i < sequence.count; ++i) {
        if (i > 0 && i < sequence.repeats.size() && sequence.repeats[i]) {
            first.push_back(first.back());
            continue;
        }
        const std::span<const core::Pixel555> picture = cursor->picture(i);
        colours.resize(picture.size());
        std::transform(picture.begin(), picture.end(), colours.begin(),
                       [](core::Pixel555 p) { return static_cast<core::Pixel555>(p & kColourBits); });
        const XXH128_hash_t hash = XXH3_128bits(colours.data(), colours.size() * sizeof(core::Pixel555));
        first.push_back(seen.try_emplace({hash.high64, hash.low64}, i).first->second);
    }
    return first;
}

bool isPalindrome(const std::vector<std::uint32_t>& first) {
    constexpr std::size_t kFewest = 4;
    if (first.size() < kFewest || std::all_of(first.begin(), first.end(), [](std::uint32_t i) { return i == 0; }))
        return false;
    return std::equal(first.begin(), first.end(), first.rbegin());
}

}  // namespace reanima::pictures
