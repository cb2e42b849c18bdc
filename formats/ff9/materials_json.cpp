#include "formats/ff9/materials_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/fields_json.h"

namespace reanima::ff9 {

namespace {

constexpr std::uint32_t kHighestOffset = 0xFFFFFF;
constexpr std::uint32_t kHighestUnused = kHighestOffset + 0x2000;  // above the end of the last possible material

Json toJson(const MaterialPlace& material) {
    Json json;
    describe(fields::ToJson{json}, material);
    return json;
}

MaterialPlace materialFrom(const JsonReader& json) {
    MaterialPlace material;
    describe(fields::FromJson{json}, material);
    return material;
}

/// @param next the materials' offset from the first byte, if the JSON states none
MaterialRecord recordFrom(const JsonReader& json, std::uint32_t start, std::uint32_t& next) {
    MaterialRecord record;
    record.offset = next - start;
    if (json.has("offset"))
        (void)json.at("offset").integer(0, kHighestOffset);
    describe(fields::FromJson{json}, record, record.offset);
    for (const JsonReader& material : json.list("materials"))
        record.materials.push_back(materialFrom(material));
    if (record.materials.size() > kMostMaterials)
        throw core::DecodeError(json.at("materials").place(), fmt::format("has {} materials, expected at most {}",
                                                                          record.materials.size(), kMostMaterials));
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
        Json& model = models.emplace_back();
        describe(fields::ToJson{model}, record, record.offset);
        model["materials"] = std::move(list);
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
