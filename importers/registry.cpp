#include "importers/registry.h"

#include <algorithm>
#include <array>

#include "importers/ff7/formats.h"
#include "importers/ff9/formats.h"
#include "importers/format.h"
#include "importers/metroid/formats.h"
#include "importers/zvision/formats.h"

namespace reanima {

namespace {

constexpr std::array kFormats = {
    &ff7::kBattleAnimation, &ff7::kBattleSkeleton, &ff9::kAnimation,  &ff9::kModel,   &ff9::kContainer,
    &metroid::kAnimation,   &metroid::kSkeleton,   &metroid::kEvents, &zvision::kRlf,
};

}  // namespace

std::span<const Format* const> formats() { return kFormats; }

const Format* formatNamed(std::string_view id) {
    const auto row = std::find_if(kFormats.begin(), kFormats.end(), [id](const Format* f) { return f->id == id; });
    return row == kFormats.end() ? nullptr : *row;
}

std::span<const OtherFile> otherFiles() { return ff7::otherFiles(); }

FormatInfo infoOf(const Format& format) {
    return {format.id, format.label, format.kind, format.extensions, format.options};
}

std::vector<OptionInfo> formatOptions(std::optional<Kind> kind) {
    std::vector<OptionInfo> options;
    for (const Format* format : kFormats)
        for (const OptionInfo& option : format->options)
            if (format->kind == kind.value_or(format->kind) &&
                std::none_of(options.begin(), options.end(),
                             [&](const OptionInfo& known) { return known.key == option.key; }))
                options.push_back(option);
    return options;
}

}  // namespace reanima
