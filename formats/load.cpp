#include "formats/load.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/decode_watch.h"
#include "core/edit.h"
#include "core/memory.h"
#include "core/text.h"
#include "formats/character_links.h"
#include "formats/common_options.h"
#include "formats/dump.h"
#include "formats/foreign_files.h"
#include "formats/format.h"
#include "formats/merge.h"
#include "formats/open_file.h"
#include "formats/registry.h"

namespace reanima {

namespace {

using core::DecodeError;

bool isUsualName(const Format& format, std::string_view name) {
    const std::string extension = extensionOf(name);
    const bool hasExtension = std::ranges::find(format.extensions, extension) != format.extensions.end();
    return (hasExtension && !format.traits.sharesExtensions) ||
           (format.isUsualName != nullptr && format.isUsualName(name));
}

/// The evidence for a format. Content that fits to the last byte is decisive. A matching name is stronger evidence than
/// content that only begins like the format.
enum Rank { kNothing, kBeginning, kName, kNamedBeginning, kWhole, kNamedWhole };

std::vector<Need> needsOf(const Format& format, const File& file) {
    const core::Unwatched recognising;
    return format.needs != nullptr ? format.needs(file) : std::vector<Need>{};
}

bool beginsLike(const Format& format, core::Bytes bytes) {
    return format.beginsLike != nullptr && format.beginsLike(bytes);
}

/// @param least ranks below this one need not be exact: any lower rank may be returned
Rank rankOf(const Format& format, const Input& input, Rank least) {
    const core::Unwatched recognising;
    const File& file = input.file;
    const bool named = isUsualName(format, file.name);
    if ((named ? kNamedWhole : kWhole) >= least && hasRoomFor(format, input) && format.isWhole(file.bytes))
        return named ? kNamedWhole : kWhole;
    if ((named ? kNamedBeginning : kBeginning) >= least && beginsLike(format, file.bytes))
        return named ? kNamedBeginning : kBeginning;
    return named ? kName : kNothing;
}

/// The kind of this file if it is a game file with nothing to convert, otherwise null.
const OtherFile* otherFileLike(const File& file) {
    for (const Format* format : formats())
        for (const OtherFile& other : format->others)
            if (other.matches(file.bytes, file.name))
                return &other;
    return nullptr;
}

[[noreturn]] void refuse(const Input& input) {
    std::string problem = input.file.bytes.empty() ? "is empty" : "is not a file of a known format";
    if (const OtherFile* other = otherFileLike(input.file)) {
        const std::string advice = other->advice(input.file.name);
        problem = fmt::format("is {}{}{}", other->label, advice.empty() ? "" : "; ", advice);
    } else if (const std::optional<ForeignFile> foreign = foreignFile(input.file.bytes)) {
        throw foreign->asError().inFile(input.shownName());
    } else if (const std::optional<ImagePart> part = imagePart(input.file.name)) {
        throw part->whole.asError().inFile(input.shownName());
    } else if (std::ranges::any_of(formats(), [&](const Format* format) { return !hasRoomFor(*format, input); })) {
        throw DecodeError({}, "is too large to be recognised by its content", DecodeError::Kind::limit)
            .withHint({"limit-memory", "MIB"})
            .inFile(input.shownName());
    }
    throw DecodeError(problem).inFile(input.shownName());
}

}  // namespace

const Format* findFormat(const Input& input) {
    if (input.format != nullptr)
        return input.format;
    if (isMemoriaAnimation(input.file.bytes, input.file.name))
        return nullptr;  // even if its name is usual for a format of a game
    // Formats that fit the name come first: if the content fits one of them, most others need not check it.
    std::vector<const Format*> inTurn(formats().begin(), formats().end());
    std::stable_partition(inTurn.begin(), inTurn.end(),
                          [&](const Format* format) { return isUsualName(*format, input.file.name); });
    const Format* best = nullptr;
    Rank bestRank = kNothing;
    for (const Format* format : inTurn) {
        const Rank rank = rankOf(*format, input, Rank(bestRank + 1));
        if (rank > bestRank) {
            best = format;
            bestRank = rank;
        }
    }
    return bestRank < kNamedBeginning && otherFileLike(input.file) != nullptr ? nullptr : best;
}

bool hasRoomFor(const Format& format, const Input& input) { return format.memoryFor(input.file) <= input.memoryLeft; }

bool beginsLikeAnyFormat(core::Bytes head) {
    return std::ranges::any_of(
        formats(), [&](const Format* format) { return format->isWhole(head) || beginsLike(*format, head); });
}

const Format& formatOf(const Input& input) {
    const Format* format = findFormat(input);
    if (format == nullptr)
        refuse(input);
    return *format;
}

namespace {

/// The first of these files that exists beside an input. An exact name takes precedence over names that differ in case.
std::optional<File> companionOf(const Input& input, const std::vector<std::string>& names) {
    std::optional<File> alike;
    for (const std::string& name : names) {
        if (lowerCase(name) == lowerCase(input.file.name))  // the companion would be the input itself
            continue;
        std::optional<File> file = input.siblings.companion(name, input.file.name);
        if (file && file->name == name)
            return file;
        if (file && !alike)
            alike = std::move(file);
    }
    return alike;
}

}  // namespace

Companions withFoundCompanions(const Input& input, const Companions& given) {
    const Format& format = formatOf(input);
    const auto skeleton = given.find(Role::skeleton);
    if (format.kind == Kind::animation && skeleton != given.end()) {
        const Format& skeletonFormat = formatOf(skeleton->second.input);
        if (skeletonFormat.game() != format.game())
            throw DecodeError(fmt::format("its skeleton can't be {}, which belongs to another game ({}). When clips "
                                          "are converted, they can be bound to such a skeleton",
                                          skeleton->second.input.shownName(), skeletonFormat.label))
                .inFile(input.shownName());
        if (!format.skeleton.empty() && skeletonFormat.id != format.skeleton)
            throw DecodeError(
                {}, fmt::format("is {}, expected {}", skeletonFormat.label, formatNamed(format.skeleton)->label),
                DecodeError::Kind::skeletonMismatch)
                .inFile(skeleton->second.input.shownName());
    }
    Companions companions = given;
    if (!input.siblings || !hasRoomFor(format, input))  // decoding reports the lack of memory
        return companions;
    const std::string folder(input.folder());
    for (const Need& need : needsOf(format, input.file)) {
        if (companions.contains(need.role))
            continue;
        if (std::optional<File> file = companionOf(input, need.names)) {
            std::string shown = folder + file->name;
            companions.emplace(need.role,
                               Companion{{std::move(*file), input.siblings, nullptr, std::move(shown)}, false});
        }
    }
    return companions;
}

core::Asset load(const Input& input, const Companions& given, Context& context) {
    return OpenFile(input, given, context).load(context.diagnostics);
}

core::Asset loadWithRest(const Input& input, const Companions& given, Context& context) {
    const Companions companions = withFoundCompanions(input, given);
    core::Asset asset = load(input, companions, context);
    refuseEmpty(asset, input);
    const auto about = context.diagnostics.about(input.shownName());
    setDefaultRest(asset, input, companions, context);
    return asset;
}

void refuseEmpty(const core::Asset& asset, const Input& input) {
    const Kind kind = formatOf(input).kind;
    if (kind == Kind::animation && asset.clips.empty() && !asset.holdsSkeleton)
        throw DecodeError("contains no animation that can be converted").inFile(input.shownName());
    if (kind == Kind::images && (!asset.video || asset.video->count == 0))
        throw DecodeError("contains no image").inFile(input.shownName());
    if (kind == Kind::mesh && asset.meshes.empty())
        throw DecodeError("contains no triangle").inFile(input.shownName());
}

std::vector<ModelSummary> modelsOf(const Input& input, const Companions& given, Context& context) {
    return formatOf(input).traits.holdsModels ? OpenFile(input, given, context).models() : std::vector<ModelSummary>();
}

std::vector<ClipElsewhere> clipsElsewhere(const Input& input, const Companions& given, Context& context) {
    return formatOf(input).traits.holdsModels ? OpenFile(input, given, context).clipsElsewhere()
                                              : std::vector<ClipElsewhere>();
}

core::Called calledOf(const Input& input, const Companions& given, Context& context) {
    const Format& format = formatOf(input);
    if (!format.traits.tellsCharacter || !hasRoomFor(format, input))
        return {};
    try {
        return OpenFile(input, given, context).called();
    } catch (const DecodeError&) {
        return {};
    }
}

const ModelSummary* modelCalled(std::span<const ModelSummary> models, std::string_view text) {
    const auto byId = std::ranges::find(models, text, &ModelSummary::id);
    if (byId != models.end())
        return &*byId;
    if (const auto byAlias = std::ranges::find(models, text, &ModelSummary::alias);
        byAlias != models.end() && !text.empty())
        return &*byAlias;
    const std::string title = core::titleOf(text);
    const auto byName = std::ranges::find_if(models, [&](const ModelSummary& model) {
        return (!title.empty() && model.called.title == title) ||
               (!model.called.fullName.empty() && core::lowerCase(model.called.fullName) == core::lowerCase(text));
    });
    return byName == models.end() ? nullptr : &*byName;
}

std::vector<ModelSummary> convertedModels(std::vector<ModelSummary> models) {
    if (!std::ranges::all_of(models, &ModelSummary::isBare))
        std::erase_if(models, [](const ModelSummary& model) { return model.isBare(); });
    return models;
}

namespace {

/// The file is read again for every model, so the work is proportional to the file's size times the number of models.
/// @throws DecodeError of the kind `limit` if it is too much
void requireLittleWork(std::size_t models, std::uint64_t clips, std::uint64_t fileSize) {
    constexpr std::uint64_t kMostClips = 1U << 16U;
    constexpr std::uint64_t kMostBytes = 128U << 20U;
    if (models < 2)
        return;
    const std::string what = fmt::format("{} models", models);
    if (clips > kMostClips)
        throw DecodeError({what, std::nullopt},
                          fmt::format("have {} clips together, but the limit is {}", clips, kMostClips),
                          DecodeError::Kind::limit);
    if (models * fileSize > kMostBytes)
        throw DecodeError({what, std::nullopt},
                          fmt::format("are too many for a file of {} bytes; the limit is {}", fileSize,
                                      std::max<std::uint64_t>(1, kMostBytes / fileSize)),
                          DecodeError::Kind::limit);
}

}  // namespace

void requireWithinLimits(std::span<const ModelSummary> models, const Input& input, const core::Limits& limits) {
    std::uint64_t clips = 0;
    std::uint64_t tracks = 0;
    for (const ModelSummary& model : models) {
        clips += model.clips;
        tracks += model.clips * model.joints;
    }
    const std::string what = fmt::format("{} clips of {} models", clips, models.size());
    core::inFile(input.shownName(), [&] {
        requireLittleWork(models.size(), clips, input.file.bytes.size());
        core::SampleBudget budget(limits);
        for (const ModelSummary& model : models)
            budget.take(model.samples, {what, std::nullopt});
        core::requireMemory(core::memoryOfClips(clips, tracks), limits, {what, std::nullopt});
    });
}

std::string listed(std::span<const ModelSummary> models) {
    std::string text;
    for (std::size_t i = 0; i < models.size(); ++i)
        text += (i == 0 ? "" : i + 1 < models.size() ? ", " : " and ") + models[i].id;
    return text;
}

Json dump(const Input& input, const Companions& given, Context& context) {
    return OpenFile(input, given, context).dump();
}

std::vector<core::Clip> clipsOn(const core::Skeleton& skeleton, const Input& input, const Companions& given,
                                Context& context) {
    std::vector<core::Asset> both(2);
    both[0].skeleton.emplace(skeleton);
    OptionValues options = context.options;
    options.set(kNoMeshOption.key, 1.0);
    Context withoutMesh = context.with(options);
    both[1] = load(input, given, withoutMesh);
    core::Asset joined = merge(std::move(both), context.limits);
    for (core::Clip& clip : joined.clips)
        std::erase_if(clip.tracks, [&](const core::JointTrack& t) { return t.joint >= skeleton.joints.size(); });
    return std::move(joined.clips);
}

// ---------------------------------------------------------------------------------------------------------------------
// The rest pose

namespace {

/// Sets each joint to the first frame of the first clip that moves it. This also places the joints of weapons that
/// appear only in later clips.
void setRestFromClips(core::Asset& asset, std::initializer_list<std::span<const core::Clip>> clipLists) {
    const core::Skeleton& skeleton = *asset.skeleton;
    core::Pose pose = core::restPose(skeleton);
    std::vector<bool> placed(pose.size(), false);
    std::size_t missing = pose.size();
    for (const std::span<const core::Clip> clips : clipLists)
        for (const core::Clip& clip : clips) {
            if (missing == 0)
                break;
            const core::Pose first = core::samplePose(skeleton, clip, 0);
            for (const core::JointTrack& track : clip.tracks) {
                if (placed[track.joint])
                    continue;
                pose[track.joint] = first[track.joint];
                placed[track.joint] = true;
                --missing;
            }
        }
    core::setRest(asset, pose);
}

/// The file that the skeleton of an asset comes from, if there is one.
std::optional<Companion> skeletonFileOf(const Input& input, const Companions& companions) {
    if (formatOf(input).kind == Kind::skeleton)
        return Companion{input, true};
    const auto companion = companions.find(Role::skeleton);
    return companion == companions.end() ? std::nullopt : std::optional(companion->second);
}

/// True if the skeleton was found beside its pack, and `name` is the name of that pack.
bool isOwnPack(std::string_view name, const Companion& skeletonFile) {
    if (skeletonFile.given)
        return false;
    const std::vector<Need> needs = needsOf(formatOf(skeletonFile.input), skeletonFile.input.file);
    return std::any_of(needs.begin(), needs.end(), [&](const Need& need) {
        return std::find(need.names.begin(), need.names.end(), name) != need.names.end();
    });
}

/// @param companions the skeleton's companions if the skeleton is the input, otherwise empty
std::optional<Input> packBeside(const Companion& skeletonFile, const Companions& companions) {
    const auto known = skeletonFile.given ? companions.find(Role::animation) : companions.end();
    if (known != companions.end())
        return known->second.input;
    Companions found = withFoundCompanions(skeletonFile.input, {});
    const auto pack = found.find(Role::animation);
    return pack == found.end() ? std::nullopt : std::optional(std::move(pack->second.input));
}

/// The pack that belongs to a skeleton, unless its clips are in the asset already.
/// @param input the first input of the asset
std::optional<Input> packToDecode(const core::Asset& asset, const Input& input, const Companion& skeletonFile,
                                  const Companions& companions) {
    if (std::any_of(asset.clips.begin(), asset.clips.end(),
                    [&](const core::Clip& clip) { return isOwnPack(clip.source, skeletonFile); }))
        return std::nullopt;
    std::optional<Input> pack = packBeside(skeletonFile, companions);
    const bool isInput = pack && pack->file.name == input.file.name && pack->file.bytes == input.file.bytes;
    return isInput ? std::nullopt : std::move(pack);
}

/// The clips of the pack that belongs to a skeleton. Empty if the pack can't be read.
std::vector<core::Clip> clipsOfOwnPack(const Input& pack, const Companion& skeletonFile, const core::Skeleton& skeleton,
                                       Context& context) {
    core::Diagnostics ignored;  // the user did not ask for this pack
    Context quiet = context.reporting(ignored);
    try {
        std::vector<core::Clip> clips = clipsOn(skeleton, pack, {{Role::skeleton, skeletonFile}}, quiet);
        const bool isAnothers = std::ranges::any_of(ignored.warnings(), [](const core::Warning& warning) {
            return warning.code == core::Code::skeletonMismatch;
        });
        return isAnothers ? std::vector<core::Clip>() : std::move(clips);
    } catch (const DecodeError&) {
        return {};
    }
}

}  // namespace

std::optional<Input> packOfSkeleton(const Input& input, const Companions& companions) {
    if (!hasRoomFor(formatOf(input), input))
        return std::nullopt;
    const std::optional<Companion> skeletonFile = skeletonFileOf(input, companions);
    return skeletonFile && !isOwnPack(input.file.name, *skeletonFile) ? packBeside(*skeletonFile, companions)
                                                                      : std::nullopt;
}

void setDefaultRest(core::Asset& asset, const Input& input, const Companions& companions, Context& context) {
    if (!asset.skeleton || asset.skeleton->hasRest)
        return;
    const core::Skeleton& skeleton = *asset.skeleton;
    const std::optional<Companion> skeletonFile = skeletonFileOf(input, companions);
    std::vector<core::Clip> ofPack;
    if (const std::optional<Input> pack =
            skeletonFile ? packToDecode(asset, input, *skeletonFile, companions) : std::nullopt)
        ofPack = clipsOfOwnPack(*pack, *skeletonFile, skeleton, context);
    if (ofPack.empty() && asset.clips.empty() && skeleton.joints.size() > 1) {
        const std::string text = fmt::format("no animation moves {}, so all its angles are 0", skeleton.name);
        if (asset.holdsSkeleton)
            context.diagnostics.warn(core::Code::noPose, {}, text);
        else if (formatOf(input).kind == Kind::skeleton)  // a file of joints is complete without a pose
            context.diagnostics.note(core::Code::noPose, {}, text);
    }
    setRestFromClips(asset, {ofPack, asset.clips});
}

}  // namespace reanima
