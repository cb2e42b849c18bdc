#include <array>

#include "formats/ff9/materials.h"
#include "formats/ff9/materials_json.h"
#include "formats/row_functions.h"

namespace reanima::ff9 {

namespace {

using namespace std::string_view_literals;

constexpr std::array kMaterialsExtensions = {"ff9mat"sv};

Materials materialsIn(core::Bytes bytes) { return decodeMaterials(core::LittleEndianReader(bytes)); }

}  // namespace

extern const Format kMaterials = {
    .id = "ff9-material",
    .label = "Final Fantasy IX (PlayStation) materials",
    .kind = Kind::materials,
    .extensions = kMaterialsExtensions,
    .options = {},
    .traits = {.isConverted = false},
    .isWhole = isMaterials,
    .beginsLike = beginsLikeMaterials,
    .open = openAs<OpenedBytes<materialsIn>>,
    .encode = encodeBy<materialsFromJson, encodeMaterials>,
};

}  // namespace reanima::ff9
