#include "formats/common_options.h"

#include <fmt/format.h>

namespace reanima {

NamesBy namesByOf(const OptionValues& options) {
    return options.text(kNamesByOption.key) == kNamesByWords.back() ? NamesBy::file : NamesBy::game;
}

std::optional<bool> litOf(const OptionValues& options) {
    const std::string lighting = options.text(kLightingOption.key).value_or("auto");
    return lighting == "auto" ? std::nullopt : std::optional(lighting == "lit");
}

core::Limits limitsFrom(const OptionValues& options) {
    core::Limits limits;
    if (const auto samples = options.number(kLimitSamplesOption.key))
        limits.setSamples(static_cast<std::uint64_t>(*samples));
    if (const auto mebibytes = options.number(kLimitMemoryOption.key))
        limits.memory = static_cast<std::uint64_t>(*mebibytes) << 20U;
    return limits;
}

FileClipSettings clipSettingsFrom(const File& file, const OptionValues& options, AngleClipSettings usual) {
    usual.rate = options.number(kRateOption.key).value_or(usual.rate);
    usual.scale = options.number(kScaleOption.key).value_or(usual.scale);
    usual.subdivide = options.number(kSubdivideOption.key).value_or(usual.subdivide);
    return {file.name, std::string(stemOf(file.name)), usual};
}

std::optional<std::uint32_t> bonesExpected(std::optional<std::uint32_t> ofSkeleton, const Context& context) {
    const std::optional<std::uint32_t> told = context.options.count("joints");
    if (told && ofSkeleton && *told != *ofSkeleton)
        context.diagnostics.warn(core::Code::skeletonMismatch, {},
                                 fmt::format("{} bones are requested, but the skeleton has {}", *told, *ofSkeleton),
                                 {"joints"});
    return told ? told : ofSkeleton;
}

}  // namespace reanima
