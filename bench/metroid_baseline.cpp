#include "bench/metroid_baseline.h"

#include <cmath>
#include <cstring>

namespace reanima::bench {

namespace {

std::uint32_t word(const std::uint8_t* p) {
    return static_cast<std::uint32_t>(p[0]) << 24 | static_cast<std::uint32_t>(p[1]) << 16 |
           static_cast<std::uint32_t>(p[2]) << 8 | p[3];
}

float number(const std::uint8_t* p) {
    const std::uint32_t bits = word(p);
    float value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

class PlainBits {
  public:
    explicit PlainBits(const std::uint8_t* words) : words_(words) {}

    int bit() {
        const std::uint32_t value = word(words_ + position_ / 32 * 4) >> (position_ % 32) & 1;
        ++position_;
        return static_cast<int>(value);
    }

    int number(int width) {
        int value = 0;
        for (int i = 0; i < width; ++i)
            value |= bit() << i;
        if (width > 0 && (value >> (width - 1) & 1) != 0)
            value -= 1 << width;
        return value;
    }

  private:
    const std::uint8_t* words_;
    std::size_t position_ = 0;
};

struct Running {
    bool present = false;
    std::int16_t values[3] = {};
    int widths[3] = {};

    const std::uint8_t* read(const std::uint8_t* p) {
        present = p[0] != 0 || p[1] != 0;
        p += 2;
        for (int axis = 0; present && axis < 3; ++axis, p += 3) {
            values[axis] = static_cast<std::int16_t>(p[0] << 8 | p[1]);
            widths[axis] = p[2];
        }
        return p;
    }

    void add(PlainBits& bits) {
        for (int axis = 0; axis < 3; ++axis)
            values[axis] = static_cast<std::int16_t>(values[axis] + bits.number(widths[axis]));
    }
};

std::array<float, 4> quaternion(const Running& running, bool negative, double divisor) {
    double v[3];
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        v[axis] = std::sin(running.values[axis] * (3.14159265358979323846 / 2) / divisor);
        sum += v[axis] * v[axis];
    }
    const double w = std::sqrt(sum < 1 ? 1 - sum : 0);
    return {static_cast<float>(negative ? -w : w), static_cast<float>(v[0]), static_cast<float>(v[1]),
            static_cast<float>(v[2])};
}

}  // namespace

std::vector<PlainChannel> decodeStreamPlainly(const std::uint8_t* file) {
    const double divisor = word(file + 0x20);
    const float multiplier = number(file + 0x24);
    const std::uint32_t frames = word(file + 0x30);
    const std::uint8_t* bitmap = file + 0x34;
    const std::uint8_t* p = bitmap + (frames + 31) / 32 * 4 + 4;
    const std::uint32_t count = word(p);
    p += 4;
    std::vector<Running> rotations(count);
    std::vector<Running> translations(count);
    for (std::uint32_t channel = 0; channel < count; ++channel) {
        p = rotations[channel].read(p + 4);
        p = translations[channel].read(p);
    }
    std::vector<PlainChannel> channels(count);
    PlainBits bits(p);
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        if (frame > 0 && (word(bitmap + frame / 32 * 4) >> (frame % 32) & 1) == 0)
            continue;
        for (std::uint32_t channel = 0; channel < count; ++channel) {
            if (rotations[channel].present) {
                bool negative = false;
                if (frame > 0) {
                    negative = bits.bit() != 0;
                    rotations[channel].add(bits);
                }
                channels[channel].rotations.push_back(quaternion(rotations[channel], negative, divisor));
            }
            if (translations[channel].present) {
                if (frame > 0)
                    translations[channel].add(bits);
                const std::int16_t* v = translations[channel].values;
                channels[channel].translations.push_back({static_cast<float>(v[0]) * multiplier,
                                                          static_cast<float>(v[1]) * multiplier,
                                                          static_cast<float>(v[2]) * multiplier});
            }
        }
    }
    return channels;
}

}  // namespace reanima::bench
