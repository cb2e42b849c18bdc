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

constexpr std::array kTimExtensions = {"tim"sv};

constexpr std::array kTimOptions = {kPaletteOption};

Tim readTim(core::Bytes bytes, core::Diagnostics& diagnostics) {
    return decodeTim(core::LittleEndianReader(bytes), diagnostics);
}

class OpenedTim final : public OpenedBytes<readTim> {
  public:
    using OpenedBytes::OpenedBytes;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        const Tim& tim = native();
        const core::Limits& limits = context().limits;
        const std::uint64_t texels = std::uint64_t{pixelWidthOf(tim)} * tim.image.height;
        if (texels == 0)
            throw core::DecodeError({"image.width", std::nullopt}, fmt::format("contains no texels: {} x {} words",
                                                                               tim.image.width, tim.image.height));
        const std::uint32_t palette = context().options.count(kPaletteOption.key).value_or(0);
        if (palette >= palettesOf(tim))
            throw core::DecodeError(
                {"clut", std::nullopt},
                fmt::format("palette {1} is requested, but there are only {0}", palettesOf(tim), palette))
                .withHint({"palette", "N"});
        if (!tim.clut && bitsOf(tim.mode) < kWordBits)
            diagnostics.warn(core::Code::assumed, {"clut", std::nullopt},
                             "is missing, so indices are shown as shades of grey");
        core::SampleBudget(limits).take(texels, {"image.width", std::nullopt});
        core::requireMemory(4 * texels, limits, {"image.words", std::nullopt});
        core::Asset asset;
        asset.images.push_back(imageOf(tim, palette));
        asset.images.back().name = std::string(stemOf(file().name));
        return asset;
    }
};

}  // namespace

extern const Format kTim = {
    .id = "psx-tim",
    .label = "PlayStation texture (TIM)",
    .kind = Kind::picture,
    .extensions = kTimExtensions,
    .options = kTimOptions,
    .isWhole = isTim,
    .beginsLike = beginsLikeTim,
    .open = openAs<OpenedTim>,
    .encode = encodeBy<timFromJson, encodeTim>,
    .companion = Role::textures,
};

}  // namespace reanima::psx
