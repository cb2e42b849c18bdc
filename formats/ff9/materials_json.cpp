#include "formats/ff9/materials_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace reanima::ff9 {

namespace {

constexpr std::uint32_t kHighestOffset = 0xFFFFFF;
constexpr std::uint32_t kHighestUnused = kHighestOffset + 0x2000;  // the last material ends before it

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

/// @param next where the materials go if the JSON does not say so, from the first byte
MaterialRecord recordFrom(const JsonReader& json, std::uint32_t start, std::uint32_t& next) {
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
    record.offset =
        json.has("offset") ? static_cast<std::uint32_t>(json.at("offset").integer(0, kHighestOffset)) : next - start;
    next += static_cast<std::uint32_t>(record.materials.size()) * kMaterialSize;
    return record;
}

}  // namespace

Json toJson(const Materials& materials, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    constexpr std::uint64_t kBytesPerMaterial = 1000;  // measured: in nlohmann's JSON, and its text
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
    auto next = static_cast<std::uint32_t>(kMaterialsHeader + kMaterialRecordSize * models.size());
    for (std::size_t i = 0; i < models.size(); ++i)
        materials.records.push_back(
            recordFrom(models.at(i), static_cast<std::uint32_t>(kMaterialsHeader + kMaterialRecordSize * i), next));
    for (const JsonReader& run : json.list("unused"))
        materials.unused.push_back(
            {static_cast<std::uint32_t>(run.at("offset").integer(0, kHighestUnused)), run.at("bytes").hex()});
    return materials;
}

}  // namespace reanima::ff9
