#include "formats/ff7/mesh_options.h"

#include <charconv>

#include "core/text.h"

namespace reanima::ff7 {

WeaponChoice weaponFrom(const OptionValues& options) {
    using Kind = WeaponChoice::Kind;
    const std::string text = options.text(kWeaponOption.key).value_or("");
    if (text.empty())
        return {};
    if (text == "all")
        return {Kind::all, 0};
    if (text == "none")
        return {Kind::none, 0};
    constexpr std::uint32_t kMost = 15;
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number > kMost)
        throw core::optionError({"weapon", text}, "expected a number from 0 to 15, all or none");
    return {Kind::number, number};
}

MeshSettings meshSettingsFrom(const OptionValues& options, std::string_view skeletonFile, double scale,
                              MeshSettings::Lighting lighting) {
    MeshSettings settings;
    settings.stem = core::validUtf8(core::stemOf(skeletonFile));
    settings.scale = scale;
    settings.lighting = lighting;
    if (const std::optional<bool> lit = litOf(options))
        settings.lighting = *lit ? MeshSettings::Lighting::lit : MeshSettings::Lighting::unlit;
    if (options.text(kFilterOption.key) == "linear")
        settings.filter = core::Filter::linear;
    return settings;
}

}  // namespace reanima::ff7
