#include "formats/metroid/model/cmdl_json.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/metroid/json_fields.h"
#include "formats/metroid/model/display_list.h"
#include "formats/metroid/model/vectors_json.h"

namespace reanima::metroid {

namespace {

constexpr std::uint32_t kSizeBits = 0x7FFFFFFF;

// ---------------------------------------------------------------------------------------------------------------------
// To JSON

Json toJson(const TevStage& stage) {
    return {{"color_in", stage.colorIn},       {"alpha_in", stage.alphaIn},     {"color_op", stage.colorOp},
            {"alpha_op", stage.alphaOp},       {"unknown_10", stage.unknown10}, {"konst_alpha", stage.konstAlpha},
            {"konst_color", stage.konstColor}, {"raster", stage.raster},        {"unknown_14", stage.unknown14},
            {"texture", stage.texture},        {"coordinate", stage.coordinate}};
}

Json toJson(const CmdlMaterial& material, Game game) {
    Json stages = Json::array();
    for (const TevStage& stage : material.stages)
        stages.push_back(toJson(stage));
    Json animations = Json::array();
    for (const UvAnimation& animation : material.animations) {
        Json values = Json::array();
        for (const float value : animation.values)
            values.push_back(floatToJson(value));
        animations.push_back({{"type", animation.type}, {"values", std::move(values)}});
    }
    Json json = {{"flags", material.flags}, {"textures", material.textures}, {"vertex_word", material.vertexWord}};
    if (game == Game::echoes)
        json["unknown"] = material.unknown;
    json["group"] = material.group;
    json["konst"] = (material.flags & kHasKonst) != 0 ? vectorsToJson(material.konst) : Json(nullptr);
    json["blend"] = {{"destination", material.destination}, {"source", material.source}};
    json["indirect"] = (material.flags & kIndirect) != 0 ? Json(material.indirect) : Json(nullptr);
    json["channels"] = material.channels;
    json["stages"] = std::move(stages);
    json["generators"] = material.generators;
    json["animations"] = std::move(animations);
    return json;
}

Json toJson(const MaterialSet& set, Game game) {
    Json materials = Json::array();
    for (const CmdlMaterial& material : set.materials)
        materials.push_back(toJson(material, game));
    return {{"textures", set.textures}, {"materials", std::move(materials)}};
}

Json primitivesToJson(const CmdlSurface& surface, std::size_t width) {
    Json primitives = Json::array();
    for (const DrawCall& call : surface.calls) {
        Json vertices = Json::array();
        auto number = surface.numbers.begin() + static_cast<std::ptrdiff_t>(call.first);
        for (std::uint16_t i = 0; i < call.vertices; ++i, number += static_cast<std::ptrdiff_t>(width))
            vertices.push_back(Json::array_t(number, number + static_cast<std::ptrdiff_t>(width)));
        primitives.push_back({{"opcode", call.opcode}, {"vertices", std::move(vertices)}});
    }
    return primitives;
}

Json toJson(const CmdlSurface& surface, const Cmdl& cmdl) {
    const VertexLayout layout(cmdl.sets.front().materials[surface.material].vertexWord);
    Json json = {{"center", vectorToJson(surface.center)},
                 {"material", surface.material},
                 {"flag", surface.sizeWord >> 31U},
                 {"display_list_size", surface.sizeWord & kSizeBits},
                 {"unknown", surface.unknown},
                 {"normal", vectorToJson(surface.normal)}};
    if (cmdl.game == Game::echoes) {
        json["bank"] = surface.bank;
        json["group"] = surface.group;
    }
    json["extra"] = toHex(surface.extra);
    if (!surface.gap.empty())
        json["gap"] = toHex(surface.gap);
    json["primitives"] = primitivesToJson(surface, layout.numbers);
    return json;
}

/// An upper bound of the memory for building and printing the JSON.
std::uint64_t memoryOfJson(const Cmdl& cmdl) {
    constexpr std::uint64_t kNumber = 40;  // measured: a number, and its share of the list that contains it
    constexpr std::uint64_t kList = 64;
    constexpr std::uint64_t kRecord = 2048;
    std::uint64_t bytes = (cmdl.positions.size() + cmdl.normals.size() + cmdl.shortNormals.size() + cmdl.colors.size() +
                           cmdl.uv.size() + cmdl.shortUv.size()) *
                          (kList + 4 * kNumber);
    for (const MaterialSet& set : cmdl.sets) {
        bytes += kRecord + kNumber * set.textures.size();
        for (const CmdlMaterial& material : set.materials)
            bytes += kRecord * (1 + material.stages.size()) +
                     kNumber * (material.textures.size() + 4 * material.konst.size() + material.channels.size() +
                                material.generators.size() + 16 * material.animations.size());
    }
    for (const CmdlSurface& surface : cmdl.surfaces) {
        bytes +=
            kRecord + 4 * surface.extra.size() + 8 * kList * surface.calls.size() + kNumber * surface.numbers.size();
        for (const DrawCall& call : surface.calls)
            bytes += kList * call.vertices;
    }
    return bytes;
}

// ---------------------------------------------------------------------------------------------------------------------
// From JSON

TevStage stageFrom(const JsonReader& json) {
    TevStage stage;
    stage.colorIn = json.at("color_in").integer<std::uint32_t>();
    stage.alphaIn = json.at("alpha_in").integer<std::uint32_t>();
    stage.colorOp = json.at("color_op").integer<std::uint32_t>();
    stage.alphaOp = json.at("alpha_op").integer<std::uint32_t>();
    stage.unknown10 = json.at("unknown_10").integer<std::uint8_t>();
    stage.konstAlpha = json.at("konst_alpha").integer<std::uint8_t>();
    stage.konstColor = json.at("konst_color").integer<std::uint8_t>();
    stage.raster = json.at("raster").integer<std::uint8_t>();
    stage.unknown14 = json.at("unknown_14").integer<std::uint16_t>();
    stage.texture = json.at("texture").integer<std::uint8_t>();
    stage.coordinate = json.at("coordinate").integer<std::uint8_t>();
    return stage;
}

UvAnimation animationFrom(const JsonReader& json) {
    UvAnimation animation;
    animation.type = static_cast<std::uint32_t>(json.at("type").integer(0, kLastUvAnimation));
    const JsonReader values = json.at("values");
    values.requireSize(uvAnimationValues(animation.type));
    for (std::size_t i = 0; i < values.size(); ++i)
        animation.values.push_back(numberFromJson(values.at(i)));
    return animation;
}

/// @throws DecodeError if a member is present although its flag is not set
void requireByFlag(const JsonReader& json, std::string_view key, std::uint32_t flags, std::uint32_t flag) {
    if ((flags & flag) == 0 && json.has(key))
        json.at(key).fail(fmt::format("null, because flag 0x{:x} is not set", flag));
}

CmdlMaterial materialFrom(const JsonReader& json, const MaterialSet& set, Game game) {
    CmdlMaterial material;
    material.flags = json.at("flags").integer<std::uint32_t>();
    const JsonReader textures = json.at("textures");
    for (std::size_t i = 0; i < textures.size(); ++i)
        material.textures.push_back(textures.at(i).index(set.textures.size()));
    material.vertexWord = json.at("vertex_word").integer<std::uint32_t>();
    if (game == Game::echoes)
        material.unknown = vectorFromJson<std::uint32_t, 2>(json.at("unknown"));
    material.group = json.at("group").integer<std::uint32_t>();
    requireByFlag(json, "konst", material.flags, kHasKonst);
    if ((material.flags & kHasKonst) != 0)
        material.konst = vectorsFromJson<std::uint8_t, 4>(json.at("konst"));
    material.destination = json.at("blend").at("destination").integer<std::uint16_t>();
    material.source = json.at("blend").at("source").integer<std::uint16_t>();
    requireByFlag(json, "indirect", material.flags, kIndirect);
    if ((material.flags & kIndirect) != 0)
        material.indirect = json.at("indirect").integer<std::uint32_t>();
    material.channels = json.at("channels").integers<std::uint32_t>();
    for (const JsonReader& stage : json.list("stages"))
        material.stages.push_back(stageFrom(stage));
    material.generators = json.at("generators").integers<std::uint32_t>();
    for (const JsonReader& animation : json.list("animations"))
        material.animations.push_back(animationFrom(animation));
    return material;
}

MaterialSet setFrom(const JsonReader& json, Game game) {
    MaterialSet set;
    set.textures = json.at("textures").integers<std::uint32_t>();
    for (const JsonReader& material : json.list("materials"))
        set.materials.push_back(materialFrom(material, set, game));
    return set;
}

void requireSameSets(const JsonReader& json, const Cmdl& cmdl) {
    const std::vector<CmdlMaterial>& first = cmdl.sets.front().materials;
    for (std::size_t i = 1; i < cmdl.sets.size(); ++i) {
        const JsonReader materials = json.at("material_sets").at(i).at("materials");
        if (materials.size() != first.size())
            materials.fail(fmt::format("{} materials, as the first set has", first.size()));
        for (std::size_t k = 0; k < first.size(); ++k)
            if (cmdl.sets[i].materials[k].vertexWord != first[k].vertexWord)
                materials.at(k).at("vertex_word").fail(fmt::format("{}, as in the first set", first[k].vertexWord));
    }
}

/// The limit for the number at each place of a vertex.
std::vector<std::uint16_t> mostNumbers(const EntryCounts& counts, std::uint32_t material, const VertexLayout& layout) {
    std::vector<std::uint16_t> most(layout.matrices, 0xFF);
    for (std::size_t field = 0; field < VertexLayout::kFields; ++field) {
        if (!layout.has(field))
            continue;
        const std::size_t entries = counts.of(material, field);
        const std::size_t bySize = layout.sizes.at(field) == 1 ? 0xFF : 0xFFFF;
        most.push_back(static_cast<std::uint16_t>(std::min(bySize, entries == 0 ? 0 : entries - 1)));
    }
    return most;
}

void readPrimitives(const JsonReader& json, const Cmdl& cmdl, const EntryCounts& counts, CmdlSurface& surface) {
    const std::uint32_t word = cmdl.sets.front().materials[surface.material].vertexWord;
    refuseLayout(word, json.place());
    const VertexLayout layout(word);
    const std::vector<std::uint16_t> most = mostNumbers(counts, surface.material, layout);
    for (const JsonReader& primitive : json.list("primitives")) {
        DrawCall call{primitive.at("opcode").integer<std::uint8_t>(), 0, surface.numbers.size()};
        if (!shapeOf(call.opcode))
            primitive.at("opcode").fail("a command of a display list");
        const JsonReader vertices = primitive.at("vertices");
        if (vertices.size() > 0xFFFF)
            vertices.fail("at most 65535 vertices");
        call.vertices = static_cast<std::uint16_t>(vertices.size());
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            const JsonReader vertex = vertices.at(i);
            vertex.requireSize(most.size());
            for (std::size_t k = 0; k < most.size(); ++k)
                surface.numbers.push_back(static_cast<std::uint16_t>(vertex.at(k).integer(0, most[k])));
        }
        surface.calls.push_back(call);
    }
}

CmdlSurface surfaceFrom(const JsonReader& json, const Cmdl& cmdl, const EntryCounts& counts) {
    CmdlSurface surface;
    surface.center = vectorFromJson<float, 3>(json.at("center"));
    surface.material = json.at("material").index(cmdl.sets.front().materials.size());
    const auto size = static_cast<std::uint32_t>(json.at("display_list_size").integer(0, kSizeBits));
    surface.sizeWord = static_cast<std::uint32_t>(json.at("flag").integer(0, 1)) << 31U | size;
    surface.unknown = vectorFromJson<std::uint32_t, 2>(json.at("unknown"));
    surface.normal = vectorFromJson<float, 3>(json.at("normal"));
    if (cmdl.game == Game::echoes) {
        surface.bank = json.at("bank").integer<std::int16_t>();
        surface.group = json.at("group").integer<std::uint16_t>();
    }
    surface.extra = json.at("extra").hex();
    surface.gap = json.hexOrNone("gap");
    readPrimitives(json, cmdl, counts, surface);
    return surface;
}

void readArrays(const JsonReader& json, Cmdl& cmdl) {
    cmdl.positions = vectorsFromJson<float, 3>(json.at("positions"));
    if ((cmdl.flags & kShortNormals) != 0)
        cmdl.shortNormals = vectorsFromJson<std::int16_t, 3>(json.at("normals"));
    else
        cmdl.normals = vectorsFromJson<float, 3>(json.at("normals"));
    cmdl.colors = vectorsFromJson<std::uint8_t, 4>(json.at("colors"));
    cmdl.uv = vectorsFromJson<float, 2>(json.at("uv"));
    requireByFlag(json, "short_uv", cmdl.flags, kShortUvSection);
    if ((cmdl.flags & kShortUvSection) != 0)
        cmdl.shortUv = vectorsFromJson<std::uint16_t, 2>(json.at("short_uv"));
}

/// Reads bytes after the content of sections. Bytes of a removed section are left out.
void readRests(const JsonReader& json, Cmdl& cmdl) {
    for (const JsonReader& rest : json.list("rest")) {
        cmdl.rests.push_back({rest.at("section").integer<std::uint32_t>(), rest.at("bytes").hex()});
    }
    cmdl.headerGap = json.hexOrNone("header_gap");
    cmdl.trailing = json.hexOrNone("trailing");
    if (json.has("surface_ends"))
        cmdl.surfaceEnds = json.at("surface_ends").integers<std::uint32_t>();
}

}  // namespace

Json toJson(const Cmdl& cmdl, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    core::requireMemory(memoryOfJson(cmdl), limits, {"surfaces", std::nullopt});
    Json sets = Json::array();
    for (const MaterialSet& set : cmdl.sets)
        sets.push_back(toJson(set, cmdl.game));
    Json surfaces = Json::array();
    for (const CmdlSurface& surface : cmdl.surfaces)
        surfaces.push_back(toJson(surface, cmdl));
    Json json = {
        {"schema", 1},
        {"format", "metroid-cmdl"},
        {"game", gameName(cmdl.game)},
        {"version", cmdl.game == Game::prime ? 2 : 4},
        {"flags", cmdl.flags},
        {"box", vectorToJson(cmdl.box)},
        {"section_sizes", cmdl.sectionSizes},
        {"material_sets", std::move(sets)},
        {"positions", vectorsToJson(cmdl.positions)},
        {"normals", (cmdl.flags & kShortNormals) != 0 ? vectorsToJson(cmdl.shortNormals) : vectorsToJson(cmdl.normals)},
        {"colors", vectorsToJson(cmdl.colors)},
        {"uv", vectorsToJson(cmdl.uv)},
        {"short_uv", (cmdl.flags & kShortUvSection) != 0 ? vectorsToJson(cmdl.shortUv) : Json(nullptr)},
        {"surfaces", std::move(surfaces)}};
    if (!cmdl.surfaceEnds.empty())
        json["surface_ends"] = cmdl.surfaceEnds;
    if (!cmdl.headerGap.empty())
        json["header_gap"] = toHex(cmdl.headerGap);
    if (!cmdl.rests.empty()) {
        Json rests = Json::array();
        for (const Cmdl::Rest& rest : cmdl.rests)
            rests.push_back({{"section", rest.section}, {"bytes", toHex(rest.bytes)}});
        json["rest"] = std::move(rests);
    }
    if (!cmdl.trailing.empty())
        json["trailing"] = toHex(cmdl.trailing);
    json["warnings"] = warningsToJson(diagnostics);
    return json;
}

Cmdl cmdlFromJson(const JsonReader& json, const core::Limits& limits, core::Diagnostics& diagnostics) {
    Cmdl cmdl;
    const std::int64_t version = json.at("version").integer(2, 4);
    if (version == 3)
        json.at("version").fail("2 (Prime) or 4 (Echoes)");
    cmdl.game = version == 2 ? Game::prime : Game::echoes;
    cmdl.flags = json.at("flags").integer<std::uint32_t>();
    cmdl.box = vectorFromJson<float, 6>(json.at("box"));
    if (json.has("section_sizes"))
        cmdl.sectionSizes = json.at("section_sizes").integers<std::uint32_t>();
    std::uint64_t bytes = 0;
    for (const std::uint32_t size : cmdl.sectionSizes)
        bytes += 2 * std::uint64_t{size};
    core::requireMemory(bytes, limits, {"section_sizes", std::nullopt});
    for (const JsonReader& set : json.list("material_sets"))
        cmdl.sets.push_back(setFrom(set, cmdl.game));
    if (cmdl.sets.empty())
        json.at("material_sets").fail("at least one set");
    requireSameSets(json, cmdl);
    readArrays(json, cmdl);
    const EntryCounts counts(cmdl);
    for (const JsonReader& surface : json.list("surfaces"))
        cmdl.surfaces.push_back(surfaceFrom(surface, cmdl, counts));
    readRests(json, cmdl);
    DerivedMembers derived;
    derived.expect(json, "game", gameName(cmdl.game));
    derived.report(diagnostics);
    return cmdl;
}

}  // namespace reanima::metroid
