#include <array>

#include <nlohmann/json.hpp>

#include "formats/common_options.h"
#include "formats/ff8/monster.h"
#include "formats/ff8/monster_clips.h"
#include "formats/ff8/monster_json.h"
#include "formats/format.h"

namespace reanima::ff8 {

namespace {

using namespace std::string_view_literals;

constexpr std::array kExtensions = {"dat"sv};
constexpr std::array kOptions = {kRateOption, kScaleOption, kSubdivideOption};

/// `c0m000.dat` to `c0m999.dat`
bool isMonsterName(std::string_view name) {
    constexpr std::string_view kDigits = "0123456789";
    const std::string lower = lowerCase(name);
    return lower.size() == 10 && lower.starts_with("c0m") && lower.ends_with(".dat") &&
           lower.substr(3, 3).find_first_not_of(kDigits) == std::string::npos;
}

core::Asset loadMonster(const File& file, const Companions&, Context& context) {
    const Monster monster = decodeMonster(file.bytes, context.limits, context.diagnostics);
    auto settings = clipSettingsFrom<ClipSettings>(file, context.options);
    settings.subdivide = context.options.number(kSubdivideOption.key).value_or(settings.subdivide);
    return toAsset(monster, settings, context.limits, context.diagnostics);
}

}  // namespace

extern const Format kMonster = {
    .id = "ff8-monster",
    .label = "Final Fantasy VIII (PC) monster",
    .kind = Kind::animation,
    .extensions = kExtensions,
    .isUsualName = isMonsterName,
    .options = kOptions,
    .claim = [](core::Bytes bytes) { return claimIf(bytes, isMonster, beginsLikeMonster); },
    .needs = [](const File&) { return std::vector<Need>{}; },
    .load = loadMonster,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(decodeMonster(file.bytes, context.limits, context.diagnostics), context.limits,
                          context.diagnostics);
        },
    .encode =
        [](const JsonReader& json, Context& context) {
            return encodeMonster(monsterFromJson(json, context.diagnostics), context.diagnostics);
        },
};

}  // namespace reanima::ff8
