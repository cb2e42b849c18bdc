#include "formats/metroid/model/cskr_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/metroid/json_fields.h"
#include "formats/metroid/model/vectors_json.h"

namespace reanima::metroid {

namespace {

Json toJson(const SkinList& list) {
    return {{"count", list.count}, {"values", list.values ? vectorsToJson(*list.values) : Json(nullptr)}};
}

SkinList listFrom(const JsonReader& json) {
    SkinList list;
    list.count = static_cast<std::uint32_t>(json.at("count").integer(0, 0x7FFFFFFF));
    if (!json.has("values"))
        return list;
    json.at("values").requireSize(list.count);
    list.values = vectorsFromJson<float, 3>(json.at("values"));
    return list;
}

SkinGroup groupFrom(const JsonReader& json) {
    SkinGroup group;
    const JsonReader weights = json.at("weights");
    if (weights.size() == 0)
        weights.fail("at least one weight");
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const JsonReader weight = weights.at(i);
        weight.requireSize(2);
        const float share = numberFromJson(weight.at(1));
        if (share < 0)
            weight.at(1).fail("0 or more");
        group.weights.push_back({weight.at(0).integer<std::uint32_t>(), share});
    }
    group.vertices = json.at("vertices").integer<std::uint32_t>();
    return group;
}

}  // namespace

Json toJson(const Cskr& cskr, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    constexpr std::uint64_t kBytesPerByte = 48;  // measured: a weight is a list of two numbers
    core::requireMemory(encodeCskr(cskr).size() * kBytesPerByte, limits, {"groups", std::nullopt});
    Json groups = Json::array();
    for (const SkinGroup& group : cskr.groups) {
        Json weights = Json::array();
        for (const SkinGroup::Weight& weight : group.weights)
            weights.push_back({weight.bone, floatToJson(weight.weight)});
        groups.push_back({{"weights", std::move(weights)}, {"vertices", group.vertices}});
    }
    return {{"schema", 1},
            {"format", "metroid-cskr"},
            {"groups", std::move(groups)},
            {"positions", toJson(cskr.positions)},
            {"normals", toJson(cskr.normals)},
            {"content_size", encodeCskr(cskr).size() - cskr.padding.size()},
            {"padding", toHex(cskr.padding)},
            {"warnings", warningsToJson(diagnostics)}};
}

Cskr cskrFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    Cskr cskr;
    const JsonReader groups = json.at("groups");
    for (std::size_t i = 0; i < groups.size(); ++i)
        cskr.groups.push_back(groupFrom(groups.at(i)));
    cskr.positions = listFrom(json.at("positions"));
    if (const std::uint64_t covered = verticesOf(cskr); covered != cskr.positions.count)
        json.at("positions").at("count").fail(fmt::format("{}, as many as the groups cover", covered));
    cskr.normals = listFrom(json.at("normals"));
    DerivedMembers derived;
    cskr.padding = paddingFromJson(json, encodeCskr(cskr).size(), derived, diagnostics);
    derived.report(diagnostics);
    return cskr;
}

}  // namespace reanima::metroid
