#include "tools/reanima/verbs/scene_back.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/renamed_joints.h"
#include "core/text.h"
#include "formats/character_links.h"
#include "formats/common_options.h"
#include "formats/load.h"
#include "pipeline/character_files.h"
#include "tools/reanima/front/recipe.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/edits_in_words.h"

namespace reanima::tool {

namespace {

OtherMotion otherMotion(const std::string& path, const EncodeMotionOptions& options) {
    if (path == kStandardStream)  // it was read already
        throw core::DecodeError(
            "is not a .glb or .gltf of this character. Other motion can't be read from standard input. Name a file")
            .inFile(kShownStandardInput);
    InputOptions reading;
    reading.limits = options.input.limits;
    reading.files = options.input.files;
    OtherMotion motion{reading.readSource(path), {}, {}};
    if (findFormat(motion.input) == nullptr)
        throw core::DecodeError("is not a .glb or .gltf. Export a .glb and use it as INPUT").inFile(path);
    motion.companions = withFoundCompanions(motion.input, {});
    motion.settings.limits = options.input.limits;
    applySettingTexts(options.binding,
                      {options.input.files, options.input.limits, {}, InputOptions::formatFor(options.input.format)},
                      motion.settings);
    if (const std::string& root = options.settings.search.jointRoot; !root.empty())
        motion.settings.options.set(kJointRootOption.key, root);
    return motion;
}

/// True if the original has placeholder joints because no skeleton was found.
bool hasNoSkeleton(OriginalFile& original) {
    const std::optional<core::Skeleton>& skeleton = original.motion().skeleton;
    return skeleton && skeleton->origin == core::Skeleton::Origin::madeUp;
}

/// Adds a hint to an error: how new clips can be placed in a file of this format.
core::DecodeError namingPlaces(const core::DecodeError& error, const Format& format) {
    return core::DecodeError(error.place(), error.problem(), error.kind())
        .withHint({"at", format.traits.addsClips ? "N or --append" : "N"})
        .inFile(error.file());
}

/// The models in a file, or the selected one. A file that can't contain several has one model without id.
std::vector<ModelSummary> modelsIn(const Input& input, const Companions& given, const InputOptions& options) {
    if (!formatOf(input).traits.holdsModels)
        return {ModelSummary{}};
    core::Diagnostics repeated;  // reported when the file is read
    Context context{options.values, options.limits, repeated};
    std::vector<ModelSummary> models = modelsOf(input, given, context);
    if (const std::optional<std::string> selected = options.values.text(kModelOption.key))
        if (const ModelSummary* model = modelCalled(models, *selected))
            return {*model};
    return models;
}

/// The skeleton of a game's file (of the selected model), if it is in another file.
std::optional<Input> skeletonOf(const Input& input, const Companions& given, const InputOptions& options) {
    const Companions companions = withFoundCompanions(input, given);
    if (const auto skeleton = companions.find(Role::skeleton); skeleton != companions.end())
        return skeleton->second.input;
    for (const CharacterLinks* links : characterLinks())
        if (&formatOf(input) == &links->characters)
            if (const std::vector<ModelSummary> models = modelsIn(input, given, options); models.size() == 1)
                return links->skeletonIn(input.file, models.front().id);
    return std::nullopt;
}

bool isIn(const core::MovingScene& moving, const std::string& clip) {
    return std::ranges::find(moving.motions, clip, &core::SceneMotion::name) != moving.motions.end();
}

bool isCalled(std::string_view file, std::string_view source) {
    return core::lowerCase(file) == core::lowerCase(source);
}

std::string fileNameIn(const archives::EntryPath& path) {
    return std::string(core::fileNameOf(path.entries.empty() ? path.file : path.entries.back()));
}

/// `"a", "b" and 7 more`
std::string someOf(const std::set<std::string>& names) {
    constexpr std::size_t kMost = 3;
    std::vector<std::string> shown;
    for (const std::string& name : names)
        if (shown.size() < kMost)
            shown.push_back(fmt::format("\"{}\"", name));
    return fmt::format("{}{}", fmt::join(shown, ", "),
                       names.size() > kMost ? fmt::format(" and {} more", names.size() - kMost) : "");
}

}  // namespace

bool SceneBack::encode() {
    read();
    findPlaces();
    sortClips();
    for (const Place& place : places_)
        encodeInto(place);
    lookElsewhere();
    refuseUnknown();
    run_.console.print(diagnostics_);
    if (run_.console.policy.fails(diagnostics_))
        return false;
    say();
    return true;
}

void SceneBack::read() {
    const core::Limits limits = run_.limits();
    const File file = options_.input.files->read(edited_, limits);
    scene_ = readEdited(file, edited_, options_.input, limits, diagnostics_);
    if (scene_)
        sources_ = scene_->sources;
}

// ---------------------------------------------------------------------------------------------------------------------
// Which clips go where

SceneBack::Place& SceneBack::placeAt(const std::string& path, Original& original) {
    const auto known = std::ranges::find(places_, path, &Place::path);
    if (known != places_.end())
        return *known;
    Place place{path, options_.input.read(path), &original};
    if (original.archive)
        run_.held += place.input.file.bytes.size();
    return places_.emplace_back(std::move(place));
}

void SceneBack::findPlaces() {
    for (Original& original : run_.originals)
        if (!original.place.empty()) {
            Place& place = placeAt(original.place, original);
            place.isTold = std::ranges::any_of(
                sources_, [&place](const auto& source) { return isCalled(place.input.file.name, source.second.file); });
        }
    findPlacesInArchives();
    refuseSameNames();
    const auto whole =
        std::ranges::find_if(run_.originals, [](const Original& original) { return original.place.empty(); });
    if (places_.empty() && whole != run_.originals.end())
        refuseArchive(*whole);
    if (places_.size() > 1 && options_.isPlaced())
        throw UsageError(fmt::format(
            "--at and --append: {} contains clips from {} entries. Use --into {}:ENTRY to choose the entry to write",
            edited_, places_.size(), whole->path));
}

/// Finds the entries that the scene names as origins of its clips. Without origins, the entry with the scene's file
/// name.
void SceneBack::findPlacesInArchives() {
    Names names;
    for (const auto& [clip, source] : sources_)
        names.insert(source.file);
    if (names.empty() && scene_)
        names.insert(stemOfOutput(edited_));
    for (Original& original : run_.originals)
        for (const std::string& name : names)
            if (const archives::Entry* entry = original.place.empty() ? original.archive->find(name) : nullptr)
                placeAt(fmt::format("{}:{}", original.path, entry->name), original).isTold = !sources_.empty();
}

/// Refuses files with equal names: a clip states only the name of its file, without the folder or archive.
void SceneBack::refuseSameNames() const {
    for (const Place& place : places_)
        for (const Place& other : places_)
            if (&place != &other && place.isTold && other.isTold &&
                isCalled(place.input.file.name, other.input.file.name))
                throw UsageError(
                    fmt::format("--into: {} has clips from {}, which is the name of both {} and {}. Name "
                                "only one of them",
                                edited_, place.input.file.name, place.path, other.path));
}

void SceneBack::refuseArchive(const Original& archive) const {
    if (!scene_)
        throw core::DecodeError(
            fmt::format("is motion of another character. Name the entry to write it into: --into {}:ENTRY --at N",
                        archive.path))
            .inFile(edited_);
    Names names;
    for (const auto& [clip, source] : sources_)
        names.insert(source.file);
    throw core::DecodeError(
        names.empty()
            ? fmt::format("does not state which entry of {0} it was made from (some programs drop these extras). Name "
                          "the entry with --into {0}:ENTRY",
                          archive.path)
            : fmt::format("was made from {}, which {} does not contain. Use --into {}:ENTRY for another entry",
                          fmt::join(names, ", "), archive.path, archive.path))
        .inFile(edited_);
}

/// Assigns clips to places. Clips with a place named by the user go there regardless of their origin. If the scene does
/// not mention a file, clips that match it by name or motion also go there.
void SceneBack::sortClips() {
    if (!scene_)
        return;
    const std::vector<std::string>& chosen = options_.settings.search.clips;
    const bool isAnyPlaces = (options_.isPlaced() && !chosen.empty()) || !std::ranges::all_of(places_, &Place::isTold);
    for (const core::SceneMotion& motion : scene_->motions) {
        if (!chosen.empty() && std::ranges::find(chosen, motion.name) == chosen.end())
            continue;
        const core::ClipSource* source = sourceOf(motion.name, sources_);
        const auto place = source == nullptr || (options_.isPlaced() && !chosen.empty())
                               ? places_.end()
                               : std::ranges::find_if(places_, [source](const Place& at) {
                                     return at.isTold && isCalled(at.input.file.name, source->file);
                                 });
        if (place != places_.end())
            place->clips.insert(motion.name);
        else if (source == nullptr || isAnyPlaces)
            open_.insert(motion.name);
        else
            foreign_[source->file].insert(motion.name);
    }
}

core::MovingScene SceneBack::clipsFor(const Place& place) const {
    core::MovingScene scene = *scene_;
    const std::vector<std::string>& chosen = options_.settings.search.clips;
    const auto goesThere = [&](const std::string& clip) { return place.clips.contains(clip) || open_.contains(clip); };
    const bool anyChosen =
        std::ranges::any_of(chosen, [&](const std::string& clip) { return goesThere(clip) || !isIn(*scene_, clip); });
    std::erase_if(scene.motions, [&](const core::SceneMotion& motion) {
        if (goesThere(motion.name))
            return false;
        // Unchosen clips of this file stay in the scene, so that chosen clips do not take their places.
        const core::ClipSource* source = sourceOf(motion.name, sources_);
        const bool isChosen = std::ranges::find(chosen, motion.name) != chosen.end();
        return !anyChosen || isChosen || (source != nullptr && !isCalled(place.input.file.name, source->file));
    });
    return scene;
}

/// @param scene the result of clipsFor()
core::EditSearch SceneBack::searchFor(const Place& place, const core::MovingScene& scene) const {
    core::EditSearch search = options_.settings.search;
    std::erase_if(search.clips, [&](const std::string& name) { return isIn(*scene_, name) && !isIn(scene, name); });
    // Copies keep the extras. So a clip may be new if its name is not the stated one, or if its original is also there.
    for (const std::string& clip : place.clips) {
        const core::ClipSource* source = sourceOf(clip, sources_);
        if (source == nullptr || !source->index)
            continue;
        const auto own = sources_.find(clip);
        const std::optional<std::string> name = withoutNumber(clip);
        if ((own != sources_.end() && own->second.isNamed) || (name && !isIn(*scene_, *name)))
            search.known.emplace(clip, *source->index);
    }
    return search;
}

// ---------------------------------------------------------------------------------------------------------------------
// Into the originals

/// The companions of an original. Limit breaks and similar files have no skeleton beside them: they use the one of the
/// character's other files.
Companions SceneBack::companionsOf(const Input& input) const {
    Companions companions = run_.given;
    const Format& format = formatOf(input);
    if (format.kind != Kind::animation || format.traits.holdsModels ||
        withFoundCompanions(input, companions).contains(Role::skeleton))
        return companions;
    for (const Place& place : places_)
        if (const std::optional<Input> skeleton = skeletonOf(place.input, run_.given, options_.input))
            if (format.needsSkeleton(formatOf(*skeleton))) {
                companions.emplace(Role::skeleton, Companion{*skeleton, true});
                break;
            }
    return companions;
}

/// The requested rest pose. If none is requested, and clip and model are in different files: the first frame of the
/// first clip that `convert` would find for the model, in its file or elsewhere.
RestPose SceneBack::restFor(const Input& input) const {
    RestPose rest = restFrom(options_);
    if (rest.source != RestPose::Source::standard)
        return rest;
    for (const CharacterLinks* links : characterLinks())
        for (const Place& place : places_)
            if (&formatOf(input) == &links->animations && &formatOf(place.input) == &links->characters) {
                const auto moves = [](const ModelSummary& model) { return model.clips > 0; };
                const bool isThere = std::ranges::any_of(modelsIn(place.input, run_.given, options_.input), moves);
                const std::vector<std::string> elsewhere = isThere ? std::vector<std::string>() : linkedPaths();
                if (isThere || !elsewhere.empty()) {
                    rest.source = RestPose::Source::clip;
                    rest.file = isThere ? place.input : options_.input.read(elsewhere.front());
                }
                return rest;
            }
    return rest;
}

/// The first frames of the files that the scene was made from. One of them is its rest pose if the files were converted
/// together. Empty if the user chose a rest pose.
std::vector<RestPose> SceneBack::restsOfClips() const {
    std::vector<RestPose> rests;
    if (!scene_ || restFrom(options_).source != RestPose::Source::standard)
        return rests;
    Names seen;
    for (const core::SceneMotion& motion : scene_->motions) {
        const core::ClipSource* source = sourceOf(motion.name, sources_);
        const std::optional<std::string> path =
            source != nullptr && seen.insert(source->file).second ? whereIs(source->file) : std::nullopt;
        if (!path)
            continue;
        RestPose& rest = rests.emplace_back();
        rest.source = RestPose::Source::clip;
        rest.file = options_.input.read(*path);
    }
    return rests;
}

/// Calls `tried` with the rest poses that the scene may have, until one fits its joints.
/// @throws core::DecodeError about the first one if none fits
EncodedAsset SceneBack::inItsRest(const Input& input, const std::function<EncodedAsset(const RestPose&)>& tried) {
    try {
        return tried(restFor(input));
    } catch (const core::DecodeError& error) {
        if (error.hint().key != "rest")
            throw;
        for (const RestPose& rest : restsOfClips())
            try {
                return tried(rest);
            } catch (const core::DecodeError& other) {
                if (other.hint().key != "rest")
                    throw;
            }
        throw;
    }
}

/// Encodes clips into a file. An error about new clips or another character's joints names both ways to add clips.
EncodedAsset SceneBack::encodedFor(const Place& place, OriginalFile& file, Context& context) {
    try {
        if (const std::optional<core::Skeleton>& skeleton = file.motion().skeleton; scene_ && skeleton) {
            const auto about = context.diagnostics.about(edited_);
            core::restoreJointNames(scene_->scene, *skeleton, context.diagnostics);
        }
        if (!scene_ || (options_.isPlaced() && isOfOtherFigure(*scene_, file))) {
            open_.clear();
            foreign_.clear();
            return encodeMotion(otherMotion(edited_, options_), file, options_.settings, context);
        }
        const core::MovingScene scene = clipsFor(place);
        EncodeSettings settings = options_.settings;
        settings.search = searchFor(place, scene);
        settings.unknown = UnknownClips::left;
        return inItsRest(place.input, [&](const RestPose& rest) {
            settings.rest = rest;
            return encodeAsset(scene, edited_, file, settings, context);
        });
    } catch (const core::DecodeError& error) {
        if (error.field().starts_with("nodes") && hasNoSkeleton(file))
            throw core::DecodeError({}, fmt::format("no skeleton was found beside this file, so the joints of {} are "
                                                    "not known. Name the skeleton with -s FILE",
                                                    edited_))
                .inFile(file.input().shownName());
        const bool isOthers =
            error.field() == "nodes" && scene_ && !options_.isPlaced() && isOfOtherFigure(*scene_, file);
        if (!isOthers && (error.hint().key != "at" || error.field() != "animations"))
            throw;
        throw namingPlaces(error, file.format());
    }
}

void SceneBack::encodeInto(const Place& place) {
    Original& original = *place.original;
    Context context{options_.input.values, run_.limits(), diagnostics_};
    OriginalFile file(place.input, companionsOf(place.input), context);
    EncodedAsset encoded = encodedFor(place, file, context);
    for (core::Warning& warning : file.damage())
        diagnostics_.add(std::move(warning));
    Names own;
    for (const std::string& clip : encoded.found.unknown)
        (place.clips.contains(clip) ? own : unknown_).insert(clip);
    if (!own.empty())
        throw namingPlaces(unknownClipsError({own.begin(), own.end()}, encoded).inFile(edited_), file.format());
    for (const core::ClipEdit& edit : encoded.found.clips)
        open_.erase(edit.name);
    const std::string entry = original.archive ? options_.input.files->parse(place.path).entries.front() : "";
    if (encoded.bytes != place.input.file.bytes)
        original.changed = entry;
    if (const auto skeleton = file.companions().find(Role::skeleton); skeleton != file.companions().end())
        original.skeleton = skeleton->second.input.shownName();
    if (original.archive)
        original.archive->replace(original.archive->entryNamed(entry), core::inMemory(encoded.bytes), edited_);
    else
        original.bytes = std::move(encoded.bytes);
    encoded.bytes = {};
    results_.push_back({place.path, &original, std::move(encoded)});
}

// ---------------------------------------------------------------------------------------------------------------------
// Clips of files that are no originals

void SceneBack::lookElsewhere() {
    const bool isNothingHere = std::ranges::all_of(results_, [](const Result& result) {
        return result.encoded.found.clips.empty() && !result.encoded.original.clips.empty();
    });
    if (isNothingHere && !open_.empty())
        return;  // the wrong file: see refuseUnknown()
    for (const std::string& clip : Names(open_))
        if (const core::ClipSource* source = sourceOf(clip, sources_)) {
            foreign_[source->file].insert(clip);
            open_.erase(clip);
        }
    Names seen;
    for (const auto& [source, clips] : std::exchange(foreign_, {})) {
        try {
            const std::optional<std::string> path = whereIs(source);
            if (path && seen.insert(*path).second)
                lookInto(*path, clips);
            else if (!path)
                leaveUncompared(clips, source, "which is missing");
        } catch (const core::DecodeError& error) {
            leaveUncompared(clips, source, fmt::format("which can't be compared ({})", error.message(flagWording)));
        }
    }
    if (std::ranges::any_of(open_, [this](const std::string& clip) { return unknown_.contains(clip); }))
        for (const std::string& path : linkedPaths())
            if (seen.insert(path).second && !isPlace(path))
                lookInto(path, {});
}

/// True for a file or entry that already received clips.
bool SceneBack::isPlace(const std::string& path) const {
    const archives::EntryPath parsed = options_.input.files->parse(path);
    return std::ranges::any_of(places_, [&](const Place& place) {
        const archives::EntryPath known = options_.input.files->parse(place.path);
        return known.entries == parsed.entries && isSamePlace(fromUtf8(known.file), fromUtf8(parsed.file));
    });
}

/// @param clips clips from that file
void SceneBack::lookInto(const std::string& path, const Names& clips) {
    const archives::EntryPath parsed = options_.input.files->parse(path);
    const auto original = std::ranges::find_if(run_.originals, [&parsed](const Original& one) {
        return one.place.empty() && isSamePlace(fromUtf8(one.path), fromUtf8(parsed.file));
    });
    if (original == run_.originals.end())
        compareWith({path, options_.input.read(path), nullptr, clips});
    else
        encodeInto(placeAt(path, *original));
}

/// The game's file with some clips: beside the character's other files, or at its place in the game.
std::optional<std::string> SceneBack::whereIs(const std::string& source) const {
    for (const Place& place : places_)
        if (const std::optional<File> file = place.input.siblings(source))
            return file->path;
    for (const auto& [role, companion] : run_.given)
        if (const std::optional<File> file = companion.input.siblings(source))
            return file->path;
    for (const std::string& path : linkedPaths())
        if (isCalled(fileNameIn(options_.input.files->parse(path)), source))
            return path;
    return std::nullopt;
}

/// Files whose names link them, in the game, to the files that the scene was made from.
std::vector<std::string> SceneBack::linkedPaths() const {
    CharacterFiles files(options_.input.files, run_.limits(), {});
    std::vector<std::string> paths;
    for (const Place& place : places_)
        for (const ModelSummary& model : modelsIn(place.input, run_.given, options_.input))
            for (const FoundAnimation& found :
                 files.furtherAnimationsOf(place.input.file.path, formatOf(place.input), model.id))
                paths.push_back(found.path);
    return paths;
}

/// The value of --into for a file.
std::string SceneBack::asOriginal(const std::string& path) const {
    const archives::EntryPath parsed = options_.input.files->parse(path);
    const archives::ArchiveFormat* format =
        parsed.entries.empty() ? nullptr : options_.input.files->formatOf(parsed.file);
    return format != nullptr && format->insteadOfWriting.empty() ? parsed.file : path;
}

void SceneBack::compareWith(const Place& place) {
    const core::MovingScene scene = clipsFor(place);
    EncodeSettings settings;
    settings.search.jointRoot = options_.settings.search.jointRoot;
    settings.search.known = searchFor(place, scene).known;
    core::Diagnostics said;  // about clips that are not written
    Context context{options_.input.values, run_.limits(), said};
    OriginalFile file(place.input, companionsOf(place.input), context);
    const EncodedAsset compared = inItsRest(place.input, [&](const RestPose& rest) {
        settings.rest = rest;
        return compareAsset(scene, edited_, file, settings, context);
    });
    const std::string from = asOriginal(place.path);
    const auto leave = [&](const std::string& clip) {
        run_.notWritten.push_back(
            fmt::format("{}: {} is from {} and was changed, but not written. To write it, add --into {}", edited_, clip,
                        from, from));
    };
    for (const core::ClipEdit& edit : compared.found.clips) {
        open_.erase(edit.name);
        if (edit.isEdited(compared.original.clips[edit.clip].frames))
            leave(edit.name);
        else
            ++unchanged_[from];
    }
    for (const std::string& clip : compared.found.unknown)
        if (place.clips.contains(clip))
            leave(clip);
    addToReport(run_.report, reportOf(compared, FileWas::leftAlone, place.path));
}

/// @param problem reason, as `which is missing`
void SceneBack::leaveUncompared(const Names& clips, const std::string& source, const std::string& problem) {
    const auto about = diagnostics_.about(edited_);
    diagnostics_.warn(
        core::Code::ignored, {},
        fmt::format(
            "{} {} from {}, {}, so nothing was compared or written there. Name that file or its archive with --into",
            someOf(clips), clips.size() == 1 ? "is" : "are", source, problem));
    for (const std::string& clip : clips)
        addToReport(run_.report, reportOfUncompared(clip, source));
}

void SceneBack::refuseUnknown() const {
    std::vector<std::string> names;
    for (const std::string& clip : open_)
        if (unknown_.contains(clip))
            names.push_back(clip);
    if (!names.empty())
        throw namingPlaces(unknownClipsError(names, results_.front().encoded).inFile(edited_),
                           formatOf(places_.front().input));
}

void SceneBack::say() {
    for (const Result& result : results_) {
        const std::string sum = sayEdits(result.encoded, edited_, run_.console);
        addToReport(run_.report, reportOf(result.encoded, FileWas::there, result.path));
        if (result.original->archive)
            run_.console.say(fmt::format("{}: {}", result.path, sum));
        else
            result.original->sum = sum;
    }
    for (const auto& [from, clips] : unchanged_)
        run_.console.say(
            fmt::format("{} {} from {} and unchanged", counted(clips, "clip"), clips == 1 ? "is" : "are", from));
}

}  // namespace reanima::tool
