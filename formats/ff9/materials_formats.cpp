#include <array>

#include <nlohmann/json.hpp>

#include "formats/ff9/materials.h"
#include "formats/ff9/materials_json.h"
#include "formats/format.h"

namespace reanima::ff9 {

namespace {

using namespace std::string_view_literals;
using core::LittleEndianReader;

constexpr std::array kMaterialsExtensions = {"ff9mat"sv};

std::vector<Need> noNeeds(const File&) { return {}; }

Json dumpMaterials(const File& file, const Companions&, Context& context) {
    return toJson(decodeMaterials(LittleEndianReader(file.bytes)), context.limits, context.diagnostics);
}

}  // namespace

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
