#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "core/memory.h"
#include "formats/common_options.h"
#include "formats/metroid/animation/animation.h"
#include "formats/metroid/animation/animation_json.h"
#include "formats/metroid/animation/clips.h"
#include "formats/metroid/animation/edits.h"
#include "formats/metroid/animation/evnt.h"
#include "formats/metroid/animation/evnt_json.h"
#include "formats/metroid/character/ancs.h"
#include "formats/metroid/character/ancs_json.h"
#include "formats/metroid/character/characters.h"
#include "formats/metroid/character/dressing.h"
#include "formats/metroid/cinf.h"
#include "formats/metroid/cinf_json.h"
#include "formats/metroid/model/mesh_options.h"
#include "formats/metroid/opened_padded.h"
#include "formats/metroid/reading.h"
#include "formats/row_functions.h"

namespace reanima::metroid {

namespace {

using namespace std::string_view_literals;

constexpr std::array kGameChoices = {"mp1"sv, "mp2"sv};
constexpr OptionInfo kGameOption{
    "game",
    OptionInfo::Type::text,
    "",
    "game of the file: Metroid Prime (mp1) or Metroid Prime 2: Echoes (mp2). Default: detected from the content",
    0,
    0,
    kGameChoices};

std::optional<Game> gameFrom(const OptionValues& options) {
    const std::optional<std::string> name = options.text("game");
    return name ? gameNamed(*name) : std::nullopt;
}

/// Removes the padding, since it belongs to the archive and not to the file.
template <typename Native>
void removePaddingOf(Native& native, const File&) {
    native.padding.clear();
}

// ---------------------------------------------------------------------------------------------------------------------
// Animations

constexpr std::array kAnimationExtensions = {"anim"sv};
constexpr OptionInfo kAdditiveOption{"additive",
                                     OptionInfo::Type::flag,
                                     "",
                                     "treat the animation as additive (a change applied to another animation). For a "
                                     "character set, convert the additive animations too",
                                     0,
                                     1};
constexpr std::array kTypeChoices = {"2"sv, "0"sv};
constexpr OptionInfo kTypeOption{"type",
                                 OptionInfo::Type::text,
                                 "N",
                                 "type of new Metroid Prime animations: 2 (whole numbers, smaller files) or 0 (floats, "
                                 "required for a single frame). Default: 0 for a single frame, otherwise 2",
                                 0,
                                 0,
                                 kTypeChoices,
                                 OptionInfo::Use::writing,
                                 "2"};
constexpr OptionInfo kRotationErrorOption{
    "rotation-error",
    OptionInfo::Type::number,
    "DEG",
    "for new Metroid Prime animations of type 2: allow rotations to be off by this many degrees, for smaller files. "
    "Default: the smallest error that the format allows",
    0.001,
    45,
    {},
    OptionInfo::Use::writing};
constexpr std::array kAnimationOptions = {
    kGameOption,     kRateOption,   kScaleOption, kSubdivideOption, kAdditiveOption, kNoMeshOption,
    kLightingOption, kFilterOption, kRowsOption,  kSetOption,       kTypeOption,     kRotationErrorOption,
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

void requireBones(const Cinf& cinf) {
    if (cinf.bones.empty())
        throw core::DecodeError({"bone_count", 0}, "is 0");
}

std::optional<Cinf> skeletonAmong(const Companions& companions, Context& context) {
    return decodeCompanion(companions, Role::skeleton, context.diagnostics, [&](core::Bytes bytes) {
        Cinf cinf = decodeCinf(bytes, std::nullopt, context.diagnostics);
        requireBones(cinf);
        return cinf;
    });
}

/// Reads the events. A damaged file that the user did not name gives a warning: motion does not need events.
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

bool wantsMesh(const Context& context) { return !context.options.flag(kNoMeshOption.key); }

/// Adds the mesh beside an animation or a skeleton, if there is one.
void dress(core::Asset& asset, const Companions& companions, Context& context) {
    const auto mesh = companions.find(Role::mesh);
    if (!wantsMesh(context) || mesh == companions.end() || !asset.skeleton)
        return;
    const Input& model = mesh->second.input;
    BodySettings settings = bodySettingsFrom(context.options);
    settings.name = std::string(stemOf(model.file.name)) + "_mesh";
    settings.identity = {{"model", nullptr}, {"skin", nullptr}, {"overlay", nullptr}};
    const core::Limits limits = context.limits.holding(core::memoryOf(asset));
    Context beside = context.within(limits);
    putOn(asset, {dressFileAmong(companions, Role::mesh), dressFileAmong(companions, Role::skin), &model.siblings},
          settings, companions, beside);
}

double scaleOf(const Context& context) { return context.options.number("scale").value_or(ClipSettings{}.scale); }

Animation readAnimation(core::Bytes bytes, Context& context) {
    return decodeAnimation(bytes, gameFrom(context.options), context.limits, context.diagnostics);
}

/// An open animation, with companions beside it.
class OpenedAnimation final : public OpenedPadded<readAnimation, removePaddingOf<Animation>> {
  public:
    using OpenedPadded::OpenedPadded;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        Context work = context().reporting(diagnostics);
        const Animation& animation = native();
        const std::optional<Cinf> cinf = skeletonAmong(companions(), context());
        const std::optional<Evnt> evnt = eventsAmong(companions(), context());
        core::Asset asset = toAsset(animation, cinf ? &*cinf : nullptr, evnt ? &*evnt : nullptr,
                                    settingsFor(file(), work.options), work.limits, diagnostics);
        dress(asset, companions(), work);
        return asset;
    }

    [[nodiscard]] core::StoredSteps steps() override { return stepsOf(native(), scaleOf(context())); }

    [[nodiscard]] EditedFile written(const core::Asset& original, std::span<const core::ClipEdit> edits,
                                     core::Diagnostics& diagnostics) override {
        Animation animation = native();
        EditedFile result;
        const std::optional<double> error = context().options.number(kRotationErrorOption.key);
        for (const core::ClipEdit& edit : edits)
            result.losses = error && animation.stream() != nullptr
                                ? applyCoarsely(animation, original, edit, scaleOf(context()), *error, diagnostics)
                                : applyEdit(animation, original, edit, scaleOf(context()));
        const bool isFilled = !animation.padding.empty() && isPadding(animation.padding, file().bytes.size());
        if (isFilled)
            animation.padding.clear();
        result.bytes = encodeAnimation(animation);
        if (isFilled)
            result.bytes.resize((result.bytes.size() + kPakAlignment - 1) / kPakAlignment * kPakAlignment, 0xFF);
        return result;
    }
};

core::ByteVector stillFile(const NewClips& clips, const Companions& companions, Context& context) {
    const std::optional<Cinf> cinf = skeletonAmong(companions, context);
    if (!cinf)
        throw missingSkeleton();
    // Type 2 stores the number of keys after the first, which can't be 0.
    const std::string type = context.options.text(kTypeOption.key).value_or(clips.isStill ? "0" : "2");
    const ContentKind kind = type == "0" ? ContentKind::arrays : ContentKind::stream;
    if (kind == ContentKind::stream && clips.isStill)
        throw core::optionError({std::string(kTypeOption.key), type}, "can't store a single frame, expected 0");
    if (kind == ContentKind::arrays && context.options.has(kRotationErrorOption.key))
        throw core::optionError({std::string(kRotationErrorOption.key), {}},
                                "applies only to type 2, because type 0 stores floats");
    const Game game = gameFrom(context.options).value_or(cinf->game);
    const std::uint32_t most = mostBoneId(game, kind);
    for (const std::uint32_t bone : parentsFirst(*cinf))
        if (cinf->bones[bone].id <= most)
            return encodeAnimation(stillAnimation(game, kind, clips.rate, cinf->bones[bone].id));
    const Input& file = companions.find(Role::skeleton)->second.input;
    throw core::DecodeError({"bones", std::nullopt}, fmt::format("have ids such as {}, expected at least one up to {}",
                                                                 cinf->bones.front().id, most))
        .inFile(file.shownName());
}

std::vector<Need> animationNeeds(const File& file) {
    std::vector<std::string> events = companionNames(file.name, "evnt");
    if (const std::optional<std::uint32_t> id = eventsIdOf(file.bytes)) {
        const std::string extension = file.name.substr(stemOf(file.name).size());
        for (const std::string& digits : {fmt::format("{:08X}", *id), fmt::format("{:08x}", *id)})
            std::ranges::copy(companionNames(digits + extension, "evnt"), std::back_inserter(events));
    }
    return {{Role::skeleton, companionNames(file.name, "cinf")},
            {Role::events, std::move(events)},
            {Role::mesh, companionNames(file.name, "cmdl")},
            {Role::skin, companionNames(file.name, "cskr")}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Skeletons and events

constexpr std::array kSkeletonExtensions = {"cinf"sv};
constexpr std::array kSkeletonOptions = {kGameOption,   kScaleOption, kNoMeshOption, kLightingOption,
                                         kFilterOption, kRowsOption,  kSetOption};
constexpr std::array kEventExtensions = {"evnt"sv};

Cinf readCinf(core::Bytes bytes, Context& context) {
    return decodeCinf(bytes, gameFrom(context.options), context.diagnostics);
}

class OpenedSkeleton final : public OpenedNumbers<OpenedPadded<readCinf, removePaddingOf<Cinf>>> {
  public:
    using OpenedNumbers::OpenedNumbers;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        Context work = context().reporting(diagnostics);
        requireBones(native());
        core::Asset asset;
        asset.skeleton.emplace(toSkeleton(native(), scaleOf(work)));
        dress(asset, companions(), work);
        return asset;
    }
};

std::vector<Need> needsDress(const File& file) {
    return {{Role::mesh, companionNames(file.name, "cmdl")}, {Role::skin, companionNames(file.name, "cskr")}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Character sets

constexpr std::array kCharacterExtensions = {"ancs"sv};
constexpr std::array kCharacterOptions = {kGameOption,   kRateOption,     kScaleOption,  kSubdivideOption,
                                          kModelOption,  kAdditiveOption, kNoMeshOption, kLightingOption,
                                          kFilterOption, kRowsOption,     kSetOption};

Additive additiveFrom(const OptionValues& options) {
    return options.flag(kAdditiveOption.key) ? Additive::kept : Additive::leftOut;
}

Ancs readAncs(core::Bytes bytes, Context& context) { return decodeAncs(bytes, gameFrom(context.options)); }

/// An open character set. A companion may replace its skeletons.
class OpenedCharacters final : public OpenedNumbers<OpenedBytes<readAncs>> {
  public:
    using OpenedNumbers::OpenedNumbers;

    [[nodiscard]] core::Asset asset(const std::string& id, core::Diagnostics& diagnostics) override {
        Context work = context().reporting(diagnostics);
        const Ancs& ancs = native();
        const std::optional<Cinf> cinf = skeletonAmong(companions(), context());
        core::Asset asset = loadCharacter(ancs, id, cinf ? &*cinf : nullptr, settingsFor(file(), work.options), work);
        if (wantsMesh(work))
            dressCharacter(asset, ancs, id, bodySettingsFrom(work.options), companions(), work);
        else
            leaveSkinOut(asset);
        return asset;
    }

    [[nodiscard]] std::vector<ModelSummary> models() override {
        return summariesOf(native(), &input().siblings, additiveFrom(context().options));
    }
};

}  // namespace

extern const Format kAnimation = {
    .id = "metroid-anim",
    .label = "Metroid Prime 1 and 2 animation",
    .kind = Kind::animation,
    .extensions = kAnimationExtensions,
    .options = kAnimationOptions,
    .traits = {.isWrittenFromPoses = true},
    .isWhole = isAnimation,
    .beginsLike = beginsLikeAnimation,
    .needs = animationNeeds,
    .open = openAs<OpenedAnimation>,
    .encode = encodeBy<animationFromJson, encodeAnimation>,
    .still = stillFile,
};

extern const Format kSkeleton = {
    .id = "metroid-cinf",
    .label = "Metroid Prime 1 and 2 skeleton",
    .kind = Kind::skeleton,
    .extensions = kSkeletonExtensions,
    .options = kSkeletonOptions,
    .isWhole = isCinf,
    .needs = needsDress,
    .open = openAs<OpenedSkeleton>,
    .encode = encodeBy<cinfFromJson, encodeCinf>,
    .memoryPerByte = 12,
};

extern const Format kEvents = {
    .id = "metroid-evnt",
    .label = "Metroid Prime events of an animation",
    .kind = Kind::events,
    .extensions = kEventExtensions,
    .options = {},
    .traits = {.isConverted = false},
    .isWhole = isEvnt,
    .open = openAs<OpenedNumbers<OpenedPadded<decodeEvnt, removePaddingOf<Evnt>>>>,
    .encode = encodeBy<evntFromJson, encodeEvnt>,
};

/// The type of character sets in a PAK: `ANCS`.
constexpr std::uint32_t kCharacterSet = 0x414E4353;

extern const Format kCharacters = {
    .id = "metroid-ancs",
    .label = "Metroid Prime 1 and 2 character set",
    .kind = Kind::animation,
    .extensions = kCharacterExtensions,
    .options = kCharacterOptions,
    .traits = {.holdsModels = true},
    .isWhole = isAncs,
    .beginsLike = beginsLikeAncs,
    .open = openAs<OpenedCharacters>,
    .encode = nullptr,
    .isCharacter = [](std::string_view, std::uint32_t type) { return type == kCharacterSet; },
};

}  // namespace reanima::metroid
