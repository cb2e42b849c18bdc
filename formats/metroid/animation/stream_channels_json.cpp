#include "formats/metroid/animation/stream_channels_json.h"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "formats/metroid/animation/quantize.h"
#include "formats/metroid/animation/values_json.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

namespace {

using core::Code;

/// The properties of a channel, in the order of kPropertyNames.
constexpr std::array kProperties = {&StreamChannel::rotation, &StreamChannel::translation, &StreamChannel::scale};

bool hasValues(const ChannelValues& values, std::size_t property) {
    return !(property == 0   ? values.rotations.empty()
             : property == 1 ? values.translations.empty()
                             : values.scales.empty());
}

/// Reads the channels of one animation.
class StreamChannelReader {
  public:
    StreamChannelReader(const JsonReader& json, Game game, std::size_t keys, StreamAnimation& stream,
                        core::Diagnostics& diagnostics)
        : json_(json), game_(game), keys_(keys), stream_(stream), diagnostics_(diagnostics) {}

    StreamChannels read() {
        result_.values = valuesFromJson(json_.at("channels"), keys_ + 1);
        for (std::size_t i = 0; i < result_.values.size(); ++i)
            channels_.push_back({result_.values[i], storedChannel(i)});
        setMultiplier(kTranslations, 1, "translation_multiplier", stream_.translationMultiplier);
        setMultiplier(kScales, 2, "scale_multiplier", stream_.scaleMultiplier);
        setDivisor();
        for (std::size_t i = 0; i < channels_.size(); ++i)
            checkChannel(i);
        noteReplaced();
        const QuantizationError error = quantizeMissing(channels_, stream_);
        if (result_.quantized)
            diagnostics_.note(Code::assumed, {},
                              fmt::format("values were quantised; rotations are off by up to {:.3g} degrees, "
                                          "translations by {:.3g}, and scales by {:.3g}",
                                          error.degrees, error.translation, error.scale));
        if (replaced_ > 0)
            diagnostics_.note(
                Code::recomputed, replacedPlace_,
                fmt::format("does not fit {} key{}, or the multiplier or divisor; its values are quantised again{}",
                            keys_, keys_ == 1 ? "" : "s",
                            replaced_ > 1 ? fmt::format(" (and those of {} more)", replaced_ - 1) : ""));
        for (ChannelToStore& channel : channels_)
            stream_.channels.push_back(std::move(channel.stored));
        return std::move(result_);
    }

  private:
    [[nodiscard]] JsonReader channelAt(std::size_t channel) const { return json_.at("channels").at(channel); }

    // -----------------------------------------------------------------------------------------------------------------
    // Stored numbers

    [[nodiscard]] std::optional<JsonReader> storedOf(std::size_t channel, std::size_t property) const {
        const JsonReader json = channelAt(channel);
        if (!json.has("stored") || !json.at("stored").has(kPropertyNames[property]))
            return std::nullopt;
        return json.at("stored").at(kPropertyNames[property]);
    }

    /// False if the number of keys was changed.
    [[nodiscard]] bool fitsKeys(const JsonReader& stored, std::size_t property) const {
        const JsonReader changes = stored.at("changes");
        for (const char* name : {"initial", "bits", "changes"})
            stored.at(name).requireSize(3);
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (changes.at(axis).size() != (stored.at("bits").at(axis).integer<std::uint8_t>() == 0 ? 0 : keys_) &&
                changes.at(axis).size() != keys_)
                return false;
        return property != 0 || stored.at("signs").size() == keys_;
    }

    static Property propertyFrom(const JsonReader& stored) {
        Property property;
        property.keyCount = static_cast<std::uint16_t>(stored.at("key_count").integer(1, 0xFFFF));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Component& component = property.components[axis];
            component.initial = stored.at("initial").at(axis).integer<std::int16_t>();
            component.bits = static_cast<std::uint8_t>(stored.at("bits").at(axis).integer(0, 32));
            component.changes = stored.at("changes").at(axis).integers<std::int32_t>();
        }
        return property;
    }

    [[nodiscard]] StreamChannel storedChannel(std::size_t index) const {
        StreamChannel channel;
        channel.bone = result_.values[index].bone;
        for (std::size_t property = 0; property < kProperties.size(); ++property)
            if (const std::optional<JsonReader> stored = storedOf(index, property);
                stored && hasValues(result_.values[index], property) && fitsKeys(*stored, property)) {
                channel.*kProperties[property] = propertyFrom(*stored);
                if (property == 0)
                    channel.signs = stored->at("signs").integers<std::int32_t>();
            }
        return channel;
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Multipliers and the divisor

    void setMultiplier(const VectorProperty& property, std::size_t index, const char* name, float& multiplier) {
        const std::optional<float> stated =
            json_.has(name) ? std::optional(floatFromJson(json_.at(name))) : std::nullopt;
        multiplier = chooseMultiplier(channels_, property, stated);
        bool isUsed = false;
        for (std::size_t i = 0; i < channels_.size(); ++i) {
            const std::vector<glm::dvec3>& keys = channels_[i].values.*property.values;
            isUsed = isUsed || !keys.empty();
            if (!(channels_[i].stored.*property.stored))
                checkReach(keys, channelAt(i), index);
        }
        if (stated && isUsed && *stated != multiplier && !(std::isnan(*stated) && std::isnan(multiplier)))
            recomputed(diagnostics_, name,
                       fmt::format("is {}, which is too small for the values; {} is written", *stated, multiplier));
        if (isUsed && !isMultiplier(multiplier))
            json_.at(name).fail("a number other than 0, of at most 3e13");
    }

    /// @throws DecodeError for a value that no usable multiplier can store in 16 bits
    static void checkReach(const std::vector<glm::dvec3>& keys, const JsonReader& channel, std::size_t property) {
        constexpr double kFarthest = 9.9e17;
        for (std::size_t key = 0; key < keys.size(); ++key)
            for (int axis = 0; axis < 3; ++axis)
                if (std::abs(keys[key][axis]) > kFarthest)
                    channel.at(kPropertyNames[property])
                        .at(key)
                        .at(static_cast<std::size_t>(axis))
                        .fail("a number of at most 9.9e17");
    }

    void setDivisor() {
        const std::uint32_t stated = stream_.rotationDivisor;
        const auto rotates = [](const ChannelValues& values) { return !values.rotations.empty(); };
        if (stated == 0 && std::ranges::any_of(result_.values, rotates))
            json_.at("rotation_divisor").fail("a number other than 0, which represents a quarter turn");
        stream_.rotationDivisor = chooseDivisor(channels_, stated);
        if (stream_.rotationDivisor != stated)
            recomputed(diagnostics_, "rotation_divisor",
                       fmt::format("is {}, which is too large for the rotations; {} is written", stated,
                                   stream_.rotationDivisor));
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Channels

    void checkChannel(std::size_t index) {
        const ChannelValues& values = channels_[index].values;
        StreamChannel& stored = channels_[index].stored;
        const JsonReader json = channelAt(index);
        if (game_ == Game::echoes && values.bone > 0xFF)
            json.at("bone").fail("a whole number from 0 to 255");
        if (game_ == Game::prime && !values.scales.empty())
            json.at("scale").fail(kNoScales);
        if (!stored.rotation)
            for (std::size_t key = 0; key < values.rotations.size(); ++key)
                if (!(glm::dot(values.rotations[key], values.rotations[key]) > 0))
                    json.at("rotation").at(key).fail("a quaternion other than 0");
        for (std::size_t property = 0; property < kProperties.size(); ++property)
            if (std::optional<Property>& kept = stored.*kProperties[property])
                widen(*kept, *storedOf(index, property));
    }

    /// Widens a property whose changes need more bits than stated.
    void widen(Property& property, const JsonReader& stored) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Component& component = property.components[axis];
            const std::uint8_t needed = bitsFor(component.changes);
            if (needed > component.bits) {
                recomputed(diagnostics_, stored.at("bits").at(axis).place().field,
                           fmt::format("is {}, but a change needs {} bits", component.bits, needed));
                component.bits = needed;
                result_.changed = true;
            }
            if (component.bits == 0)
                component.changes.clear();
        }
    }

    /// Notes that quantised values replace stored numbers: names the first such property and counts the others.
    void noteReplaced() {
        for (std::size_t i = 0; i < channels_.size(); ++i)
            for (std::size_t property = 0; property < kProperties.size(); ++property) {
                if (!hasValues(channels_[i].values, property) || channels_[i].stored.*kProperties[property])
                    continue;
                result_.quantized = result_.changed = true;
                if (const std::optional<JsonReader> stored = storedOf(i, property); stored && ++replaced_ == 1)
                    replacedPlace_ = stored->place();
            }
    }

    const JsonReader& json_;
    Game game_;
    std::size_t keys_;
    StreamAnimation& stream_;
    core::Diagnostics& diagnostics_;
    std::vector<ChannelToStore> channels_;
    StreamChannels result_;
    core::Place replacedPlace_;  // of the first stored property that is quantised
    std::size_t replaced_ = 0;
};

}  // namespace

StreamChannels readStreamChannels(const JsonReader& json, Game game, std::size_t keys, StreamAnimation& stream,
                                  core::Diagnostics& diagnostics) {
    return StreamChannelReader(json, game, keys, stream, diagnostics).read();
}

}  // namespace reanima::metroid
