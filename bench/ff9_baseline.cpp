#include "bench/ff9_baseline.h"

#include <cmath>

namespace reanima::bench {

namespace {

std::uint32_t word16(const std::uint8_t* at) { return at[0] | static_cast<std::uint32_t>(at[1]) << 8U; }
std::uint32_t word32(const std::uint8_t* at) { return word16(at) | word16(at + 2) << 16U; }

bool isConstant(const std::uint8_t* record, std::size_t axis) { return (word16(record + 6) >> axis & 1U) != 0; }

float translationAt(const std::uint8_t* block, std::size_t axis, std::size_t frame) {
    const std::uint8_t* record = block + 4;
    const std::uint32_t word = word16(record + 2 * axis);
    return static_cast<std::int16_t>(isConstant(record, axis) ? word : word16(block + word + 2 * frame));
}

std::uint32_t highAt(const std::uint8_t* block, const std::uint8_t* record, std::size_t axis, std::size_t frame) {
    const std::uint32_t word = word16(record + 2 * axis);
    return isConstant(record, axis) ? word & 0xFFU : block[word + frame];
}

std::uint32_t lowAt(const std::uint8_t* block, const std::uint8_t* record, std::size_t axis, std::size_t frame) {
    const std::uint32_t word = word16(record + 2 * axis);
    if (isConstant(record, axis))
        return word & 0x0FU;
    const std::uint32_t pair = block[word + frame / 2];
    return frame % 2 == 0 ? pair & 0x0FU : pair >> 4U;
}

/// R = Rz * Ry * Rx, converted to Y up and front +Z
glm::quat quaternionOf(const float (&angles)[3]) {
    const float sx = std::sin(angles[0] / 2);
    const float cx = std::cos(angles[0] / 2);
    const float sy = std::sin(angles[1] / 2);
    const float cy = std::cos(angles[1] / 2);
    const float sz = std::sin(angles[2] / 2);
    const float cz = std::cos(angles[2] / 2);
    return {cx * cy * cz + sx * sy * sz, sx * cy * cz - cx * sy * sz, -(cx * sy * cz + sx * cy * sz),
            -(cx * cy * sz - sx * sy * cz)};
}

}  // namespace

std::vector<PlainFrame> decodePlainly(const std::uint8_t* block, std::size_t boneCount) {
    constexpr float kUnit = 6.28318530717958648F / 4096;
    const std::uint8_t* highTable = block + word32(block + 12);
    const std::uint32_t lowOffset = word32(block + 16);
    std::vector<PlainFrame> frames(word16(block + 2));
    for (std::size_t f = 0; f < frames.size(); ++f) {
        PlainFrame& frame = frames[f];
        frame.translation =
            glm::vec3(translationAt(block, 0, f), -translationAt(block, 1, f), -translationAt(block, 2, f)) / 256.0F;
        for (std::size_t bone = 0; bone < boneCount; ++bone) {
            float angles[3];
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::uint32_t high = highAt(block, highTable + 8 * bone, axis, f);
                const std::uint32_t low = lowOffset == 0 ? 0 : lowAt(block, block + lowOffset + 8 * bone, axis, f);
                angles[axis] = static_cast<float>(high << 4U | low) * kUnit;
            }
            glm::quat rotation = quaternionOf(angles);
            if (f > 0 && glm::dot(rotation, frames[f - 1].rotations[bone]) < 0)
                rotation = -rotation;
            frame.rotations.push_back(rotation);
        }
    }
    return frames;
}

}  // namespace reanima::bench
