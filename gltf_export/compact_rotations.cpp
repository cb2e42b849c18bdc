#include "gltf_export/compact_rotations.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace reanima::gltf {

namespace {

constexpr double kOne = 32767;

ShortQuat toShorts(const glm::dquat& unit) {
    const auto nearest = [](double component) { return static_cast<std::int16_t>(std::lround(component * kOne)); };
    return {nearest(unit.x), nearest(unit.y), nearest(unit.z), nearest(unit.w)};
}

/// The squared sine of half the angle between a rotation and its stored form.
double squaredSine(const glm::dquat& unit, const ShortQuat& shorts) {
    const glm::dquat decoded(shorts[3] / kOne, shorts[0] / kOne, shorts[1] / kOne, shorts[2] / kOne);
    const glm::dquat difference = glm::conjugate(unit) * decoded;
    const glm::dvec3 axis(difference.x, difference.y, difference.z);
    return glm::dot(axis, axis) / glm::dot(decoded, decoded);
}

}  // namespace

std::vector<ShortQuat> CompactRotations::add(std::span<const glm::quat> rotations) {
    std::vector<ShortQuat> shorts;
    shorts.reserve(rotations.size());
    for (const glm::quat& rotation : rotations) {
        const glm::dquat unit = glm::normalize(glm::dquat(rotation));
        shorts.push_back(toShorts(unit));
        largestSine_ = std::max(largestSine_, squaredSine(unit, shorts.back()));
    }
    return shorts;
}

double CompactRotations::largestError() const {
    return 2 * std::asin(std::min(1.0, std::sqrt(largestSine_))) * 180 / std::numbers::pi;
}

}  // namespace reanima::gltf
