#include <array>

#include <nlohmann/json.hpp>

#include "formats/ff9/materials.h"
#include "formats/ff9/texture_json.h"
#include "formats/ff9/tim.h"
#include "formats/format.h"

namespace reanima::ff9 {

namespace {

using namespace std::string_view_literals;
using core::LittleEndianReader;

constexpr std::array kTimExtensions = {"tim"sv};
constexpr std::array kMaterialsExtensions = {"ff9mat"sv};

std::vector<Need> noNeeds(const File&) { return {}; }

Json dumpTim(const File& file, const Companions&, Context& context) {
    return toJson(decodeTim(LittleEndianReader(file.bytes)), context.limits, context.diagnostics);
}

Json dumpMaterials(const File& file, const Companions&, Context& context) {
    return toJson(decodeMaterials(LittleEndianReader(file.bytes)), context.limits, context.diagnostics);
}

}  // namespace

extern const Format kTim = {
    .id = "psx-tim",
    .label = "PlayStation texture (TIM)",
    .kind = Kind::picture,
    .extensions = kTimExtensions,
    .isUsualName = nullptr,
    .options = {},
    .isWhole = isTim,
    .beginsLike = beginsLikeTim,
    .needs = noNeeds,
    .load = nullptr,
    .dump = dumpTim,
    .encode = [](const JsonReader& json,
                 Context& context) { return encodeTim(timFromJson(json, context.diagnostics)); },
    .companion = Role::textures,
};

extern const Format kMaterials = {
    .id = "ff9-material",
    .label = "Final Fantasy IX (PlayStation) materials",
    .kind = Kind::materials,
    .extensions = kMaterialsExtensions,
    .isUsualName = nullptr,
    .options = {},
    .isWhole = isMaterials,
    .beginsLike = beginsLikeMaterials,
    .needs = noNeeds,
    .load = nullptr,
    .dump = dumpMaterials,
    .encode = [](const JsonReader& json, Context&) { return encodeMaterials(materialsFromJson(json)); },
};

}  // namespace reanima::ff9
