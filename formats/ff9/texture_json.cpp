#include "formats/ff9/texture_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace reanima::ff9 {

namespace {

constexpr std::uint32_t kHighestOffset = 0xFFFFFF;
constexpr std::uint32_t kHighestUnused = kHighestOffset + 0x2000;  // the last material ends before it

Json toJson(const TimBlock& block, core::Bytes rest) {
    Json json = {{"bytes", block.byteCount}, {"x", block.x},           {"y", block.y},
                 {"width", block.width},     {"height", block.height}, {"words", block.words}};
    if (!rest.empty())
        json["rest"] = toHex(rest);
    return json;
}

TimBlock blockFrom(const JsonReader& json) {
    TimBlock block;
    block.x = json.at("x").integer<std::uint16_t>();
    block.y = json.at("y").integer<std::uint16_t>();
    block.width = json.at("width").integer<std::uint16_t>();
    block.height = json.at("height").integer<std::uint16_t>();
    json.at("words").requireSize(std::size_t{block.width} * block.height);
    block.words = json.at("words").integers<std::uint16_t>();
    const auto least = static_cast<std::int64_t>(12 + 2 * block.words.size());
    block.byteCount = json.has("bytes") ? static_cast<std::uint32_t>(json.at("bytes").integer(least, 0xFFFFFFFF))
                                        : static_cast<std::uint32_t>(least);
    return block;
}

Json toJson(const MaterialPlace& material) {
    return {{"page", material.page}, {"clut", material.clut}, {"window", material.window}, {"place", material.place}};
}

template <std::size_t size>
std::array<std::int16_t, size> numbersFrom(const JsonReader& json) {
    json.requireSize(size);
    std::array<std::int16_t, size> numbers{};
    for (std::size_t i = 0; i < size; ++i)
        numbers[i] = json.at(i).integer<std::int16_t>();
    return numbers;
}

MaterialPlace materialFrom(const JsonReader& json) {
    return {json.at("page").integer<std::uint16_t>(), json.at("clut").integer<std::uint16_t>(),
            numbersFrom<2>(json.at("window")), numbersFrom<4>(json.at("place"))};
}

/// @param tableEnd where materials may begin, from the first byte
/// @param next where the materials go if the JSON does not say so, from the first byte
MaterialRecord recordFrom(const JsonReader& json, std::uint32_t start, std::uint32_t tableEnd, std::uint32_t& next) {
    MaterialRecord record;
    record.model = json.at("model").integer<std::uint16_t>();
    record.animation = json.integerOr<std::uint16_t>("animation", 0xFFFF);
    record.blink = json.integerOr<std::uint16_t>("blink", 0xFFFF);
    if (json.has("junk")) {
        json.at("junk").requireSize(record.junk.size());
        for (std::size_t i = 0; i < record.junk.size(); ++i)
            record.junk[i] = json.at("junk").at(i).integer<std::uint8_t>();
    }
    for (const JsonReader& material : json.list("materials"))
        record.materials.push_back(materialFrom(material));
    if (record.materials.size() > kMostMaterials)
        throw core::DecodeError(json.at("materials").place(), fmt::format("has {} materials, expected at most {}",
                                                                          record.materials.size(), kMostMaterials));
    record.offset = json.has("offset")
                        ? static_cast<std::uint32_t>(json.at("offset").integer(tableEnd - start, kHighestOffset))
                        : next - start;
    next += static_cast<std::uint32_t>(record.materials.size()) * kMaterialSize;
    return record;
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
        const std::size_t size = 12 + 2 * tim.clut->words.size() + tim.clutRest.size();
        if (std::size_t{tim.clut->byteCount} / 4 * 4 > size)
            json.at("clut").at("bytes").fail(fmt::format("at most {}, the words and what follows them", size));
    }
    tim.image = blockFrom(json.at("image"));
    tim.rest = json.hexOrNone("rest");
    DerivedMembers derived;
    derived.expect(json, "pixel_width", pixelWidthOf(tim));
    derived.report(diagnostics);
    return tim;
}

Json toJson(const Materials& materials, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    constexpr std::uint64_t kBytesPerMaterial = 1000;  // measured, as above
    std::uint64_t bytes = 0;
    for (const MaterialRecord& record : materials.records)
        bytes += (1 + record.materials.size()) * kBytesPerMaterial;
    for (const Materials::Unused& run : materials.unused)
        bytes += 4 * run.bytes.size();
    core::requireMemory(bytes, limits, {"models", std::nullopt});
    Json models = Json::array();
    for (const MaterialRecord& record : materials.records) {
        Json list = Json::array();
        for (const MaterialPlace& material : record.materials)
            list.push_back(toJson(material));
        models.push_back({{"model", record.model},
                          {"animation", record.animation},
                          {"offset", record.offset},
                          {"blink", record.blink},
                          {"junk", record.junk},
                          {"materials", std::move(list)}});
    }
    Json unused = Json::array();
    for (const Materials::Unused& run : materials.unused)
        unused.push_back({{"offset", run.offset}, {"bytes", toHex(run.bytes)}});
    return {{"schema", 1},
            {"format", "ff9-material"},
            {"unknown_02", materials.unknown02},
            {"models", std::move(models)},
            {"unused", std::move(unused)},
            {"warnings", warningsToJson(diagnostics)}};
}

Materials materialsFromJson(const JsonReader& json) {
    Materials materials;
    materials.unknown02 = json.integerOr<std::uint16_t>("unknown_02", 0);
    const JsonReader models = json.at("models");
    if (models.size() > kMostMaterials)
        throw core::DecodeError(models.place(),
                                fmt::format("has {} models, expected at most {}", models.size(), kMostMaterials));
    const auto tableEnd = static_cast<std::uint32_t>(kMaterialsHeader + kMaterialRecordSize * models.size());
    std::uint32_t next = tableEnd;
    for (std::size_t i = 0; i < models.size(); ++i)
        materials.records.push_back(recordFrom(
            models.at(i), static_cast<std::uint32_t>(kMaterialsHeader + kMaterialRecordSize * i), tableEnd, next));
    for (const JsonReader& run : json.list("unused"))
        materials.unused.push_back(
            {static_cast<std::uint32_t>(run.at("offset").integer(0, kHighestUnused)), run.at("bytes").hex()});
    return materials;
}

}  // namespace reanima::ff9
