#include "formats/psx/tim_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/fields_json.h"

namespace reanima::psx {

namespace {

Json toJson(const TimBlock& block, core::Bytes rest) {
    Json json = Json::object();
    describe(fields::ToJson{json}, block);
    json["words"] = block.words;
    if (!rest.empty())
        json["rest"] = toHex(rest);
    return json;
}

TimBlock blockFrom(const JsonReader& json) {
    TimBlock block;
    describe(fields::FromJson{json}, block);
    json.at("words").requireSize(std::size_t{block.width} * block.height);
    block.words = json.at("words").integers<std::uint16_t>();
    if (!json.has("bytes"))
        block.byteCount = static_cast<std::uint32_t>(12 + 2 * block.words.size());
    return block;
}

/// True if readers find the image at the place where the encoder writes it.
bool findsImage(const Tim& tim) {
    core::Diagnostics doubts;
    const core::ByteVector file = encodeTim(tim);
    try {
        const Tim again = decodeTim(core::LittleEndianReader(file), doubts);
        return again.clutRest == tim.clutRest && again.image.words == tim.image.words;
    } catch (const core::DecodeError&) {
        return false;
    }
}

}  // namespace

Json toJson(const Tim& tim, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    constexpr std::uint64_t kBytesPerWord = 24;  // measured: a number in nlohmann's JSON, and its text
    const std::size_t words = tim.image.words.size() + (tim.clut ? tim.clut->words.size() : 0);
    core::requireMemory(words * kBytesPerWord, limits, {"image.words", std::nullopt});
    Json json = {{"schema", 1},
                 {"format", "psx-tim"},
                 {"mode", tim.mode},
                 {"pixel_width", pixelWidthOf(tim)},
                 {"clut", tim.clut ? toJson(*tim.clut, tim.clutRest) : Json(nullptr)},
                 {"image", toJson(tim.image, {})}};
    if (tim.imageFollowsWords)
        json["clut"]["image_follows_words"] = true;
    if (!tim.rest.empty())
        json["rest"] = toHex(tim.rest);
    json["warnings"] = warningsToJson(diagnostics);
    return json;
}

Tim timFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    Tim tim;
    tim.mode = static_cast<std::uint8_t>(json.at("mode").integer(0, kHighestTimMode));
    if (json.has("clut")) {
        tim.clut = blockFrom(json.at("clut"));
        tim.clutRest = json.at("clut").hexOrNone("rest");
        tim.imageFollowsWords =
            json.at("clut").has("image_follows_words") && json.at("clut").at("image_follows_words").flag();
    }
    tim.image = blockFrom(json.at("image"));
    tim.rest = json.hexOrNone("rest");
    if (tim.clut) {
        const std::size_t least = 12 + 2 * tim.clut->words.size();
        const std::size_t most = least + tim.clutRest.size();
        const std::size_t stated = tim.clut->byteCount;
        if ((stated < least || stated / 4 * 4 > most) && !findsImage(tim))
            json.at("clut").at("bytes").fail(
                stated > most ? fmt::format("at most {}, the size of the words and the bytes after them", most)
                              : fmt::format("at least {}, because bytes follow the words", least));
    }
    DerivedMembers derived;
    derived.expect(json, "pixel_width", pixelWidthOf(tim));
    derived.report(diagnostics);
    return tim;
}

}  // namespace reanima::psx
