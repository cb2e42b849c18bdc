#include "formats/metroid/animation/edits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "core/axes.h"
#include "core/pose.h"
#include "core/rotation.h"
#include "formats/metroid/animation/quantize.h"
#include "formats/metroid/animation/values.h"

namespace reanima::metroid {

namespace {

using SignOfW = core::SineRotations::SignOfW;
using Numbers = std::array<std::int16_t, 3>;

using core::axes::toZUp;
/// A property as whole numbers per key. For rotations, also the signs of W.
struct PropertyKeys {
    std::vector<Numbers> numbers;
    std::vector<bool> isNegative;

    static PropertyKeys of(const Property& property, const std::vector<std::int32_t>* signs, std::size_t keys) {
        PropertyKeys result;
        std::array<std::uint32_t, 3> running{};
        for (std::size_t key = 0; key < keys; ++key) {
            Numbers numbers{};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const Component& component = property.components[axis];
                if (key == 0)
                    running[axis] = static_cast<std::uint32_t>(component.initial);
                else if (!component.changes.empty())
                    running[axis] += static_cast<std::uint32_t>(component.changes[key - 1]);
                numbers[axis] = static_cast<std::int16_t>(running[axis]);  // wraps, as in the game
            }
            result.numbers.push_back(numbers);
            result.isNegative.push_back(signs != nullptr && key > 0 && (*signs)[key - 1] != 0);
        }
        return result;
    }

    /// Stores the numbers. Changes have at least their old width.
    void store(Property& property, std::vector<std::int32_t>* signs) const {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Component component;
            component.initial = numbers.front()[axis];
            for (std::size_t key = 1; key < numbers.size(); ++key)
                component.changes.push_back(static_cast<std::int16_t>(numbers[key][axis] - numbers[key - 1][axis]));
            component.bits = std::max(bitsFor(component.changes), property.components[axis].bits);
            if (component.bits == 0)
                component.changes.clear();
            property.components[axis] = std::move(component);
        }
        if (signs == nullptr)
            return;
        signs->clear();
        for (std::size_t key = 1; key < numbers.size(); ++key)
            signs->push_back(isNegative[key] ? -1 : 0);
    }
};

/// @throws DecodeError for positions that no file may contain
void requireReachable(const core::Asset& original, const core::ClipEdit& edit, double scale) {
    constexpr double kLargest = 1e18;  // the limit of readers
    for (const core::JointEdit& joint : edit.joints)
        for (const core::TranslationEdit& moved : joint.translations)
            for (int axis = 0; axis < 3; ++axis)
                if (!(std::abs(moved.translation[axis]) / scale <= kLargest))
                    throw core::DecodeError({original.clips[edit.clip].name, std::nullopt},
                                            fmt::format("frame {}: a position is {} units, expected at most {}",
                                                        moved.frame, moved.translation[axis] / scale, kLargest));
}

/// Changes an animation of type 2.
class StreamWriter {
  public:
    StreamWriter(StreamAnimation& stream, std::vector<std::uint32_t> frames, double scale)
        : stream_(stream), keys_(std::move(frames)), rotations_(std::max(stream.rotationDivisor, 1U)), scale_(scale) {}

    /// True if a frame can change alone: it and the frames beside it have keys, so that no interpolated frame depends
    /// on it.
    [[nodiscard]] bool isAlone(std::uint32_t frame) const {
        const auto isKey = [this](std::uint32_t at) { return std::ranges::binary_search(keys_, at); };
        return isKey(frame) && (frame == 0 || isKey(frame - 1)) &&
               (frame + 1 >= stream_.frameCount || isKey(frame + 1));
    }

    /// Sets keys in every frame, for this number of frames. New keys are interpolated as in the game.
    void setFrames(std::uint32_t frames) {
        const std::vector<std::uint32_t> before = keys_;
        keys_.clear();
        for (std::uint32_t frame = 0; frame < frames; ++frame)
            keys_.push_back(frame);
        stream_.frameCount = frames;
        stream_.bitmap.assign((frames + kWordBits - 1) / kWordBits, 0);
        for (std::uint32_t frame = 1; frame < frames; ++frame)
            stream_.bitmap[frame / kWordBits] |= 1U << (frame % kWordBits);
        for (StreamChannel& channel : stream_.channels) {
            if (channel.rotation) {
                const PropertyKeys old = PropertyKeys::of(*channel.rotation, &channel.signs, before.size());
                spread(old, before, true).store(*channel.rotation, &channel.signs);
            }
            for (std::optional<Property>* property : {&channel.translation, &channel.scale})
                if (*property)
                    spread(PropertyKeys::of(**property, nullptr, before.size()), before, false)
                        .store(**property, nullptr);
        }
        for (StreamChannel& channel : stream_.channels)
            for (std::optional<Property>* property : {&channel.rotation, &channel.translation, &channel.scale})
                if (*property)
                    (*property)->keyCount =
                        static_cast<std::uint16_t>(std::clamp<std::size_t>(keys_.size() - 1, 1, 0xFFFF));
    }

    /// @param firstNew the first frame without a valid stored sign; it gets the sign nearer to the previous frame
    void turn(StreamChannel& channel, const std::vector<core::RotationEdit>& edits, std::uint32_t firstNew) const {
        PropertyKeys keys = PropertyKeys::of(*channel.rotation, &channel.signs, keys_.size());
        for (const core::RotationEdit& edit : edits) {
            const std::size_t key = keyOf(edit.frame);
            glm::dquat q = glm::normalize(toZUp(edit.rotation));
            if (glm::dot(q, rotationAt(keys, key)) < 0)
                q = -q;
            keys.numbers[key] = rotations_.nearest(q);
            keys.isNegative[key] = q.w < 0;
        }
        const auto negate = [&keys](std::size_t key) {
            for (std::int16_t& number : keys.numbers[key])
                number = static_cast<std::int16_t>(std::min(-number, 32767));
            keys.isNegative[key] = !keys.isNegative[key];
        };
        for (std::size_t key = std::max<std::size_t>(keyOf(firstNew), 1); key < keys.numbers.size(); ++key)
            if (glm::dot(rotationAt(keys, key), rotationAt(keys, key - 1)) < 0)
                negate(key);
        if (keys.isNegative.front())  // the first key stores no sign
            for (std::size_t key = 0; key < keys.numbers.size(); ++key)
                negate(key);
        keys.store(*channel.rotation, &channel.signs);
    }

    void move(StreamChannel& channel, const std::vector<core::TranslationEdit>& edits, const std::string& clip) const {
        PropertyKeys keys = PropertyKeys::of(*channel.translation, nullptr, keys_.size());
        for (const core::TranslationEdit& edit : edits) {
            const glm::dvec3 value =
                toZUp(edit.translation) / (scale_ * static_cast<double>(stream_.translationMultiplier));
            for (int axis = 0; axis < 3; ++axis) {
                const double number = std::round(value[axis]);
                using Limits = std::numeric_limits<std::int16_t>;
                if (!(number >= Limits::min() && number <= Limits::max()))
                    throw core::DecodeError(
                        {clip, std::nullopt},
                        fmt::format("frame {}: a position is {} times the multiplier, expected {} to {}", edit.frame,
                                    number, Limits::min(), Limits::max()));
                keys.numbers[keyOf(edit.frame)][static_cast<std::size_t>(axis)] = static_cast<std::int16_t>(number);
            }
        }
        keys.store(*channel.translation, nullptr);
    }

    /// Adds missing channels for everything that an edit changes; all their keys are the rest pose.
    void addMissing(const core::Skeleton& skeleton, const core::ClipEdit& edit, Game game) {
        for (const core::JointEdit& joint : edit.joints) {
            const core::Joint& own = skeleton.joints[joint.joint];
            if (!own.id || *own.id > mostBoneId(game, ContentKind::stream) ||
                (joint.rotations.empty() && joint.translations.empty()))
                continue;
            StreamChannel& channel = channelFor(*own.id);
            if (!joint.rotations.empty() && !channel.rotation) {
                const glm::dquat rest = glm::normalize(toZUp(glm::dquat(own.rest.rotation)));
                const glm::dquat q = rest.w < 0 ? -rest : rest;
                channel.rotation = constant(rotations_.nearest(q));
                channel.signs.assign(keys_.size() - 1, 0);
            }
            if (!joint.translations.empty() && !channel.translation)
                channel.translation = constant(numbersOf(own.rest.translation));
        }
    }

    /// Enlarges the multiplier if an edit's positions, or the rest positions of its joints, don't fit in 16 bits.
    void reach(const core::Skeleton& skeleton, const core::ClipEdit& edit) {
        constexpr double kMost = 32767;
        double most = 0;
        const auto include = [this, &most](const glm::dvec3& place) {
            for (int axis = 0; axis < 3; ++axis)
                most = std::max(most, std::abs(place[axis]) / scale_);
        };
        for (const core::JointEdit& joint : edit.joints) {
            if (!joint.translations.empty())
                include(skeleton.joints[joint.joint].rest.translation);
            for (const core::TranslationEdit& moved : joint.translations)
                include(moved.translation);
        }
        const double before = stream_.translationMultiplier;
        if (most <= kMost * std::abs(before))
            return;
        stream_.translationMultiplier = std::nextafter(static_cast<float>(most / kMost), 1e30F);
        const double ratio = before / static_cast<double>(stream_.translationMultiplier);
        for (StreamChannel& channel : stream_.channels) {
            if (!channel.translation)
                continue;
            PropertyKeys keys = PropertyKeys::of(*channel.translation, nullptr, keys_.size());
            for (Numbers& numbers : keys.numbers)
                for (std::int16_t& number : numbers)
                    number = static_cast<std::int16_t>(std::lround(number * ratio));
            keys.store(*channel.translation, nullptr);
        }
    }

    /// The largest rotation error of a bone in changed frames, in degrees.
    [[nodiscard]] double errorOf(const StreamChannel& channel, const std::vector<core::RotationEdit>& edits) const {
        const PropertyKeys keys = PropertyKeys::of(*channel.rotation, &channel.signs, keys_.size());
        double worst = 0;
        for (const core::RotationEdit& edit : edits)
            worst = std::max(worst, core::degreesBetween(glm::normalize(toZUp(edit.rotation)),
                                                         glm::normalize(rotationAt(keys, keyOf(edit.frame)))));
        return worst;
    }

  private:
    StreamChannel& channelFor(std::uint32_t bone) {
        const auto found = std::ranges::find(stream_.channels, bone, &StreamChannel::bone);
        if (found != stream_.channels.end())
            return *found;
        ++stream_.channelCount;
        ++stream_.channelCount2;
        StreamChannel& added = stream_.channels.emplace_back();
        added.bone = bone;
        return added;
    }

    [[nodiscard]] Property constant(const Numbers& numbers) const {
        Property property;
        property.keyCount = static_cast<std::uint16_t>(std::clamp<std::size_t>(keys_.size() - 1, 1, 0xFFFF));
        for (std::size_t axis = 0; axis < 3; ++axis)
            property.components[axis].initial = numbers[axis];
        return property;
    }

    [[nodiscard]] Numbers numbersOf(const glm::vec3& place) const {
        const double unit = scale_ * static_cast<double>(stream_.translationMultiplier);
        constexpr double kMost = 32767;
        Numbers numbers{};
        if (unit == 0)  // every number means position 0
            return numbers;
        const glm::dvec3 value = toZUp(glm::dvec3(place)) / unit;
        for (int axis = 0; axis < 3; ++axis)
            numbers[static_cast<std::size_t>(axis)] =
                static_cast<std::int16_t>(std::lround(std::clamp(value[axis], -kMost, kMost)));
        return numbers;
    }

    [[nodiscard]] std::size_t keyOf(std::uint32_t frame) const {
        return static_cast<std::size_t>(std::distance(keys_.begin(), std::ranges::lower_bound(keys_, frame)));
    }

    [[nodiscard]] glm::dquat rotationAt(const PropertyKeys& keys, std::size_t key) const {
        return rotations_.rotation(keys.numbers[key], keys.isNegative[key] ? SignOfW::negative : SignOfW::positive);
    }

    /// @param before frames of the old keys
    [[nodiscard]] PropertyKeys spread(const PropertyKeys& keys, const std::vector<std::uint32_t>& before,
                                      bool isRotation) const {
        PropertyKeys all;
        for (const std::uint32_t frame : keys_) {
            const auto after = std::ranges::lower_bound(before, frame);
            const auto key = static_cast<std::size_t>(std::distance(before.begin(), after));
            const bool isPast = after == before.end();
            if (isPast || *after == frame) {
                all.numbers.push_back(isPast ? keys.numbers.back() : keys.numbers[key]);
                all.isNegative.push_back(isPast ? keys.isNegative.back() : keys.isNegative[key]);
                continue;
            }
            const double share = static_cast<double>(frame - before[key - 1]) / (before[key] - before[key - 1]);
            Numbers numbers{};
            bool isNegative = false;
            if (isRotation) {
                const glm::dquat q = glm::normalize(glm::mix(rotationAt(keys, key - 1), rotationAt(keys, key), share));
                numbers = rotations_.nearest(q);
                isNegative = q.w < 0;
            } else {
                for (std::size_t axis = 0; axis < 3; ++axis)
                    numbers[axis] = static_cast<std::int16_t>(
                        std::lround(std::lerp(keys.numbers[key - 1][axis], keys.numbers[key][axis], share)));
            }
            all.numbers.push_back(numbers);
            all.isNegative.push_back(isNegative);
        }
        return all;
    }

    StreamAnimation& stream_;
    std::vector<std::uint32_t> keys_;  // frames with a key
    core::SineRotations rotations_;
    double scale_;
};

/// The values of one array of a type 0 animation. Null if the channel has no array.
template <typename Value>
Value* arrayOf(std::vector<Value>& values, std::uint8_t array, std::uint32_t keys) {
    return array == kNoChannel ? nullptr : values.data() + std::size_t{array} * keys;
}

template <typename Value>
void setKeys(std::vector<Value>& values, std::uint32_t before, std::uint32_t now) {
    std::vector<Value> result;
    for (std::size_t begin = 0; begin < values.size(); begin += before)
        for (std::uint32_t key = 0; key < now; ++key)
            result.push_back(values[begin + std::min(key, before - 1)]);
    values = std::move(result);
}

/// The first frame of an edit for which no stored rotation determines the sign of the new rotation. Signs matter
/// because the game interpolates between quaternions exactly as they are stored.
std::uint32_t firstNewFrame(const core::Asset& original, const core::ClipEdit& edit) {
    return edit.use == core::EditUse::replaces ? 0 : original.clips[edit.clip].frames;
}

/// The parts of an edit that an animation can store.
class Channels {
  public:
    Channels(const core::Asset& original, const core::ClipEdit& edit) : original_(original), edit_(edit) {}

    /// Calls turn(bone, edits) and move(bone, edits). These functions return false if the bone has no such channel.
    template <typename Turn, typename Move>
    std::vector<std::string> forEach(const Turn& turn, const Move& move) {
        for (const core::JointEdit& joint : edit_.joints) {
            const core::Joint& own = original_.skeleton->joints[joint.joint];
            if (joint.isScaled)
                lose(own, "is scaled, which can't be written");
            if (!own.id) {
                if (!joint.rotations.empty() || !joint.translations.empty())
                    lose(own, "moves, but is not a bone of the game's skeleton");
                continue;
            }
            if (!joint.rotations.empty() && !turn(*own.id, joint.rotations))
                lose(own, "is rotated, but the animation has no rotations for it");
            if (!joint.translations.empty() && !move(*own.id, joint.translations))
                lose(own, "is moved, but the animation has no positions for it");
        }
        return std::move(losses_);
    }

  private:
    void lose(const core::Joint& joint, const char* what) {
        losses_.push_back(fmt::format("{}: {} {}", original_.clips[edit_.clip].name, joint.name, what));
    }

    const core::Asset& original_;
    const core::ClipEdit& edit_;
    std::vector<std::string> losses_;
};

std::vector<std::string> applyToStream(StreamAnimation& stream, Game game, std::vector<std::uint32_t> frames,
                                       const core::Asset& original, const core::ClipEdit& edit, double scale) {
    StreamWriter writer(stream, std::move(frames), scale);
    if (edit.use == core::EditUse::replaces) {
        writer.reach(*original.skeleton, edit);
        writer.addMissing(*original.skeleton, edit, game);
    }
    const auto isAlone = [&writer](const auto& change) { return writer.isAlone(change.frame); };
    const bool fits =
        edit.frames == stream.frameCount && std::ranges::all_of(edit.joints, [&](const auto& joint) {
            return std::ranges::all_of(joint.rotations, isAlone) && std::ranges::all_of(joint.translations, isAlone);
        });
    constexpr std::uint32_t kMostFrames = 0x10000;  // one key per frame after the first, counted in 16 bits
    if (!fits && edit.frames > kMostFrames)
        throw core::DecodeError({original.clips[edit.clip].name, std::nullopt},
                                fmt::format("has {} frames, expected at most {}", edit.frames, kMostFrames));
    if (!fits)
        writer.setFrames(edit.frames);
    const auto channelOf = [&stream](std::uint32_t bone) {
        const auto found = std::ranges::find(stream.channels, bone, &StreamChannel::bone);
        return found == stream.channels.end() ? nullptr : &*found;
    };
    return Channels(original, edit)
        .forEach(
            [&](std::uint32_t bone, const std::vector<core::RotationEdit>& edits) {
                StreamChannel* channel = channelOf(bone);
                if (channel == nullptr || !channel->rotation)
                    return false;
                writer.turn(*channel, edits, firstNewFrame(original, edit));
                return true;
            },
            [&](std::uint32_t bone, const std::vector<core::TranslationEdit>& edits) {
                StreamChannel* channel = channelOf(bone);
                if (channel == nullptr || !channel->translation)
                    return false;
                writer.move(*channel, edits, original.clips[edit.clip].name);
                return true;
            });
}

/// Adds missing channels for everything that an edit changes; all their keys are the rest pose.
class ArrayChannels {
  public:
    ArrayChannels(ArrayAnimation& arrays, Game game, double scale) : arrays_(arrays), game_(game), scale_(scale) {}

    void addMissing(const core::Skeleton& skeleton, const core::ClipEdit& edit) {
        for (const core::JointEdit& joint : edit.joints) {
            const core::Joint& own = skeleton.joints[joint.joint];
            if (!own.id || *own.id > mostBoneId(game_, ContentKind::arrays) ||
                (joint.rotations.empty() && joint.translations.empty()))
                continue;
            const std::optional<std::uint8_t> channel = channelFor(*own.id, own.rest);
            if (!channel)
                continue;
            if (!joint.rotations.empty() && game_ == Game::echoes && arrays_.rotationOf[*channel] == kNoChannel)
                arrays_.rotationOf[*channel] = addRotations(own.rest);
            if (!joint.translations.empty() && arrays_.translationOf[*channel] == kNoChannel)
                arrays_.translationOf[*channel] = addTranslations(own.rest);
        }
    }

  private:
    /// @return empty if the tables have no room for another channel
    std::optional<std::uint8_t> channelFor(std::uint32_t bone, const core::Transform& rest) {
        if (arrays_.slots.size() <= bone)
            arrays_.slots.resize(bone + 1, kNoChannel);
        if (arrays_.slots[bone] != kNoChannel)
            return arrays_.slots[bone];
        if (arrays_.translationOf.size() >= kNoChannel)
            return std::nullopt;
        const auto channel = static_cast<std::uint8_t>(arrays_.translationOf.size());
        if (game_ == Game::echoes) {
            arrays_.rotationOf.push_back(kNoChannel);
            arrays_.scaleOf.push_back(kNoChannel);
        }
        while (game_ == Game::prime && arrays_.rotations.size() <= std::size_t{channel} * arrays_.keyCount)
            addRotations(rest);
        arrays_.translationOf.push_back(kNoChannel);
        arrays_.slots[bone] = channel;
        return channel;
    }

    /// @return the number of the array; kNoChannel if tables can't store it
    std::uint8_t addRotations(const core::Transform& rest) {
        const glm::dquat q = glm::normalize(toZUp(glm::dquat(rest.rotation)));
        return append(arrays_.rotations, std::array{static_cast<float>(q.w), static_cast<float>(q.x),
                                                    static_cast<float>(q.y), static_cast<float>(q.z)});
    }
    std::uint8_t addTranslations(const core::Transform& rest) {
        const glm::dvec3 at = toZUp(glm::dvec3(rest.translation)) / scale_;
        return append(arrays_.translations,
                      std::array{static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)});
    }

    template <typename Value>
    std::uint8_t append(std::vector<Value>& values, const Value& value) {
        const std::size_t array = values.size() / arrays_.keyCount;
        if (array >= kNoChannel)
            return kNoChannel;
        values.insert(values.end(), arrays_.keyCount, value);
        return static_cast<std::uint8_t>(array);
    }

    ArrayAnimation& arrays_;
    Game game_;
    double scale_;
};

float dot(const std::array<float, 4>& a, const std::array<float, 4>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

std::vector<std::string> applyToArrays(ArrayAnimation& arrays, Game game, const core::Asset& original,
                                       const core::ClipEdit& edit, double scale) {
    if (edit.use == core::EditUse::replaces && arrays.keyCount > 0)
        ArrayChannels(arrays, game, scale).addMissing(*original.skeleton, edit);
    if (edit.frames != arrays.keyCount) {
        setKeys(arrays.rotations, arrays.keyCount, edit.frames);
        setKeys(arrays.translations, arrays.keyCount, edit.frames);
        setKeys(arrays.scales, arrays.keyCount, edit.frames);
        arrays.keyCount = edit.frames;
    }
    const auto channelOf = [&arrays](std::uint32_t bone) {
        return bone < arrays.slots.size() ? arrays.slots[bone] : kNoChannel;
    };
    const auto in = [](const core::ByteVector& table, std::uint8_t channel) {
        return table.empty() || channel == kNoChannel ? kNoChannel : table[channel];
    };
    return Channels(original, edit)
        .forEach(
            [&](std::uint32_t bone, const std::vector<core::RotationEdit>& edits) {
                const std::uint8_t channel = channelOf(bone);
                std::array<float, 4>* keys =
                    arrayOf(arrays.rotations, arrays.rotationOf.empty() ? channel : in(arrays.rotationOf, channel),
                            arrays.keyCount);
                for (const core::RotationEdit& change : edits) {
                    if (keys == nullptr)
                        return false;
                    std::array<float, 4>& key = keys[change.frame];
                    glm::dquat q = toZUp(change.rotation);
                    if (glm::dot(q, glm::dquat(key[0], key[1], key[2], key[3])) < 0)
                        q = -q;
                    key = {static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y),
                           static_cast<float>(q.z)};
                }
                for (std::uint32_t key = std::max(firstNewFrame(original, edit), 1U); key < arrays.keyCount; ++key)
                    if (dot(keys[key], keys[key - 1]) < 0)
                        for (float& component : keys[key])
                            component = -component;
                return true;
            },
            [&](std::uint32_t bone, const std::vector<core::TranslationEdit>& edits) {
                std::array<float, 3>* keys =
                    arrayOf(arrays.translations, in(arrays.translationOf, channelOf(bone)), arrays.keyCount);
                for (const core::TranslationEdit& change : edits) {
                    if (keys == nullptr)
                        return false;
                    const glm::dvec3 at = toZUp(change.translation) / scale;
                    keys[change.frame] = {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)};
                }
                return true;
            });
}

}  // namespace

core::StoredSteps stepsOf(const Animation& animation, double scale) {
    constexpr double kDegrees = 0.002;  // for floats: about fifty times the error of a round trip through Blender
    constexpr double kMetres = 5e-6;
    const StreamAnimation* stream = animation.stream();
    if (stream == nullptr)
        return {kDegrees, kMetres};
    // Numbers stand for half angles, so rounding by half a unit turns a joint by 90 degrees / divisor.
    const double half = 90.0 / std::max(stream->rotationDivisor, 1U);
    const double place = std::abs(static_cast<double>(stream->translationMultiplier)) * scale / 2;
    return {std::max(half, 1e-3), std::max(place, kMetres)};
}

std::uint32_t mostBoneId(Game game, ContentKind kind) {
    if (kind == ContentKind::arrays)
        return kNoChannel - 1;  // the game never needs more slots
    return game == Game::echoes ? 0xFF : 0xFFFFFFFF;
}

Animation stillAnimation(Game game, ContentKind kind, double rate, std::uint32_t bone) {
    constexpr std::size_t kSlotsOfRetail = 100;
    constexpr float kFinestMultiplier = 1.0F / (1U << 20U);  // edits enlarge it to fit their positions
    Animation still;
    still.game = game;
    still.rootBone = game == Game::prime ? 3 : 0;  // as in the games
    still.interval = static_cast<float>(1 / rate);
    if (kind == ContentKind::arrays) {
        ArrayAnimation& arrays = still.content.emplace<ArrayAnimation>();
        arrays.keyCount = 1;
        arrays.slots.assign(std::max<std::size_t>(kSlotsOfRetail, bone + 1), kNoChannel);
        arrays.slots[bone] = 0;
        arrays.rotations.push_back({1, 0, 0, 0});
        arrays.translationOf.assign(1, kNoChannel);
        if (game == Game::echoes) {
            arrays.rotationOf.assign(1, 0);
            arrays.scaleOf.assign(1, kNoChannel);
        }
        return still;
    }
    StreamAnimation& stream = still.content.emplace<StreamAnimation>();
    if (game == Game::echoes)
        stream.unknown1 = 0x0101;
    stream.translationMultiplier = kFinestMultiplier;
    stream.bitmap.assign(1, 0);
    stream.channelCount = stream.channelCount2 = 1;
    StreamChannel& channel = stream.channels.emplace_back();
    channel.bone = bone;
    channel.rotation.emplace().keyCount = 1;
    stream.scratchSize = sufficientScratchSize(stream);
    return still;
}

std::vector<std::string> applyCoarsely(Animation& animation, const core::Asset& original, const core::ClipEdit& edit,
                                       double scale, double degrees, core::Diagnostics& diagnostics) {
    constexpr double kFinest = 32767;
    constexpr double kFiner = 1.25;
    double divisor = std::clamp(std::ceil(90.0 / degrees), 1.0, kFinest);  // see stepsOf()
    for (;;) {
        Animation attempt = animation;
        StreamAnimation& stream = std::get<StreamAnimation>(attempt.content);
        stream.rotationDivisor = static_cast<std::uint32_t>(divisor);
        std::vector<std::string> losses = applyEdit(attempt, original, edit, scale);
        const StreamWriter written(stream, keyFrames(attempt), scale);
        double worst = 0;
        for (const core::JointEdit& joint : edit.joints) {
            const auto channel =
                std::ranges::find(stream.channels, original.skeleton->joints[joint.joint].id, &StreamChannel::bone);
            if (channel != stream.channels.end() && channel->rotation)
                worst = std::max(worst, written.errorOf(*channel, joint.rotations));
        }
        if (worst <= degrees || divisor >= kFinest) {
            if (worst > degrees)
                diagnostics.warn(
                    core::Code::recomputed, {original.clips[edit.clip].name, std::nullopt},
                    fmt::format("has rotations near half a turn, which are up to {:.2g} degrees off", worst));
            animation = std::move(attempt);
            return losses;
        }
        divisor = std::min(std::ceil(divisor * kFiner), kFinest);
    }
}

std::vector<std::string> applyEdit(Animation& animation, const core::Asset& original, const core::ClipEdit& edit,
                                   double scale) {
    if (edit.frames == 1 && animation.stream() != nullptr) {
        core::ClipEdit longer = edit;  // frame 0 is not a key, and a key count of 0 would mean that there is no channel
        longer.frames = 2;
        return applyEdit(animation, original, longer, scale);
    }
    requireReachable(original, edit, scale);
    const bool hasOtherLength = edit.frames != frameCount(animation);
    if (hasOtherLength)
        animation.duration = static_cast<float>(lengthOf(edit.frames, animation.interval));
    if (StreamAnimation* stream = std::get_if<StreamAnimation>(&animation.content)) {
        std::vector<std::string> losses =
            applyToStream(*stream, animation.game, keyFrames(animation), original, edit, scale);
        stream->scratchSize = std::max(stream->scratchSize, sufficientScratchSize(*stream));
        return losses;
    }
    return applyToArrays(std::get<ArrayAnimation>(animation.content), animation.game, original, edit, scale);
}

}  // namespace reanima::metroid
