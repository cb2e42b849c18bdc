#include "bench/ff7_baseline.h"

namespace reanima::bench {

namespace {

/// Reads a fixed number of bits, sign-extended.
int fixedBits(const std::uint8_t* buffer, std::uint32_t& position, std::uint32_t count) {
    int value = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        value = static_cast<int>(static_cast<unsigned>(value) << 1U);
        if ((buffer[position / 8] & (1U << (7 - position % 8))) != 0)
            ++value;
        ++position;
    }
    const std::uint32_t unused = 32 - count;
    return static_cast<int>(static_cast<unsigned>(value) << unused) >> unused;
}

/// A change of position: a flag, then 7 or 16 bits.
std::int16_t offsetBits(const std::uint8_t* buffer, std::uint32_t& position) {
    const int wide = fixedBits(buffer, position, 1);
    return static_cast<std::int16_t>(fixedBits(buffer, position, wide != 0 ? 16 : 7));
}

/// A change of an angle: a flag, a code, and up to 12 bits.
std::int16_t rotationBits(const std::uint8_t* buffer, std::uint32_t& position, int keyBits) {
    if (fixedBits(buffer, position, 1) == 0)
        return 0;
    const int code = fixedBits(buffer, position, 3) & 7;
    switch (code) {
        case 0:
            return static_cast<std::int16_t>(-(1 << keyBits));
        case 7:
            return static_cast<std::int16_t>(fixedBits(buffer, position, static_cast<std::uint32_t>(12 - keyBits)) *
                                             (1 << keyBits));
        default: {
            int value = fixedBits(buffer, position, static_cast<std::uint32_t>(code));
            if (value >= 0)
                value += 1 << (code - 1);
            else
                value -= 1 << (code - 1);
            return static_cast<std::int16_t>(value * (1 << keyBits));
        }
    }
}

}  // namespace

std::vector<PublishedFrame> decodePublished(const std::uint8_t* chunk, int rotationCount) {
    const int frameCount = chunk[0] | chunk[1] << 8;
    const int keyBits = chunk[4];
    const std::uint8_t* stream = chunk + 5;
    std::uint32_t position = 0;
    std::vector<PublishedFrame> frames(static_cast<std::size_t>(frameCount));
    for (std::size_t f = 0; f < frames.size(); ++f) {
        PublishedFrame& frame = frames[f];
        if (f == 0) {
            for (std::int16_t& value : frame.translation)
                value = static_cast<std::int16_t>(fixedBits(stream, position, 16));
            frame.rotations.resize(static_cast<std::size_t>(rotationCount));
            for (auto& triple : frame.rotations)
                for (std::int16_t& angle : triple)
                    angle = static_cast<std::int16_t>(
                        fixedBits(stream, position, static_cast<std::uint32_t>(12 - keyBits)) * (1 << keyBits));
            continue;
        }
        frame = frames[f - 1];
        for (std::int16_t& value : frame.translation)
            value = static_cast<std::int16_t>(value + offsetBits(stream, position));
        for (auto& triple : frame.rotations)
            for (std::int16_t& angle : triple)
                angle = static_cast<std::int16_t>(angle + rotationBits(stream, position, keyBits));
    }
    return frames;
}

}  // namespace reanima::bench
