#include "formats/metroid/animation/values.h"

#include <algorithm>

namespace reanima::metroid {

namespace {

/// The running value of a property, key by key.
class RunningValue {
  public:
    explicit RunningValue(const Property& property) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Component& component = property.components[axis];
            numbers_[axis] = component.initial;
            if (!component.changes.empty()) {
                changes_[axis] = component.changes.data();
                step_[axis] = 1;
            }
        }
    }

    [[nodiscard]] const std::array<std::int16_t, 3>& numbers() const { return numbers_; }

    void step() {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            numbers_[axis] =
                static_cast<std::int16_t>(static_cast<std::uint32_t>(numbers_[axis]) +
                                          static_cast<std::uint32_t>(*changes_[axis]));  // wraps at 32 bits
            changes_[axis] += step_[axis];
        }
    }

  private:
    static constexpr std::int32_t kNone = 0;

    std::array<std::int16_t, 3> numbers_{};
    std::array<const std::int32_t*, 3> changes_{&kNone, &kNone, &kNone};
    std::array<std::ptrdiff_t, 3> step_{};  // 0 for a constant component, so that the inner loop needs no branch
};

bool neverChanges(const Property& property) {
    return std::all_of(property.components.begin(), property.components.end(),
                       [](const Component& component) { return component.changes.empty(); });
}

using SignOfW = core::SineRotations::SignOfW;

std::vector<glm::dquat> rotationsOf(const StreamChannel& channel, const core::SineRotations& rotations) {
    if (!channel.rotation)
        return {};
    RunningValue running(*channel.rotation);
    std::vector<glm::dquat> keys(channel.signs.size() + 1);
    keys[0] = rotations.rotation(running.numbers(), SignOfW::positive);
    for (std::size_t key = 1; key < keys.size(); ++key) {
        running.step();
        keys[key] =
            rotations.rotation(running.numbers(), channel.signs[key - 1] != 0 ? SignOfW::negative : SignOfW::positive);
    }
    return keys;
}

std::vector<glm::dvec3> vectorsOf(const std::optional<Property>& property, double multiplier, std::size_t keyCount) {
    if (!property)
        return {};
    RunningValue running(*property);
    const auto value = [&] {
        const auto& numbers = running.numbers();
        return glm::dvec3(numbers[0], numbers[1], numbers[2]) * multiplier;
    };
    std::vector<glm::dvec3> keys = {value()};
    if (neverChanges(*property))
        return keys;
    keys.reserve(keyCount + 1);
    while (keys.size() < keyCount + 1) {
        running.step();
        keys.push_back(value());
    }
    return keys;
}

/// The values of an array of type 0. Empty if the table has no array here.
template <typename T, std::size_t size>
std::vector<T> arrayOf(const std::vector<std::array<float, size>>& values, std::uint8_t array, std::size_t keyCount) {
    std::vector<T> keys;
    if (array == kNoChannel)
        return keys;
    keys.reserve(keyCount);
    for (std::size_t key = 0; key < keyCount; ++key) {
        const std::array<float, size>& v = values[array * keyCount + key];
        if constexpr (size == 4)
            keys.push_back(T(v[0], v[1], v[2], v[3]));  // W X Y Z
        else
            keys.push_back(T(v[0], v[1], v[2]));
    }
    return keys;
}

ChannelValues channelOf(const ArrayAnimation& arrays, std::uint32_t bone) {
    const std::uint8_t channel = arrays.slots[bone];
    const auto in = [channel](const core::ByteVector& table) { return table.empty() ? kNoChannel : table[channel]; };
    return {bone,
            arrayOf<glm::dquat>(arrays.rotations, arrays.rotationOf.empty() ? channel : in(arrays.rotationOf),
                                arrays.keyCount),
            arrayOf<glm::dvec3>(arrays.translations, in(arrays.translationOf), arrays.keyCount),
            arrayOf<glm::dvec3>(arrays.scales, in(arrays.scaleOf), arrays.keyCount)};
}

std::uint32_t divisorOf(const Animation& animation) {
    const StreamAnimation* stream = animation.stream();
    return stream == nullptr || stream->rotationDivisor == 0 ? 1 : stream->rotationDivisor;
}

}  // namespace

std::uint32_t frameCount(const Animation& animation) {
    const StreamAnimation* stream = animation.stream();
    return stream != nullptr ? stream->frameCount : std::get<ArrayAnimation>(animation.content).keyCount;
}

core::Place frameCountPlace(const Animation& animation) {
    if (animation.stream() == nullptr)
        return {"key_count", 0x14};
    return {"frame_count", animation.game == Game::prime ? 0x30 : 0x2E};
}

std::vector<std::uint32_t> keyFrames(const Animation& animation) {
    std::vector<std::uint32_t> frames;
    if (const StreamAnimation* stream = animation.stream()) {
        frames.reserve(streamKeyCount(*stream) + 1);
        frames.push_back(0);
        for (std::uint32_t frame = 1; frame < stream->frameCount; ++frame)
            if ((stream->bitmap[frame / kWordBits] >> (frame % kWordBits) & 1U) != 0)
                frames.push_back(frame);
    } else {
        for (std::uint32_t frame = 0; frame < animation.arrays()->keyCount; ++frame)
            frames.push_back(frame);
    }
    return frames;
}

std::vector<std::uint32_t> movedBones(const Animation& animation) {
    std::vector<std::uint32_t> bones;
    if (const StreamAnimation* stream = animation.stream())
        for (const StreamChannel& channel : stream->channels)
            bones.push_back(channel.bone);
    else
        for (std::uint32_t bone = 0; bone < animation.arrays()->slots.size(); ++bone)
            if (animation.arrays()->slots[bone] != kNoChannel)
                bones.push_back(bone);
    return bones;
}

std::uint64_t keyCount(const Animation& animation) {
    std::uint64_t properties = 0;
    if (const StreamAnimation* stream = animation.stream()) {
        for (const StreamChannel& channel : stream->channels)
            properties += std::uint64_t{channel.rotation.has_value()} + channel.translation.has_value() +
                          channel.scale.has_value();
        return properties * (streamKeyCount(*stream) + 1);
    }
    constexpr std::uint64_t kMostProperties = 3;
    return movedBones(animation).size() * kMostProperties * animation.arrays()->keyCount;
}

ValueReader::ValueReader(const Animation& animation)
    : animation_(animation),
      bones_(movedBones(animation)),
      streamKeys_(animation.stream() != nullptr ? streamKeyCount(*animation.stream()) : 0),
      rotations_(divisorOf(animation)) {}

ChannelValues ValueReader::operator[](std::size_t index) const {
    const StreamAnimation* stream = animation_.stream();
    if (stream == nullptr)
        return channelOf(*animation_.arrays(), bones_[index]);
    const StreamChannel& channel = stream->channels[index];
    return {channel.bone, rotationsOf(channel, rotations_),
            vectorsOf(channel.translation, static_cast<double>(stream->translationMultiplier), streamKeys_),
            vectorsOf(channel.scale, static_cast<double>(stream->scaleMultiplier), streamKeys_)};
}

}  // namespace reanima::metroid
