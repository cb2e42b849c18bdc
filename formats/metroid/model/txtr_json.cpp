#include "formats/metroid/model/txtr_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace reanima::metroid {

Json toJson(const Txtr& txtr, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    constexpr std::uint64_t kBytesPerNumber = 24;  // measured in nlohmann's JSON, and as text
    constexpr std::uint64_t kBytesPerByte = 4;     // two digits, in JSON and as text
    const std::size_t colors = txtr.palette ? txtr.palette->colors.size() : 0;
    core::requireMemory(colors * kBytesPerNumber + txtr.data.size() * kBytesPerByte, limits, {"data", std::nullopt});
    Json palette;
    if (txtr.palette)
        palette = {{"type", static_cast<std::uint32_t>(txtr.palette->format)},
                   {"width", txtr.palette->width},
                   {"height", txtr.palette->height},
                   {"colors", txtr.palette->colors}};
    return {{"schema", 1},
            {"format", "metroid-txtr"},
            {"type", static_cast<std::uint32_t>(txtr.format)},
            {"type_name", nameOf(txtr.format)},
            {"width", txtr.width},
            {"height", txtr.height},
            {"mipmaps", txtr.levels},
            {"palette", std::move(palette)},
            {"data", toHex(txtr.data)},
            {"warnings", warningsToJson(diagnostics)}};
}

namespace {

std::uint16_t sideFrom(const JsonReader& json) { return static_cast<std::uint16_t>(json.integer(1, 0xFFFF)); }

Palette paletteFrom(const JsonReader& json) {
    Palette palette;
    palette.format = static_cast<PaletteFormat>(json.at("type").integer(0, kLastPaletteFormat));
    palette.width = json.at("width").integer<std::uint16_t>();
    palette.height = json.at("height").integer<std::uint16_t>();
    json.at("colors").requireSize(std::size_t{palette.width} * palette.height);
    palette.colors = json.at("colors").integers<std::uint16_t>();
    return palette;
}

}  // namespace

Txtr txtrFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    Txtr txtr;
    txtr.format = static_cast<TexelFormat>(json.at("type").integer(0, kLastTexelFormat));
    txtr.width = sideFrom(json.at("width"));
    txtr.height = sideFrom(json.at("height"));
    txtr.levels = json.at("mipmaps").integer<std::uint32_t>();
    if (hasPalette(txtr.format))
        txtr.palette = paletteFrom(json.at("palette"));
    else if (json.has("palette"))
        json.at("palette").fail(fmt::format("null, because {} has no palette", nameOf(txtr.format)));
    txtr.data = json.at("data").hex();
    if (const std::uint64_t needed = pictureBytes(txtr); txtr.data.size() + kMostMissing < needed)
        json.at("data").fail(fmt::format("at least {} bytes, the size of the image", needed));
    DerivedMembers derived;
    derived.expect(json, "type_name", nameOf(txtr.format));
    derived.report(diagnostics);
    return txtr;
}

}  // namespace reanima::metroid
