#include "formats/registry.h"

#include <algorithm>
#include <array>

#include "formats/character_links.h"
#include "formats/common_options.h"
#include "formats/format.h"

// Every format: the namespace of its game, and its row there. If several claim a file equally, the first is used.
// clang-format off
#define REANIMA_FORMATS(row)    \
    row(ff7, kBattleAnimation)  \
    row(ff7, kBattleSkeleton)   \
    row(ff7, kFieldAnimation)   \
    row(ff7, kFieldSkeleton)    \
    row(ff7, kFieldResource)    \
    row(ff7, kMesh)             \
    row(ff7, kTexture)          \
    row(ff8, kMonster)          \
    row(ff9, kAnimation)        \
    row(ff9, kModel)            \
    row(ff9, kContainer)        \
    row(psx, kTim)              \
    row(ff9, kMaterials)        \
    row(metroid, kAnimation)    \
    row(metroid, kSkeleton)     \
    row(metroid, kEvents)       \
    row(metroid, kCharacters)   \
    row(metroid, kModel)        \
    row(metroid, kSkin)         \
    row(metroid, kTexture)      \
    row(zvision, kRlf)          \
    /* the end */
// clang-format on

namespace reanima {

#define REANIMA_DECLARE(game, format) \
    namespace game {                  \
    extern const Format format;       \
    }
REANIMA_FORMATS(REANIMA_DECLARE)

namespace ff9 {
extern const CharacterLinks kLinks;
}

namespace {

#define REANIMA_ADDRESS(game, format) &game::format,
constexpr std::array kFormats = {REANIMA_FORMATS(REANIMA_ADDRESS)};
constexpr std::array kCharacterLinks = {&ff9::kLinks};

}  // namespace

std::span<const Format* const> formats() { return kFormats; }

std::span<const CharacterLinks* const> characterLinks() { return kCharacterLinks; }

const Format* formatNamed(std::string_view id) {
    const auto row = std::find_if(kFormats.begin(), kFormats.end(), [id](const Format* f) { return f->id == id; });
    return row == kFormats.end() ? nullptr : *row;
}

FormatInfo infoOf(const Format& format) {
    return {format.id, format.label, format.kind, format.extensions, format.options};
}

std::vector<OptionInfo> formatOptions(std::optional<Kind> kind) {
    const bool isAny = !kind;
    const Kind wanted = kind.value_or(Kind::animation);
    std::vector<OptionInfo> options;
    for (const Format* format : kFormats)
        for (const OptionInfo& option : format->options)
            if ((isAny || format->kind == wanted) &&
                std::none_of(options.begin(), options.end(),
                             [&](const OptionInfo& known) { return known.key == option.key; }))
                options.push_back(option);
    if (wanted == Kind::animation)
        options.insert(options.end(), {kJointRootOption, kUpOption});
    return options;
}

}  // namespace reanima
