#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "formats/common_options.h"
#include "formats/ff8/monster.h"
#include "formats/ff8/monster_body.h"
#include "formats/ff8/monster_clips.h"
#include "formats/ff8/monster_json.h"
#include "formats/row_functions.h"

namespace reanima::ff8 {

namespace {

using namespace std::string_view_literals;

constexpr std::array kExtensions = {"dat"sv};
constexpr std::array kOptions = {kRateOption,   kScaleOption,    kSubdivideOption,
                                 kNoMeshOption, kLightingOption, kHideGroupOption};

/// `c0m000.dat` to `c0m999.dat`
bool isMonsterName(std::string_view name) {
    constexpr std::string_view kDigits = "0123456789";
    const std::string lower = lowerCase(name);
    return lower.size() == 10 && lower.starts_with("c0m") && lower.ends_with(".dat") &&
           lower.substr(3, 3).find_first_not_of(kDigits) == std::string::npos;
}

/// Reads a section. An unreadable section only gives a warning, since the motion does not need it.
template <typename Read>
void orWarn(core::Diagnostics& diagnostics, const Read& read) {
    try {
        read();
    } catch (const core::DecodeError& error) {
        if (error.kind() == core::DecodeError::Kind::limit)
            throw;
        diagnostics.warn(core::Code::damaged, error);
    }
}

void addMonsterBody(core::Asset& asset, const Monster& monster, const std::vector<Object>& objects,
                    const FileClipSettings& settings, Context& context) {
    const std::set<std::uint32_t> hidden = context.options.counts(kHideGroupOption.key);
    if (!hidden.empty() && *hidden.rbegin() >= objects.size())
        throw core::DecodeError(
            fmt::format("contains no object {}: it has {} objects, counted from 0", *hidden.rbegin(), objects.size()));
    Textures textures;
    orWarn(context.diagnostics,
           [&] { textures = Textures(readerOf(monster, kTextureSection), context.limits, context.diagnostics); });
    const BodySettings body{settings.stem, unitOf(monster.skeleton, settings.channels.scale), hidden,
                            litOf(context.options).value_or(false)};
    addBody(asset, objects, textures, body, context.limits, context.diagnostics);
}

class OpenedMonster final : public OpenedBytes<decodeMonster> {
  public:
    using OpenedBytes::OpenedBytes;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        Context work = context().reporting(diagnostics);
        const Monster& monster = native();
        const FileClipSettings settings = clipSettingsFrom(file(), work.options, kUsualSettings);
        const bool withMesh = !work.options.flag(kNoMeshOption.key);
        std::vector<Object> objects;
        if (withMesh)
            orWarn(diagnostics, [&] {
                objects = decodeMesh(readerOf(monster, kMeshSection), monster.skeleton.bones.size(), diagnostics);
            });
        core::Asset asset = toAsset(monster, objects, settings, work.limits, diagnostics);
        if (const std::string name = nameOf(monster); !name.empty())
            asset.character = {{"name", name}};
        if (withMesh)
            addMonsterBody(asset, monster, objects, settings, work);
        return asset;
    }
};

// ---------------------------------------------------------------------------------------------------------------------
// Other files

template <std::uint32_t... counts>
bool hasSections(core::Bytes bytes, std::string_view) {
    const std::uint32_t count = sectionCountOf(bytes);
    return ((count == counts) || ...);
}

bool isArchiveName(core::Bytes, std::string_view name) {
    constexpr std::array kStems = {"battle"sv, "field"sv, "magic"sv, "main"sv, "menu"sv, "world"sv};
    constexpr std::array kArchiveExtensions = {"fs"sv, "fi"sv, "fl"sv};
    return std::ranges::find(kStems, lowerCase(stemOf(name))) != kStems.end() &&
           std::ranges::find(kArchiveExtensions, extensionOf(name)) != kArchiveExtensions.end();
}

std::string notYet(std::string_view) { return "it is not supported yet"; }

std::string needsOthers(std::string_view) { return "put its .fs, .fi and .fl into one folder"; }

constexpr std::array kOtherFiles = {
    OtherFile{"a party member of Final Fantasy VIII", hasSections<7, 10>, notYet},
    OtherFile{"a weapon of Final Fantasy VIII", hasSections<5, 8>, notYet},
    OtherFile{"a summon of Final Fantasy VIII", hasSections<4>, notYet},
    OtherFile{"a monster of Final Fantasy VIII without a model", hasSections<2>,
              [](std::string_view) { return std::string(); }},
    OtherFile{"an archive of Final Fantasy VIII", isArchiveName, needsOthers},
};

}  // namespace

extern const Format kMonster = {
    .id = "ff8-monster",
    .label = "Final Fantasy VIII (PC) monster",
    .kind = Kind::animation,
    .extensions = kExtensions,
    .isUsualName = isMonsterName,
    .options = kOptions,
    .traits = {.sharesExtensions = true},
    .isWhole = isReadWithoutWarnings<decodeMonster>,
    .beginsLike = beginsLikeMonster,
    .open = openAs<OpenedMonster>,
    .encode = encodeBy<monsterFromJson, encodeMonster>,
    .others = kOtherFiles,
};

}  // namespace reanima::ff8
