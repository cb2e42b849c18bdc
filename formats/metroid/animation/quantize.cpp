#include "formats/metroid/animation/quantize.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "core/pose.h"
#include "core/rotation.h"

namespace reanima::metroid {

namespace {

/// The largest number for a quarter turn. With this divisor, all rotations fit in 16 bits.
constexpr std::uint32_t kFinestDivisor = 32767;

/// Converts numbers to an initial value followed by differences. Differences wrap at 16 bits, like the running value.
Component componentOf(const std::vector<std::int16_t>& numbers) {
    Component component;
    component.initial = numbers.front();
    for (std::size_t key = 1; key < numbers.size(); ++key)
        component.changes.push_back(static_cast<std::int16_t>(numbers[key] - numbers[key - 1]));
    component.bits = bitsFor(component.changes);
    if (component.bits == 0)
        component.changes.clear();
    return component;
}

Property propertyOf(const std::array<std::vector<std::int16_t>, 3>& numbers) {
    Property property;
    constexpr std::size_t kMost = 0xFFFF;
    property.keyCount = static_cast<std::uint16_t>(std::clamp<std::size_t>(numbers[0].size() - 1, 1, kMost));
    for (std::size_t axis = 0; axis < 3; ++axis)
        property.components[axis] = componentOf(numbers[axis]);
    return property;
}

/// Numbers whose sines are the vector parts of the quaternions.
/// @param signs receives the sign of W at every key except the first: 0 or -1
/// @param error raised to the largest error, in degrees
Property quantizeRotations(const std::vector<glm::dquat>& keys, const core::SineRotations& rotations,
                           std::vector<std::int32_t>& signs, double& error) {
    using enum core::SineRotations::SignOfW;
    const double direction = keys.front().w < 0 ? -1 : 1;
    std::array<std::vector<std::int16_t>, 3> numbers;
    signs.clear();
    for (std::size_t key = 0; key < keys.size(); ++key) {
        const glm::dquat q = glm::normalize(keys[key]) * direction;
        const std::array<std::int16_t, 3> stored = rotations.nearest(q);
        for (std::size_t axis = 0; axis < 3; ++axis)
            numbers[axis].push_back(stored[axis]);
        if (key > 0)
            signs.push_back(q.w < 0 ? -1 : 0);
        error = std::max(error, core::degreesBetween(q, rotations.rotation(stored, q.w < 0 ? negative : positive)));
    }
    return propertyOf(numbers);
}

/// True if all rotations fit in 16 bits when `divisor` is the number for a quarter turn.
bool rotationsFit(const std::vector<glm::dquat>& keys, std::uint32_t divisor) {
    if (divisor <= kFinestDivisor)
        return true;
    const double reach =
        core::sineOfQuarterTurns((kFinestDivisor + 0.5) / divisor);  // larger sines need more than 16 bits
    return std::all_of(keys.begin(), keys.end(), [reach](const glm::dquat& key) {
        const glm::dquat q = glm::normalize(key);
        return std::max({std::abs(q.x), std::abs(q.y), std::abs(q.z)}) <= reach;
    });
}

/// Numbers that give the vectors after multiplication by `multiplier`.
Property quantizeVectors(const std::vector<glm::dvec3>& keys, double multiplier, double& error) {
    std::array<std::vector<std::int16_t>, 3> numbers;
    for (const glm::dvec3& value : keys)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double number = std::clamp(std::round(value[static_cast<int>(axis)] / multiplier), -32768.0, 32767.0);
            numbers[axis].push_back(static_cast<std::int16_t>(number));
            error = std::max(error, std::abs(number * multiplier - value[static_cast<int>(axis)]));
        }
    return propertyOf(numbers);
}

constexpr double kLargestStored = 32767;

/// Which channels to search for the largest component of their vectors.
enum class Of { all, missing };
double largest(std::span<const ChannelToStore> channels, const VectorProperty& property, Of which) {
    double found = 0;
    for (const ChannelToStore& channel : channels)
        if (which == Of::all || !(channel.stored.*property.stored))
            for (const glm::dvec3& value : channel.values.*property.values)
                found = std::max({found, std::abs(value.x), std::abs(value.y), std::abs(value.z)});
    return found;
}

}  // namespace

float chooseMultiplier(std::span<ChannelToStore> channels, const VectorProperty& property,
                       std::optional<float> wanted) {
    const auto hasValues = [&](const ChannelToStore& channel) { return !(channel.values.*property.values).empty(); };
    const auto isMissing = [&](const ChannelToStore& channel) {
        return hasValues(channel) && !(channel.stored.*property.stored);
    };
    if (std::ranges::none_of(channels, hasValues))
        return wanted.value_or(1);
    if (wanted && std::ranges::none_of(channels, isMissing))
        return *wanted;
    const double magnitude = std::abs(static_cast<double>(wanted.value_or(0)));
    if (std::isfinite(magnitude) && magnitude > 0 &&
        magnitude * kLargestStored >= largest(channels, property, Of::missing))
        return *wanted;
    for (ChannelToStore& channel : channels)
        (channel.stored.*property.stored).reset();
    constexpr double kRoom = 1.000001;  // room for rounding to a float
    const double reach = largest(channels, property, Of::all);
    return reach > 0 ? std::max(static_cast<float>(reach / kLargestStored * kRoom), std::numeric_limits<float>::min())
                     : 1;
}

std::uint32_t chooseDivisor(std::span<ChannelToStore> channels, std::uint32_t wanted) {
    const auto fits = [wanted](const ChannelToStore& channel) {
        return channel.stored.rotation || rotationsFit(channel.values.rotations, wanted);
    };
    if (std::ranges::all_of(channels, fits))
        return wanted;
    for (ChannelToStore& channel : channels)
        channel.stored.rotation.reset();
    return kFinestDivisor;
}

QuantizationError quantizeMissing(std::span<ChannelToStore> channels, const StreamAnimation& animation) {
    QuantizationError error;
    const core::SineRotations rotations(std::max(animation.rotationDivisor, 1U));
    const auto quantize = [](const ChannelToStore& channel, const VectorProperty& property, float multiplier,
                             double& worst) {
        return quantizeVectors(channel.values.*property.values, static_cast<double>(multiplier), worst);
    };
    for (ChannelToStore& channel : channels) {
        StreamChannel& stored = channel.stored;
        if (!channel.values.rotations.empty() && !stored.rotation)
            stored.rotation = quantizeRotations(channel.values.rotations, rotations, stored.signs, error.degrees);
        if (!channel.values.translations.empty() && !stored.translation)
            stored.translation = quantize(channel, kTranslations, animation.translationMultiplier, error.translation);
        if (!channel.values.scales.empty() && !stored.scale)
            stored.scale = quantize(channel, kScales, animation.scaleMultiplier, error.scale);
    }
    return error;
}

std::uint8_t bitsFor(const std::vector<std::int32_t>& numbers) {
    unsigned bits = 0;
    for (const std::int32_t number : numbers)
        if (number != 0)
            bits = std::max(bits, 1U + static_cast<unsigned>(
                                           std::bit_width(static_cast<std::uint32_t>(number < 0 ? ~number : number))));
    return static_cast<std::uint8_t>(bits);
}

}  // namespace reanima::metroid
