#include "formats/metroid/animation/animation_json.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/metroid/animation/stream_channels_json.h"
#include "formats/metroid/animation/values.h"
#include "formats/metroid/animation/values_json.h"
#include "formats/metroid/json_fields.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

namespace {

using core::Code;
using core::DecodeError;

// ---------------------------------------------------------------------------------------------------------------------
// Type 2: to JSON

std::string unknown1Name(Game game) { return game == Game::prime ? "unknown_0c" : "unknown_08"; }
std::string unknown2Name(Game game) { return game == Game::prime ? "unknown_2c" : "unknown_2a"; }

Json storedToJson(const Property& property) {
    Json initial = Json::array();
    Json bits = Json::array();
    Json changes = Json::array();
    for (const Component& component : property.components) {
        initial.push_back(component.initial);
        bits.push_back(component.bits);
        changes.push_back(component.changes);
    }
    return {{"key_count", property.keyCount},
            {"initial", std::move(initial)},
            {"bits", std::move(bits)},
            {"changes", std::move(changes)}};
}

Json storedToJson(const StreamChannel& channel) {
    Json stored = Json::object();
    if (channel.rotation) {
        stored["rotation"] = storedToJson(*channel.rotation);
        stored["rotation"]["signs"] = channel.signs;
    }
    if (channel.translation)
        stored["translation"] = storedToJson(*channel.translation);
    if (channel.scale)
        stored["scale"] = storedToJson(*channel.scale);
    return stored;
}

Json wordsOf(const StreamAnimation& stream, Game game) {
    Json words = {{"scratch_size", stream.scratchSize},  {unknown1Name(game), stream.unknown1},
                  {"looping", stream.looping},           {"channel_count", stream.channelCount},
                  {unknown2Name(game), stream.unknown2}, {"key_bitmap", stream.bitmap}};
    if (game == Game::prime)
        words["channel_count_2"] = stream.channelCount2;
    words["channels_present"] = stream.channels.size();
    words["tail_bits"] = stream.tailBits;
    return words;
}

// ---------------------------------------------------------------------------------------------------------------------
// Type 2: from JSON

/// Builds an animation of type 2, and reports differences from the stored form.
class StreamFromJson {
  public:
    StreamFromJson(const JsonReader& json, Game game, const core::Limits& limits, DerivedMembers& derived,
                   core::Diagnostics& diagnostics)
        : json_(json), game_(game), limits_(limits), derived_(derived), diagnostics_(diagnostics) {}

    /// True if values were quantised.
    [[nodiscard]] bool quantized() const { return quantized_; }
    [[nodiscard]] const std::vector<ChannelValues>& values() const { return values_; }

    StreamAnimation read() {
        readWords();
        readBitmap();
        StreamChannels channels = readStreamChannels(json_, game_, keys_, stream_, diagnostics_);
        if (newBitmap_)
            setKeyCounts();
        values_ = std::move(channels.values);
        quantized_ = channels.quantized;
        changed_ = changed_ || channels.changed;
        finish();
        return std::move(stream_);
    }

  private:
    static constexpr std::uint32_t kNoFrame = 0xFFFFFFFF;  // not a frame: the frame count would be 2^32

    void readWords() {
        stream_.rotationDivisor = json_.integerOr<std::uint32_t>("rotation_divisor", stream_.rotationDivisor);
        stream_.unknown1 = game_ == Game::prime ? 1 : 0x0101;
        if (json_.has("words")) {
            const JsonReader words = json_.at("words");
            words.requireObject();
            stream_.scratchSize = words.integerOr<std::uint32_t>("scratch_size", 0);
            stream_.unknown1 = game_ == Game::prime
                                   ? words.integerOr<std::uint32_t>(unknown1Name(game_), stream_.unknown1)
                                   : words.integerOr<std::uint16_t>(unknown1Name(game_), 0x0101);
            stream_.unknown2 = words.integerOr<std::uint32_t>(unknown2Name(game_), stream_.unknown2);
            stream_.looping = words.integerOr<std::uint32_t>("looping", 0);
            stream_.channelCount = words.integerOr<std::uint32_t>("channel_count", 0);
            stream_.channelCount2 = words.integerOr<std::uint32_t>("channel_count_2", 0);
            channelsPresent_ = words.integerOr<std::uint32_t>("channels_present", 0);
            stream_.tailBits = words.integerOr<std::uint32_t>("tail_bits", 0);
            if (words.has("key_bitmap"))
                stream_.bitmap = words.at("key_bitmap").integers<std::uint32_t>();
        }
        if (json_.has("looping") && json_.at("looping").flag() != (stream_.looping != 0))
            stream_.looping = stream_.looping == 0 ? 1 : 0;
        if (json_.has("words"))
            derived_.expect(json_.at("words"), "looping", stream_.looping);
    }

    /// The frames that have keys. The last one must be below the frame count.
    std::vector<std::uint32_t> readKeyFrames() {
        const JsonReader list = json_.at("key_frames");
        std::vector<std::uint32_t> frames = list.integers<std::uint32_t>();
        for (std::size_t i = 0; i < frames.size(); ++i)
            if ((i == 0) != (frames[i] == 0) || (i > 0 && frames[i] <= frames[i - 1]) || frames[i] == kNoFrame)
                list.at(i).fail("frame 0, then later frames in ascending order");
        if (frames.empty())
            list.fail("at least frame 0");
        stream_.frameCount = json_.at("frame_count").integer<std::uint32_t>();
        if (frames.back() >= stream_.frameCount) {
            recomputed(diagnostics_, "frame_count",
                       fmt::format("is {}, but the last key is in frame {}; {} is written", stream_.frameCount,
                                   frames.back(), frames.back() + 1));
            stream_.frameCount = frames.back() + 1;
        }
        return frames;
    }

    /// Uses the stored bitmap if it matches the key frames, otherwise makes a new one.
    void readBitmap() {
        const std::vector<std::uint32_t> frames = readKeyFrames();
        keys_ = frames.size() - 1;
        const std::size_t words = (std::size_t{stream_.frameCount} + 31) / 32;
        if (stream_.bitmap.size() == words && keyFrames(Animation{game_, 0, 0, 0, 0, stream_, {}}) == frames)
            return;
        if (json_.has("words") && json_.at("words").has("key_bitmap"))
            recomputed(diagnostics_, "words.key_bitmap", "does not match the key frames and is rewritten");
        constexpr std::size_t kMostWordsPerKey = 1U << 20U;
        if (words > frames.size() * kMostWordsPerKey)
            json_.at("frame_count").fail("fewer frames for this number of keys");
        core::requireMemory(words * sizeof(std::uint32_t), limits_, json_.at("frame_count").place());
        stream_.bitmap.assign(words, 0);
        for (const std::uint32_t frame : frames)
            stream_.bitmap[frame / 32] |= 1U << (frame % 32);
        changed_ = true;
        newBitmap_ = true;
    }

    /// With a new bitmap, every property has a key at each key frame.
    void setKeyCounts() {
        constexpr std::size_t kMost = 0xFFFF;
        for (StreamChannel& channel : stream_.channels)
            for (const auto property : {&StreamChannel::rotation, &StreamChannel::translation, &StreamChannel::scale})
                if (channel.*property)
                    (channel.*property)->keyCount =
                        static_cast<std::uint16_t>(std::clamp<std::size_t>(keys_, 1, kMost));
    }

    /// Updates a counter of channels, with a warning.
    void recount(std::uint32_t& counter, const char* name, std::uint32_t count) {
        if (counter != count && json_.has("words") && json_.at("words").has(name))
            recomputed(diagnostics_, fmt::format("words.{}", name),
                       fmt::format("is {}, but there are {} channels; {} is written", counter, count, count));
        counter = count;
    }

    /// Updates counts and sizes that depend on other values.
    void finish() {
        const auto count = static_cast<std::uint32_t>(stream_.channels.size());
        const auto isStated = [this](const char* word) { return json_.has("words") && json_.at("words").has(word); };
        if (json_.has("words"))
            derived_.expect(json_.at("words"), "channels_present", count);
        if (!isStated("channel_count"))
            stream_.channelCount = count;
        if (game_ == Game::prime && !isStated("channel_count_2"))
            stream_.channelCount2 = count;
        if (channelsPresent_ != count) {
            recount(stream_.channelCount, "channel_count", count);
            recount(stream_.channelCount2, "channel_count_2", count);
            changed_ = true;
        }
        if (changed_)
            stream_.tailBits = 0;
        if (!changed_ && isStated("scratch_size"))
            return;
        const std::uint32_t needed = sufficientScratchSize(stream_);
        if (stream_.scratchSize < needed) {
            if (stream_.scratchSize > 0)
                recomputed(diagnostics_, "words.scratch_size",
                           fmt::format("is {}, which is too small for the changed values; {} is written",
                                       stream_.scratchSize, needed));
            stream_.scratchSize = needed;
        }
    }

    const JsonReader& json_;
    Game game_;
    const core::Limits& limits_;
    DerivedMembers& derived_;
    core::Diagnostics& diagnostics_;
    StreamAnimation stream_;
    std::vector<ChannelValues> values_;
    std::size_t keys_ = 0;  // keys of the stream
    std::uint32_t channelsPresent_ = 0;
    bool newBitmap_ = false;
    bool changed_ = false;
    bool quantized_ = false;
};

/// Warns if values were edited but the stored numbers were not. The numbers take precedence.
void warnOfIgnoredValues(const std::vector<ChannelValues>& asked, const Animation& animation,
                         core::Diagnostics& diagnostics) {
    const ValueReader written(animation);
    const auto differs = [](const auto& a, const auto& b) {
        for (std::size_t key = 0; key < a.size(); ++key)
            if (a[key] != b[b.size() == 1 ? 0 : key])
                return true;
        return false;
    };
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const ChannelValues values = written[i];
        const std::array<bool, 3> ignored = {differs(asked[i].rotations, values.rotations),
                                             differs(asked[i].translations, values.translations),
                                             differs(asked[i].scales, values.scales)};
        for (std::size_t property = 0; property < ignored.size(); ++property)
            if (ignored[property])
                diagnostics.warn(Code::ignored,
                                 {fmt::format("channels[{}].{}", i, kPropertyNames[property]), std::nullopt},
                                 "differs from the stored numbers, which are used instead. To quantise this value, "
                                 "delete the stored numbers");
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Type 0

template <std::size_t size>
Json unusedToJson(const std::vector<std::array<float, size>>& values, const core::ByteVector& used, std::size_t keys) {
    Json list = Json::array();
    for (std::size_t array = 0; keys > 0 && array < values.size() / keys; ++array) {
        if (array < kNoChannel && std::find(used.begin(), used.end(), array) != used.end())
            continue;
        Json rows = Json::array();
        for (std::size_t key = 0; key < keys; ++key)
            rows.push_back(values[array * keys + key]);
        list.push_back({{"array", array}, {"keys", std::move(rows)}});
    }
    return list;
}

/// The numbers of the arrays that bones use.
/// @param table the array of each channel; null: channel and array have the same number
core::ByteVector usedArrays(const ArrayAnimation& arrays, const core::ByteVector* table) {
    core::ByteVector used;
    for (const std::uint8_t slot : arrays.slots)
        if (slot != kNoChannel)
            used.push_back(table == nullptr ? slot : (*table)[slot]);
    return used;
}

Json wordsOf(const ArrayAnimation& arrays, Game game) {
    const bool prime = game == Game::prime;
    Json words = {
        {"duration_kind", arrays.durationKind}, {"interval_kind", arrays.intervalKind}, {"slots", arrays.slots}};
    if (!prime)
        words["rotation_of"] = arrays.rotationOf;
    words["translation_of"] = arrays.translationOf;
    if (!prime)
        words["scale_of"] = arrays.scaleOf;
    words["rotation_arrays"] = arrays.keyCount == 0 ? 0 : arrays.rotations.size() / arrays.keyCount;
    words["translation_arrays"] = arrays.keyCount == 0 ? 0 : arrays.translations.size() / arrays.keyCount;
    if (!prime)
        words["scale_arrays"] = arrays.keyCount == 0 ? 0 : arrays.scales.size() / arrays.keyCount;
    words["unused_rotations"] =
        unusedToJson(arrays.rotations, usedArrays(arrays, prime ? nullptr : &arrays.rotationOf), arrays.keyCount);
    words["unused_translations"] =
        unusedToJson(arrays.translations, usedArrays(arrays, &arrays.translationOf), arrays.keyCount);
    if (!prime)
        words["unused_scales"] = unusedToJson(arrays.scales, usedArrays(arrays, &arrays.scaleOf), arrays.keyCount);
    return words;
}

std::array<float, 4> floatsOf(const glm::dquat& q) {
    return {static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z)};
}

std::array<float, 3> floatsOf(const glm::dvec3& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// Arrays of one property that are filled one by one.
template <std::size_t size>
class ArrayFiller {
  public:
    ArrayFiller(std::vector<std::array<float, size>>& values, std::size_t keys) : values_(values), keys_(keys) {}

    void resize(std::size_t arrays) {
        values_.assign(arrays * keys_, {});
        filled_.assign(arrays, false);
    }

    /// @return false if there is no such array, or if it already has other values
    template <typename T>
    bool fill(std::size_t array, const std::vector<T>& keys) {
        if (keys.empty() || array == kNoChannel)
            return keys.empty() && array == kNoChannel;
        if (array >= filled_.size())
            return false;
        for (std::size_t key = 0; key < keys_; ++key) {
            std::array<float, size>& value = values_[array * keys_ + key];
            const std::array<float, size> wanted = floatsOf(keys[key]);
            if (filled_[array] && value != wanted)
                return false;
            value = wanted;
        }
        filled_[array] = true;
        return true;
    }

    /// Adds an array. @return its number
    template <typename T>
    std::uint8_t add(const std::vector<T>& keys) {
        if (keys.empty())
            return kNoChannel;
        const std::size_t array = values_.size() / keys_;
        for (const T& key : keys)
            values_.push_back(floatsOf(key));
        return static_cast<std::uint8_t>(array);
    }

    void fillUnused(const JsonReader& list) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            const auto array = list.at(i).at("array").integer<std::uint32_t>();
            const JsonReader keys = list.at(i).at("keys");
            if (array >= filled_.size() || filled_[array] || keys.size() != keys_)
                continue;
            for (std::size_t key = 0; key < keys_; ++key) {
                const std::array<double, size> tuple = tupleFromJson<size>(keys.at(key));
                std::transform(tuple.begin(), tuple.end(), values_[array * keys_ + key].begin(),
                               [](double number) { return static_cast<float>(number); });
            }
            filled_[array] = true;
        }
    }

    /// True if every entry of a table is kNoChannel or an existing array.
    [[nodiscard]] bool holds(const core::ByteVector& table) const {
        return std::all_of(table.begin(), table.end(),
                           [this](std::uint8_t array) { return array == kNoChannel || array < filled_.size(); });
    }

    [[nodiscard]] bool isComplete() const {
        return std::all_of(filled_.begin(), filled_.end(), [](bool filled) { return filled; });
    }

  private:
    std::vector<std::array<float, size>>& values_;
    std::size_t keys_;
    std::vector<bool> filled_;
};

class ArraysFromJson {
  public:
    ArraysFromJson(std::vector<ChannelValues> values, std::uint32_t keyCount, Game game, const core::Limits& limits)
        : values_(std::move(values)),
          game_(game),
          limits_(limits),
          rotations_(arrays_.rotations, keyCount),
          translations_(arrays_.translations, keyCount),
          scales_(arrays_.scales, keyCount) {
        arrays_.keyCount = keyCount;
    }

    /// The tables as stored, if they match the values.
    std::optional<ArrayAnimation> asStored(const JsonReader& words) {
        readWords(words);
        if (!words.has("slots"))
            return std::nullopt;
        arrays_.slots = words.at("slots").integers<std::uint8_t>();
        const auto table = [&words](const char* name) {
            return words.has(name) ? words.at(name).integers<std::uint8_t>() : core::ByteVector{};
        };
        arrays_.translationOf = table("translation_of");
        if (game_ == Game::echoes) {
            arrays_.rotationOf = table("rotation_of");
            arrays_.scaleOf = table("scale_of");
        }
        resize(words, "rotation_arrays", rotations_);
        resize(words, "translation_arrays", translations_);
        resize(words, "scale_arrays", scales_);
        const auto used = static_cast<std::size_t>(
            std::count_if(arrays_.slots.begin(), arrays_.slots.end(), [](std::uint8_t s) { return s != kNoChannel; }));
        if (used != values_.size() || !tablesHold() ||
            !std::all_of(values_.begin(), values_.end(), [&](const ChannelValues& channel) { return fill(channel); }))
            return std::nullopt;
        fillUnused(words, "unused_rotations", rotations_);
        fillUnused(words, "unused_translations", translations_);
        fillUnused(words, "unused_scales", scales_);
        if (!rotations_.isComplete() || !translations_.isComplete() || !scales_.isComplete())
            return std::nullopt;
        return arrays_;
    }

    /// New tables: channels in the order of their bones.
    ArrayAnimation rebuilt() {
        constexpr std::uint32_t kUsualSlots = 100;
        constexpr std::size_t kMostChannels = kNoChannel;
        std::uint32_t slots = std::max(kUsualSlots, static_cast<std::uint32_t>(arrays_.slots.size()));
        for (const ChannelValues& channel : values_) {
            if (channel.bone > 0xFFFF)
                throw DecodeError(
                    {"channels", std::nullopt},
                    fmt::format("has the bone {}, but type 0 stores only bones below 65536", channel.bone));
            slots = std::max(slots, channel.bone + 1);
        }
        if (values_.size() > kMostChannels)
            throw DecodeError(
                {"channels", std::nullopt},
                fmt::format("has {} elements, but type 0 has room for only {}", values_.size(), kMostChannels));
        arrays_.slots.assign(slots, kNoChannel);
        arrays_.rotationOf.clear();
        arrays_.translationOf.clear();
        arrays_.scaleOf.clear();
        arrays_.rotations.clear();
        arrays_.translations.clear();
        arrays_.scales.clear();
        for (ChannelValues& channel : values_) {
            arrays_.slots[channel.bone] = static_cast<std::uint8_t>(arrays_.translationOf.size());
            if (game_ == Game::prime && channel.rotations.empty())  // in Prime, every channel has a rotation
                channel.rotations.assign(arrays_.keyCount, {1, 0, 0, 0});
            const std::uint8_t rotation = rotations_.add(channel.rotations);
            arrays_.translationOf.push_back(translations_.add(channel.translations));
            if (game_ == Game::prime)
                continue;
            arrays_.rotationOf.push_back(rotation);
            arrays_.scaleOf.push_back(scales_.add(channel.scales));
        }
        return arrays_;
    }

  private:
    void readWords(const JsonReader& words) {
        arrays_.durationKind = words.integerOr<std::uint32_t>("duration_kind", 0);
        arrays_.intervalKind = words.integerOr<std::uint32_t>("interval_kind", 0);
    }

    /// Reserves space for the stated number of arrays.
    template <std::size_t size>
    void resize(const JsonReader& words, const char* name, ArrayFiller<size>& filler) {
        constexpr std::int64_t kMostValues = 1 << 28;  // a larger number of arrays can't be in the JSON
        const std::int64_t most = kMostValues / std::max<std::int64_t>(arrays_.keyCount, 1);
        const auto arrays = words.has(name) ? static_cast<std::uint64_t>(words.at(name).integer(0, most)) : 0;
        memory_ += arrays * arrays_.keyCount * size * sizeof(float);
        core::requireMemory(memory_, limits_, {fmt::format("words.{}", name), std::nullopt});
        filler.resize(static_cast<std::size_t>(arrays));
    }

    /// True if the tables point to existing channels and arrays.
    [[nodiscard]] bool tablesHold() const {
        if (!translations_.holds(arrays_.translationOf))
            return false;
        const bool prime = game_ == Game::prime;
        const std::size_t channels =
            prime ? arrays_.translationOf.size()
                  : std::min({arrays_.rotationOf.size(), arrays_.translationOf.size(), arrays_.scaleOf.size()});
        return rotations_.holds(prime ? arrays_.slots : arrays_.rotationOf) && scales_.holds(arrays_.scaleOf) &&
               std::all_of(arrays_.slots.begin(), arrays_.slots.end(),
                           [channels](std::uint8_t slot) { return slot == kNoChannel || slot < channels; });
    }

    bool fill(const ChannelValues& channel) {
        const std::uint8_t slot = channel.bone < arrays_.slots.size() ? arrays_.slots[channel.bone] : kNoChannel;
        const auto arrayIn = [slot](const core::ByteVector& table) {
            return slot < table.size() ? table[slot] : kNoChannel;
        };
        return slot != kNoChannel &&
               rotations_.fill(game_ == Game::prime ? slot : arrayIn(arrays_.rotationOf), channel.rotations) &&
               translations_.fill(arrayIn(arrays_.translationOf), channel.translations) &&
               scales_.fill(arrayIn(arrays_.scaleOf), channel.scales);
    }

    template <std::size_t size>
    static void fillUnused(const JsonReader& words, const char* name, ArrayFiller<size>& filler) {
        if (words.has(name))
            filler.fillUnused(words.at(name));
    }

    std::vector<ChannelValues> values_;
    Game game_;
    const core::Limits& limits_;
    ArrayAnimation arrays_;
    ArrayFiller<4> rotations_;
    ArrayFiller<3> translations_;
    ArrayFiller<3> scales_;
    std::uint64_t memory_ = 0;  // bytes of the arrays
};

// ---------------------------------------------------------------------------------------------------------------------
// The whole animation

/// Requires the memory for the values of all keys as JSON and as text: numbers, and lists of three and four of them.
void requireMemoryForKeys(const Animation& animation, const core::Limits& limits) {
    constexpr std::uint64_t kBytesPerKey = 1024;
    constexpr std::uint64_t kBytesPerKeyFrame = 64;  // the JSON also lists key frames, even if nothing moves
    const std::uint64_t frames =
        animation.stream() != nullptr ? streamKeyCount(*animation.stream()) + 1 : animation.arrays()->keyCount;
    core::requireMemory(keyCount(animation) * kBytesPerKey + frames * kBytesPerKeyFrame, limits,
                        frameCountPlace(animation));
}

Json channelsToJson(const Animation& animation, std::size_t keyCount) {
    const ValueReader values(animation);
    Json channels = Json::array();
    for (std::size_t i = 0; i < values.size(); ++i) {
        Json json = channelToJson(values[i], keyCount);
        if (animation.stream() != nullptr)
            json["stored"] = storedToJson(animation.stream()->channels[i]);
        channels.push_back(std::move(json));
    }
    return channels;
}

/// @throws DecodeError for values that type 0 can't store
void requireRoomInArrays(const JsonReader& channels, const std::vector<ChannelValues>& values, Game game) {
    std::unordered_set<std::uint32_t> bones;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!bones.insert(values[i].bone).second)
            channels.at(i).at("bone").fail("a bone that no earlier channel has");
        if (game == Game::prime && !values[i].scales.empty())
            channels.at(i).at("scale").fail(kNoScales);
    }
}

void readArrays(const JsonReader& json, Animation& animation, const core::Limits& limits, DerivedMembers& derived,
                core::Diagnostics& diagnostics) {
    const JsonReader channels = json.at("channels");
    const auto counted = json.at("frame_count").integer<std::uint32_t>();
    const std::uint32_t frames = commonKeyCount(channels).value_or(counted);
    if (frames != counted)
        recomputed(diagnostics, "frame_count",
                   fmt::format("is {}, but the channels have {} keys; {} is written", counted, frames, frames));
    if (frames == 0 && channels.size() > 0)
        json.at("frame_count").fail("at least 1");
    // Channels without rotations get one in every frame, so a short JSON may state a count that needs much memory.
    constexpr std::uint64_t kBytesPerKey = sizeof(glm::dquat) + sizeof(std::array<float, 4>);
    constexpr std::uint64_t kBytesPerKeyFrame = 2 * sizeof(std::uint32_t);  // twice, since a growing list is copied
    core::requireMemory(frames * (channels.size() * kBytesPerKey + kBytesPerKeyFrame), limits,
                        json.at("frame_count").place());
    std::vector<ChannelValues> values = valuesFromJson(channels, frames);
    requireRoomInArrays(channels, values, animation.game);
    ArraysFromJson arrays(std::move(values), frames, animation.game, limits);
    std::optional<ArrayAnimation> stored;
    if (json.has("words"))
        stored = arrays.asStored(json.at("words"));
    if (!stored && json.has("words"))
        recomputed(diagnostics, "words", "tables and arrays do not fit the values and are rewritten");
    animation.content = stored ? std::move(*stored) : arrays.rebuilt();
    if (json.has("key_frames"))
        derived.expect(json, "key_frames", keyFrames(animation));
    if (json.has("looping")) {
        (void)json.at("looping").flag();
        diagnostics.warn(Code::ignored, json.at("looping").place(), "is left out, because type 0 has no field for it");
    }
    const std::vector<std::uint32_t> bones = movedBones(animation);
    for (std::size_t i = 0; i < bones.size(); ++i)
        if (channels.at(i).at("bone").integer<std::uint32_t>() != bones[i]) {
            diagnostics.note(Code::recomputed, channels.place(), "are written in the order of their bones");
            break;
        }
}

void readStream(const JsonReader& json, Animation& animation, const core::Limits& limits, DerivedMembers& derived,
                core::Diagnostics& diagnostics) {
    StreamFromJson reader(json, animation.game, limits, derived, diagnostics);
    StreamAnimation stream = reader.read();
    if (streamKeyCount(stream) == 0 && reader.quantized()) {
        // A key count of 0 means that a channel has no such property.
        if (stream.frameCount > 1)
            json.at("key_frames").fail("a key frame after frame 0, such as the last frame");
        recomputed(diagnostics, "type", "is 2, which can't store a single frame; 0 is written");
        requireRoomInArrays(json.at("channels"), reader.values(), animation.game);
        animation.content = ArraysFromJson(reader.values(), 1, animation.game, limits).rebuilt();
        return;
    }
    animation.content = std::move(stream);
    warnOfIgnoredValues(reader.quantized() ? std::vector<ChannelValues>{} : reader.values(), animation, diagnostics);
}

/// Updates the duration if frames or interval were edited. A duration that already disagreed with them is kept.
void fitDuration(const JsonReader& json, Animation& animation, core::Diagnostics& diagnostics) {
    const std::uint32_t frames = frameCount(animation);
    const bool isRecounted = frames != json.at("frame_count").integer<std::uint32_t>();
    if (frames > 1 && !isInterval(animation.interval))
        json.at("interval").fail("a number of seconds");
    const auto length = static_cast<float>(lengthOf(frames, animation.interval));
    const bool edited = isRecounted || (json.has("words") && json.at("words").has("length") &&
                                        floatFromJson(json.at("words").at("length")) != length);
    constexpr float kSurelyAnother = 0.5F;  // intervals; smaller differences may be rounding
    if (edited && frames > 1 && !(std::abs(animation.duration - length) <= kSurelyAnother * animation.interval)) {
        recomputed(diagnostics, "duration",
                   fmt::format("is {}, but {} frames at the stated interval last {} seconds; that duration is written",
                               animation.duration, frames, length));
        animation.duration = length;
    }
    if (!std::isfinite(animation.duration) || (frames > 1 && animation.duration <= 0))
        json.at("duration").fail("a number of seconds");
}

Json lengthToJson(const Animation& animation) {
    return shortest(static_cast<float>(lengthOf(frameCount(animation), animation.interval)));
}

/// True if the encoded bytes show which game they belong to.
bool showsItsGame(const Animation& animation, const core::Limits& limits) {
    try {
        core::Diagnostics ignored;
        return decodeAnimation(encodeAnimation(animation), std::nullopt, limits, ignored).game == animation.game;
    } catch (const DecodeError& error) {
        return error.kind() == DecodeError::Kind::limit;
    }
}

}  // namespace

Json toJson(const Animation& animation, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    requireMemoryForKeys(animation, limits);
    const StreamAnimation* stream = animation.stream();
    const std::vector<std::uint32_t> frames = keyFrames(animation);
    Json json = {{"schema", 1},
                 {"format", "metroid-anim"},
                 {"game", gameName(animation.game)},
                 {"type", stream != nullptr ? 2 : 0},
                 {"duration", floatToJson(animation.duration)},
                 {"interval", floatToJson(animation.interval)},
                 {"frame_count", frameCount(animation)},
                 {"key_frames", frames},
                 {"looping", stream != nullptr ? Json(stream->looping != 0) : Json(nullptr)},
                 {"root_bone", animation.rootBone},
                 {"evnt", animation.game == Game::prime ? Json(animation.events) : Json(nullptr)}};
    if (stream != nullptr) {
        json["rotation_divisor"] = stream->rotationDivisor;
        json["translation_multiplier"] = floatToJson(stream->translationMultiplier);
        if (animation.game == Game::echoes)
            json["scale_multiplier"] = floatToJson(stream->scaleMultiplier);
    }
    json["channels"] = channelsToJson(animation, frames.size());
    json["words"] = stream != nullptr ? wordsOf(*stream, animation.game) : wordsOf(*animation.arrays(), animation.game);
    // The duration that follows from frames and interval. It shows readers whether one of them was edited.
    json["words"]["length"] = lengthToJson(animation);
    json["content_size"] = encodeAnimation(animation).size() - animation.padding.size();
    json["padding"] = toHex(animation.padding);
    json["warnings"] = warningsToJson(diagnostics);
    return json;
}

Animation animationFromJson(const JsonReader& json, const core::Limits& limits, core::Diagnostics& diagnostics) {
    Animation animation;
    animation.game = gameFromJson(json.at("game"));
    animation.duration = floatFromJson(json.at("duration"));
    animation.interval = floatFromJson(json.at("interval"));
    animation.rootBone = json.integerOr<std::uint32_t>("root_bone", animation.game == Game::prime ? 3 : 0);
    animation.events = json.integerOr<std::uint32_t>("evnt", kNoEvents);
    DerivedMembers derived;
    if (animation.game == Game::echoes && animation.events != 0 && animation.events != kNoEvents)
        diagnostics.warn(Code::ignored, json.at("evnt").place(), "is left out, because mp2 has no events");
    else if (animation.game == Game::echoes)
        derived.expect(json, "evnt", nullptr);
    const std::int64_t type = json.at("type").integer(0, 2);
    if (type == 1)
        json.at("type").fail("0 or 2");
    if (type == 2)
        readStream(json, animation, limits, derived, diagnostics);
    else
        readArrays(json, animation, limits, derived, diagnostics);
    fitDuration(json, animation, diagnostics);
    if (json.has("words"))
        derived.expect(json.at("words"), "length", lengthToJson(animation));
    animation.padding = paddingFromJson(json, encodeAnimation(animation).size(), derived, diagnostics);
    derived.report(diagnostics);
    if (!showsItsGame(animation, limits))
        noteHiddenGame(animation.game, diagnostics);
    return animation;
}

}  // namespace reanima::metroid
