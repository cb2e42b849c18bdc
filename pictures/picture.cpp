#include "pictures/picture.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <utility>

#include <xxhash.h>

#include "pictures/pixel_word.h"

namespace reanima::pictures {

namespace {

constexpr core::Pixel555 kColourBits = 0x7FFF;

constexpr Word widened(core::Pixel555 pixel) {
    constexpr unsigned kRed = std::endian::native == std::endian::little ? 0 : 24;
    constexpr unsigned kGreen = std::endian::native == std::endian::little ? 8 : 16;
    constexpr unsigned kBlue = std::endian::native == std::endian::little ? 16 : 8;
    const Word five = (pixel >> 10U & 31U) << kRed | (pixel >> 5U & 31U) << kGreen | (pixel & 31U) << kBlue;
    constexpr Word kHighest = 0x07070707;  // the three highest bits of each colour, moved to the lowest bits
    return five << 3U | (five >> 2U & kHighest) | kOpaqueBlack;
}

/// A value that no pixel has, for sequences without a colour key.
constexpr core::Pixel555 kNoKey = 0xFFFF;

/// Converts pixels, in a loop that compilers vectorize.
void show(std::span<const core::Pixel555> stored, core::Pixel555 key, Rgba* to) {
    for (const core::Pixel555 pixel : stored) {
        const Word word = widened(pixel) & ((pixel & kColourBits) == key ? ~kOpaqueBlack : ~Word{0});
        std::memcpy(to++, &word, sizeof word);
    }
}

}  // namespace

Picture pictureOf(const core::Image& image) {
    Picture picture{image.width, image.height, std::vector<Rgba>(image.rgba.size() / sizeof(Rgba))};
    std::memcpy(picture.pixels.data(), image.rgba.data(), picture.pixels.size() * sizeof(Rgba));
    return picture;
}

Rgba toRgba(core::Pixel555 pixel) { return std::bit_cast<Rgba>(widened(pixel)); }

core::Pixel555 toPixel555(const Rgba& colour) {
    return static_cast<core::Pixel555>((colour[0] >> 3U) << 10U | (colour[1] >> 3U) << 5U | colour[2] >> 3U);
}

Picture shown(const core::ImageSequence& sequence, std::span<const core::Pixel555> stored) {
    Picture picture{sequence.shownWidth(), sequence.shownHeight(), std::vector<Rgba>(stored.size())};
    const auto key = static_cast<core::Pixel555>(sequence.colorKey ? *sequence.colorKey & kColourBits : kNoKey);
    if (!sequence.transposed) {
        show(stored, key, picture.pixels.data());
        return picture;
    }
    std::vector<Rgba> column(sequence.width);
    for (std::uint32_t y = 0; y < sequence.height; ++y) {
        show(stored.subspan(std::size_t{y} * sequence.width, sequence.width), key, column.data());
        for (std::uint32_t x = 0; x < sequence.width; ++x)
            picture.at(y, x) = column[x];
    }
    return picture;
}

std::vector<core::Pixel555> stored(const Picture& picture, StoredAs order) {
    std::vector<core::Pixel555> pixels(picture.pixels.size());
    if (order == StoredAs::rows) {
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
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> seen;  // first picture, by a hash of 128 bits
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
