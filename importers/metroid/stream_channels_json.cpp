#include "importers/metroid/stream_channels_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "importers/metroid/reading.h"
#include "importers/metroid/values_json.h"

namespace reanima::metroid {

namespace {

using core::Code;

/// Reads the channels of one animation.
class StreamChannelReader {
  public:
    StreamChannelReader(const JsonReader& json, Game game, std::size_t keys, bool newBitmap, StreamAnimation& stream,
                        core::Diagnostics& diagnostics)
        : json_(json), game_(game), keys_(keys), newBitmap_(newBitmap), stream_(stream), diagnostics_(diagnostics) {}

    StreamChannels read() {
        result_.values = valuesFromJson(json_.at("channels"), keys_ + 1);
        chooseMultiplier(&ChannelValues::translations, 1, "translation_multiplier", stream_.translationMultiplier);
        chooseMultiplier(&ChannelValues::scales, 2, "scale_multiplier", stream_.scaleMultiplier);
        chooseDivisor();
        const core::SineRotations rotations(std::max(stream_.rotationDivisor, 1U));
        for (std::size_t i = 0; i < result_.values.size(); ++i)
            stream_.channels.push_back(readChannel(i, rotations));
        if (result_.quantized)
            diagnostics_.note(Code::assumed, {},
                              fmt::format("values were quantised: off by up to {:.3g} degrees, {:.3g} in translations, "
                                          "{:.3g} in scales",
                                          error_.degrees, error_.translation, error_.scale));
        if (replaced_ > 0)
            diagnostics_.note(Code::recomputed, replacedPlace_,
                              fmt::format("does not fit {} key{} and the multiplier or divisor: the values are "
                                          "quantised again{}",
                                          keys_, keys_ == 1 ? "" : "s",
                                          replaced_ > 1 ? fmt::format(" (and {} more like it)", replaced_ - 1) : ""));
        return std::move(result_);
    }

  private:
    [[nodiscard]] std::optional<JsonReader> storedOf(std::size_t channel, std::size_t property) const {
        const JsonReader json = json_.at("channels").at(channel);
        if (!json.has("stored") || !json.at("stored").has(kPropertyNames[property]))
            return std::nullopt;
        const JsonReader stored = json.at("stored").at(kPropertyNames[property]);
        const JsonReader changes = stored.at("changes");
        for (const char* name : {"initial", "bits", "changes"})
            stored.at(name).requireSize(3);
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (changes.at(axis).size() != (stored.at("bits").at(axis).integer<std::uint8_t>() == 0 ? 0 : keys_) &&
                changes.at(axis).size() != keys_)
                return std::nullopt;  // the number of keys was changed
        if (property == 0 && stored.at("signs").size() != keys_)
            return std::nullopt;
        return stored;
    }

    /// What vectors are multiplied with: as stored, as long as all that are quantised fit.
    void chooseMultiplier(std::vector<glm::dvec3> ChannelValues::*keys, std::size_t property, const char* name,
                          float& multiplier) {
        const float stored = json_.has(name) ? anyFloatFromJson(json_.at(name)) : 0;
        std::vector<std::vector<glm::dvec3>> all;
        std::vector<std::vector<glm::dvec3>> unstored;
        for (std::size_t i = 0; i < result_.values.size(); ++i) {
            if ((result_.values[i].*keys).empty())
                continue;
            all.push_back(result_.values[i].*keys);
            if (!storedOf(i, property))
                unstored.push_back(withinReach(result_.values[i].*keys, i, property));
        }
        multiplier = json_.has(name) ? stored : 1;
        if (all.empty())
            return;
        if ((!unstored.empty() || !json_.has(name)) && multiplierFor(unstored, stored) != stored) {
            for (std::size_t i = 0; i < result_.values.size(); ++i)
                (void)withinReach(result_.values[i].*keys, i, property);
            multiplier = multiplierFor(all, 0);
            quantizeAll_[property] = true;
            if (json_.has(name))
                recomputed(diagnostics_, name,
                           fmt::format("is {}, too small for the values: {} is written", stored, multiplier));
        }
        if (!isMultiplier(multiplier))
            json_.at(name).fail("a number other than 0, of at most 3e13");
    }

    /// The number that stands for a quarter turn: as stored, as long as all rotations that are quantised fit.
    void chooseDivisor() {
        bool isUsed = false;
        bool fits = true;
        for (std::size_t i = 0; i < result_.values.size(); ++i) {
            isUsed = isUsed || !result_.values[i].rotations.empty();
            fits = fits && (storedOf(i, 0) || rotationsFit(result_.values[i].rotations, stream_.rotationDivisor));
        }
        if (isUsed && stream_.rotationDivisor == 0)
            json_.at("rotation_divisor").fail("a number that stands for a quarter turn");
        if (fits)
            return;
        recomputed(
            diagnostics_, "rotation_divisor",
            fmt::format("is {}, too large for the rotations: {} is written", stream_.rotationDivisor, kFinestDivisor));
        stream_.rotationDivisor = kFinestDivisor;
        quantizeAll_[0] = true;
    }

    /// @throws DecodeError for a value that 16 bits reach with no usable multiplier
    [[nodiscard]] const std::vector<glm::dvec3>& withinReach(const std::vector<glm::dvec3>& keys, std::size_t channel,
                                                             std::size_t property) const {
        constexpr double kFarthest = 9.9e17;
        for (std::size_t key = 0; key < keys.size(); ++key)
            for (int axis = 0; axis < 3; ++axis)
                if (std::abs(keys[key][axis]) > kFarthest)
                    json_.at("channels")
                        .at(channel)
                        .at(kPropertyNames[property])
                        .at(key)
                        .at(static_cast<std::size_t>(axis))
                        .fail("a number of at most 9.9e17");
        return keys;
    }

    StreamChannel readChannel(std::size_t index, const core::SineRotations& rotations) {
        const ChannelValues& values = result_.values[index];
        StreamChannel channel;
        channel.bone = values.bone;
        if (game_ == Game::echoes && channel.bone > 0xFF)
            json_.at("channels").at(index).at("bone").fail("a whole number from 0 to 255");
        if (game_ == Game::prime && !values.scales.empty())
            json_.at("channels").at(index).at("scale").fail(kNoScales);
        if (!values.rotations.empty()) {
            channel.rotation = storedProperty(index, 0);
            if (channel.rotation)
                channel.signs = storedOf(index, 0)->at("signs").integers<std::int32_t>();
            else
                channel.rotation = newProperty(
                    quantizeRotations(nonZero(values.rotations, index), rotations, channel.signs, error_.degrees));
        }
        if (!values.translations.empty() && !(channel.translation = storedProperty(index, 1)))
            channel.translation = newProperty(quantizeVectors(
                values.translations, static_cast<double>(stream_.translationMultiplier), error_.translation));
        if (!values.scales.empty() && !(channel.scale = storedProperty(index, 2)))
            channel.scale =
                newProperty(quantizeVectors(values.scales, static_cast<double>(stream_.scaleMultiplier), error_.scale));
        return channel;
    }

    [[nodiscard]] const std::vector<glm::dquat>& nonZero(const std::vector<glm::dquat>& keys,
                                                         std::size_t channel) const {
        for (std::size_t key = 0; key < keys.size(); ++key)
            if (!(glm::dot(keys[key], keys[key]) > 0))
                json_.at("channels").at(channel).at("rotation").at(key).fail("a quaternion with a length");
        return keys;
    }

    Property newProperty(Property property) {
        result_.quantized = result_.changed = true;
        return property;
    }

    /// The first property whose numbers are quantised although some are stored; the others are counted.
    void noteReplaced(std::size_t channel, std::size_t kind) {
        const JsonReader json = json_.at("channels").at(channel);
        if (json.has("stored") && json.at("stored").has(kPropertyNames[kind]) && ++replaced_ == 1)
            replacedPlace_ = json.at("stored").at(kPropertyNames[kind]).place();
    }

    std::optional<Property> storedProperty(std::size_t channel, std::size_t kind) {
        const std::optional<JsonReader> stored = quantizeAll_[kind] ? std::nullopt : storedOf(channel, kind);
        if (!stored) {
            noteReplaced(channel, kind);
            return std::nullopt;
        }
        Property property;
        property.keyCount = static_cast<std::uint16_t>(stored->at("key_count").integer(1, 0xFFFF));
        if (newBitmap_)
            property.keyCount = static_cast<std::uint16_t>(std::clamp<std::size_t>(keys_, 1, 0xFFFF));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Component& component = property.components[axis];
            component.initial = stored->at("initial").at(axis).integer<std::int16_t>();
            component.bits = static_cast<std::uint8_t>(stored->at("bits").at(axis).integer(0, 32));
            component.changes = stored->at("changes").at(axis).integers<std::int32_t>();
            const std::uint8_t needed = bitsFor(component.changes);
            if (needed > component.bits) {
                const JsonReader bits = stored->at("bits").at(axis);
                recomputed(diagnostics_, bits.place().field,
                           fmt::format("is {}, a change needs {}", component.bits, needed));
                component.bits = needed;
                result_.changed = true;
            }
            if (component.bits == 0)
                component.changes.clear();
        }
        return property;
    }

    const JsonReader& json_;
    Game game_;
    std::size_t keys_;
    bool newBitmap_;
    StreamAnimation& stream_;
    core::Diagnostics& diagnostics_;
    StreamChannels result_;
    std::array<bool, 3> quantizeAll_{};
    core::Place replacedPlace_;  // of the first stored property that is quantised
    std::size_t replaced_ = 0;
    QuantizationError error_;
};

}  // namespace

StreamChannels readStreamChannels(const JsonReader& json, Game game, std::size_t keys, bool newBitmap,
                                  StreamAnimation& stream, core::Diagnostics& diagnostics) {
    return StreamChannelReader(json, game, keys, newBitmap, stream, diagnostics).read();
}

}  // namespace reanima::metroid
