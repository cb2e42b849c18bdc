#include <array>

#include <fmt/format.h>

#include "formats/palette_option.h"
#include "formats/psx/texture_memory.h"
#include "formats/psx/tim.h"
#include "formats/psx/tim_json.h"
#include "formats/psx/tim_picture.h"
#include "formats/row_functions.h"

namespace reanima::psx {

namespace {

using namespace std::string_view_literals;
using core::LittleEndianReader;

constexpr std::array kTimExtensions = {"tim"sv};

constexpr std::array kTimOptions = {kPaletteOption};

core::Asset loadTim(const File& file, const Companions&, Context& context) {
    const Tim tim = decodeTim(LittleEndianReader(file.bytes), context.diagnostics);
    const std::uint64_t texels = std::uint64_t{pixelWidthOf(tim)} * tim.image.height;
    if (texels == 0)
        throw core::DecodeError({"image.width", std::nullopt},
                                fmt::format("holds no texels: {} x {} words", tim.image.width, tim.image.height));
    const std::uint32_t palette = context.options.count(kPaletteOption.key).value_or(0);
    if (palette >= palettesOf(tim))
        throw core::DecodeError({"clut", std::nullopt},
                                fmt::format("{} palettes are there, palette {} is asked for", palettesOf(tim), palette))
            .withHint({"palette", "N"});
    if (!tim.clut && bitsOf(tim.mode) < kWordBits)
        context.diagnostics.warn(core::Code::assumed, {"clut", std::nullopt},
                                 "is not there: indices are shown as shades of grey");
    core::SampleBudget(context.limits).take(texels, {"image.width", std::nullopt});
    core::requireMemory(4 * texels, context.limits, {"image.words", std::nullopt});
    core::Asset asset;
    asset.images.push_back(imageOf(tim, palette));
    asset.images.back().name = std::string(stemOf(file.name));
    return asset;
}

Json dumpTim(const File& file, const Companions&, Context& context) {
    const Tim tim = decodeTim(LittleEndianReader(file.bytes), context.diagnostics);
    return toJson(tim, context.limits, context.diagnostics);
}

}  // namespace

extern const Format kTim = {
    .id = "psx-tim",
    .label = "PlayStation texture (TIM)",
    .kind = Kind::picture,
    .extensions = kTimExtensions,
    .options = kTimOptions,
    .isWhole = isTim,
    .beginsLike = beginsLikeTim,
    .load = loadTim,
    .dump = dumpTim,
    .encode = encodeBy<timFromJson, encodeTim>,
    .companion = Role::textures,
};

}  // namespace reanima::psx
