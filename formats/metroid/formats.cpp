#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/metroid/ancs.h"
#include "formats/metroid/ancs_json.h"
#include "formats/metroid/animation.h"
#include "formats/metroid/animation_json.h"
#include "formats/metroid/characters.h"
#include "formats/metroid/cinf.h"
#include "formats/metroid/cinf_json.h"
#include "formats/metroid/clips.h"
#include "formats/metroid/evnt.h"
#include "formats/metroid/evnt_json.h"

namespace reanima::metroid {

namespace {

using namespace std::string_view_literals;

constexpr std::array kGameChoices = {"mp1"sv, "mp2"sv};
constexpr OptionInfo kGameOption{"game",      OptionInfo::Type::text,
                                 "",          "Metroid Prime or Metroid Prime 2: Echoes, instead of recognising it",
                                 0,           0,
                                 kGameChoices};

std::optional<Game> gameFrom(const OptionValues& options) {
    const std::optional<std::string> name = options.text("game");
    return name ? gameNamed(*name) : std::nullopt;
}

/// Padding belongs to the archive, not to the file.
template <typename Native>
Native unpadded(const File& file, Native native) {
    if (file.padded)
        native.padding.clear();
    return native;
}

// ---------------------------------------------------------------------------------------------------------------------
// Animations

constexpr std::array kAnimationExtensions = {"anim"sv};
constexpr std::array kAnimationOptions = {
    kGameOption,
    kRateOption,
    kScaleOption,
    kSubdivideOption,
    OptionInfo{"additive", OptionInfo::Type::flag, "", "the animation is a change to be added to another one", 0, 1},
};

ClipSettings settingsFor(const File& file, const OptionValues& options) {
    ClipSettings settings;
    settings.source = file.name;
    settings.name = std::string(stemOf(file.name));
    settings.rate = options.number("rate");
    settings.scale = options.number("scale").value_or(settings.scale);
    settings.subdivide = options.number("subdivide").value_or(settings.subdivide);
    settings.additive = options.flag("additive");
    return settings;
}

std::optional<Cinf> skeletonAmong(const Companions& companions, Context& context) {
    return decodeCompanion(companions, Role::skeleton, context.diagnostics, [&](core::Bytes bytes) {
        Cinf cinf = decodeCinf(bytes, std::nullopt, context.diagnostics);
        if (cinf.bones.empty())
            throw core::DecodeError({"bone_count", 0}, "is 0");
        return cinf;
    });
}

/// The events; a damaged file that was merely found beside the animation does not lose the motion.
std::optional<Evnt> eventsAmong(const Companions& companions, Context& context) {
    try {
        return decodeCompanion(companions, Role::events, context.diagnostics,
                               [&](core::Bytes bytes) { return decodeEvnt(bytes, context.diagnostics); });
    } catch (const core::DecodeError& error) {
        if (companions.find(Role::events)->second.given)
            throw;
        context.diagnostics.warn(core::Code::damaged, {}, fmt::format("its events are left out: {}", error.what()));
        return std::nullopt;
    }
}

core::Asset loadAnimation(const File& file, const Companions& companions, Context& context) {
    const Animation animation =
        decodeAnimation(file.bytes, gameFrom(context.options), context.limits, context.diagnostics);
    const std::optional<Cinf> cinf = skeletonAmong(companions, context);
    const std::optional<Evnt> evnt = eventsAmong(companions, context);
    return toAsset(animation, cinf ? &*cinf : nullptr, evnt ? &*evnt : nullptr, settingsFor(file, context.options),
                   context.limits, context.diagnostics);
}

std::vector<Need> animationNeeds(const File& file) {
    std::vector<std::string> events = companionNames(file.name, "evnt");
    if (const std::optional<std::uint32_t> id = eventsIdOf(file.bytes)) {
        const std::string extension = file.name.substr(stemOf(file.name).size());
        for (const std::string& digits : {fmt::format("{:08X}", *id), fmt::format("{:08x}", *id)})
            std::ranges::copy(companionNames(digits + extension, "evnt"), std::back_inserter(events));
    }
    return {{Role::skeleton, companionNames(file.name, "cinf")}, {Role::events, std::move(events)}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Skeletons and events

constexpr std::array kSkeletonExtensions = {"cinf"sv};
constexpr std::array kSkeletonOptions = {kGameOption, kScaleOption};
constexpr std::array kEventExtensions = {"evnt"sv};

core::Asset loadSkeleton(const File& file, const Companions&, Context& context) {
    const Cinf cinf = decodeCinf(file.bytes, gameFrom(context.options), context.diagnostics);
    if (cinf.bones.empty())
        throw core::DecodeError({"bone_count", 0}, "is 0");
    core::Asset asset;
    asset.skeleton.emplace(toSkeleton(cinf, context.options.number("scale").value_or(ClipSettings{}.scale)));
    return asset;
}

std::vector<Need> noNeeds(const File&) { return {}; }

// ---------------------------------------------------------------------------------------------------------------------
// What else lies there. Of most of it the name alone tells what it is.

bool isModel(core::Bytes bytes, std::string_view name) {
    constexpr std::array<std::uint8_t, 4> kMagic = {0xDE, 0xAD, 0xBA, 0xBE};
    const std::string extension = extensionOf(name);
    return extension == "cmdl" || extension == "cskr" ||
           (bytes.size() >= kMagic.size() && std::equal(kMagic.begin(), kMagic.end(), bytes.begin()));
}

std::string adviceFor(std::string_view) { return "the animations are those of its character set (ANCS)"; }

constexpr std::array kOtherFiles = {
    OtherFile{"a model of Metroid Prime", isModel, adviceFor},
    OtherFile{"a texture of Metroid Prime",
              [](core::Bytes, std::string_view name) { return extensionOf(name) == "txtr"; }, adviceFor},
};

// ---------------------------------------------------------------------------------------------------------------------
// Character sets

constexpr std::array kCharacterExtensions = {"ancs"sv};
constexpr std::array kCharacterOptions = {kGameOption, kRateOption, kScaleOption, kSubdivideOption, kModelOption};

core::Asset loadCharacters(const File& file, const Companions& companions, Context& context) {
    const Ancs ancs = decodeAncs(file.bytes, gameFrom(context.options));
    const std::optional<Cinf> cinf = skeletonAmong(companions, context);
    return loadCharacter(ancs, context.options.text(kModelOption.key).value_or(""), cinf ? &*cinf : nullptr,
                         settingsFor(file, context.options), context);
}

void readCharacterParts(const File& file, const Companions&, Context& context) {
    if (context.siblings == nullptr || !*context.siblings)
        return;
    const Ancs ancs = decodeAncs(file.bytes, gameFrom(context.options));
    for (const std::vector<std::string>& names : partsOf(ancs, context.options.text(kModelOption.key).value_or("")))
        for (const std::string& name : names)
            if ((*context.siblings)(name))
                break;
}

}  // namespace

extern const Format kAnimation = {
    .id = "metroid-anim",
    .label = "Metroid Prime 1 and 2 animation",
    .kind = Kind::animation,
    .extensions = kAnimationExtensions,
    .isUsualName = nullptr,
    .options = kAnimationOptions,
    .isWhole = isAnimation,
    .beginsLike = beginsLikeAnimation,
    .needs = animationNeeds,
    .load = loadAnimation,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(unpadded(file, decodeAnimation(file.bytes, gameFrom(context.options), context.limits,
                                                         context.diagnostics)),
                          context.limits, context.diagnostics);
        },
    .encode =
        [](const JsonReader& json, Context& context) {
            return encodeAnimation(animationFromJson(json, context.limits, context.diagnostics));
        },
    .others = kOtherFiles,
};

extern const Format kSkeleton = {
    .id = "metroid-cinf",
    .label = "Metroid Prime 1 and 2 skeleton",
    .kind = Kind::skeleton,
    .extensions = kSkeletonExtensions,
    .isUsualName = nullptr,
    .options = kSkeletonOptions,
    .isWhole = isCinf,
    .needs = noNeeds,
    .load = loadSkeleton,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(unpadded(file, decodeCinf(file.bytes, gameFrom(context.options), context.diagnostics)),
                          context.diagnostics);
        },
    .encode = [](const JsonReader& json,
                 Context& context) { return encodeCinf(cinfFromJson(json, context.diagnostics)); },
};

extern const Format kEvents = {
    .id = "metroid-evnt",
    .label = "Metroid Prime events of an animation",
    .kind = Kind::events,
    .extensions = kEventExtensions,
    .isUsualName = nullptr,
    .options = {},
    .isWhole = isEvnt,
    .needs = noNeeds,
    .load = nullptr,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(unpadded(file, decodeEvnt(file.bytes, context.diagnostics)), context.diagnostics);
        },
    .encode = [](const JsonReader& json,
                 Context& context) { return encodeEvnt(evntFromJson(json, context.diagnostics)); },
};

/// The type of its files in a PAK: `ANCS`.
constexpr std::uint32_t kCharacterSet = 0x414E4353;

extern const Format kCharacters = {
    .id = "metroid-ancs",
    .label = "Metroid Prime 1 and 2 character set",
    .kind = Kind::animation,
    .extensions = kCharacterExtensions,
    .isUsualName = nullptr,
    .options = kCharacterOptions,
    .isWhole = isAncs,
    .beginsLike = beginsLikeAncs,
    .needs = noNeeds,
    .load = loadCharacters,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(decodeAncs(file.bytes, gameFrom(context.options)), context.diagnostics);
        },
    .encode = nullptr,
    .models =
        [](const File& file, const Companions&, Context& context) {
            return summariesOf(decodeAncs(file.bytes, gameFrom(context.options)), context.siblings);
        },
    .readParts = readCharacterParts,
    .isCharacter = [](std::string_view, std::uint32_t type) { return type == kCharacterSet; },
};

}  // namespace reanima::metroid
