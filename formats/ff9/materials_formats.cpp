#include <array>

#include "formats/ff9/materials.h"
#include "formats/ff9/materials_json.h"
#include "formats/row_functions.h"

namespace reanima::ff9 {

namespace {

using namespace std::string_view_literals;
using core::LittleEndianReader;

constexpr std::array kMaterialsExtensions = {"ff9mat"sv};

Json dumpMaterials(const File& file, const Companions&, Context& context) {
    return toJson(decodeMaterials(LittleEndianReader(file.bytes)), context.limits, context.diagnostics);
}

}  // namespace

extern const Format kMaterials = {
    .id = "ff9-material",
    .label = "Final Fantasy IX (PlayStation) materials",
    .kind = Kind::materials,
    .extensions = kMaterialsExtensions,
    .options = {},
    .isWhole = isMaterials,
    .beginsLike = beginsLikeMaterials,
    .load = nullptr,
    .dump = dumpMaterials,
    .encode = encodeBy<materialsFromJson, encodeMaterials>,
};

}  // namespace reanima::ff9
