#include "tools/reanima/verbs/encode_into.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "archives/open_archives.h"
#include "formats/common_options.h"
#include "formats/foreign_files.h"
#include "formats/load.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_motion.h"
#include "tools/reanima/front/recipe.h"
#include "tools/reanima/jobs/archive_output.h"
#include "tools/reanima/jobs/clip_sources.h"
#include "tools/reanima/jobs/report.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/edits_in_words.h"

namespace reanima::tool {

namespace {

/// What decides how a file becomes clips and joints, if it did so when the scene was made.
constexpr std::array<std::string_view, 6> kAsConverted = {"rate", "scale", "joints", "names-by", "game", "model"};

/// How motion of other figures is bound.
constexpr std::array<std::string_view, 6> kBinding = {"map",        "mode",       "source-rest",
                                                      "plant-feet", "root-scale", "root-motion"};

/// @return `1 clip changed, 3 as before`
std::string say(const EncodedAsset& encoded, const std::string& edited, const Console& console) {
    if (encoded.binding) {
        std::string words = encoded.binding->inWords();
        while (words.ends_with('\n'))  // the console ends the last line
            words.pop_back();
        if (!words.empty())
            console.sayTable(words);
    }
    std::size_t changed = 0;
    std::size_t added = 0;
    for (const core::ClipEdit& edit : encoded.found.clips)
        if (edit.isEdited(encoded.original.clips[edit.clip].frames)) {
            ++(edit.use == core::EditUse::adds ? added : changed);
            console.say(lineOf(edit, encoded.original));
        }
    for (const std::string& loss : encoded.losses)
        console.say("left out: " + loss);
    if (const std::size_t missing = encoded.found.missing.size())
        console.say(fmt::format("kept as {}: {} that {} has not", missing == 1 ? "it is" : "they are",
                                counted(missing, "clip"), edited));
    return fmt::format("{} changed, {}{} as before", counted(changed, "clip"),
                       added > 0 ? fmt::format("{} added, ", added) : "", encoded.original.clips.size() - changed);
}

/// What INPUT names.
struct EditedInput {
    std::string path;
    std::optional<core::MovingScene> scene;  ///< of a .glb or .gltf
};

OtherMotion otherMotion(const std::string& path, const EncodeMotionOptions& options) {
    if (path == kStandardStream)  // which has been read
        throw core::DecodeError("is no .glb or .gltf of this figure; other motion is read from a file: name that")
            .inFile(kShownStandardInput);
    InputOptions reading;
    reading.limits = options.input.limits;
    reading.files = options.input.files;
    OtherMotion motion{reading.readSource(path), {}, {}};
    if (findFormat(motion.input) == nullptr)
        throw core::DecodeError("is no .glb or .gltf: export one, and name that").inFile(path);
    motion.companions = withFoundCompanions(motion.input, {});
    motion.settings.limits = options.input.limits;
    applySettingTexts(options.binding,
                      {options.input.files, options.input.limits, {}, InputOptions::formatFor(options.input.format)},
                      motion.settings);
    if (const std::string& root = options.settings.search.jointRoot; !root.empty())
        motion.settings.options.set(kJointRootOption.key, root);
    return motion;
}

/// True if the original's skeleton is made up, since none was found.
bool hasNoSkeleton(const Input& original, const Companions& given, const Context& context) {
    core::Diagnostics said;
    Context reading{context.options, context.limits, said};
    const core::Asset asset = load(original, given, reading);
    return asset.skeleton && asset.skeleton->origin == core::Skeleton::Origin::madeUp;
}

/// encodeAsset() or encodeMotion(); an error about clips that the original has not, or about another figure's joints,
/// names both ways to put them there.
EncodedAsset encoded(const EditedInput& edited, const EncodeMotionOptions& options, const Input& original,
                     const Companions& given, Context& context) {
    try {
        if (!edited.scene || (options.isPlaced() && isOfOtherFigure(*edited.scene, original, given, context)))
            return encodeMotion(otherMotion(edited.path, options), original, given, options.settings, context);
        EncodeSettings settings = options.settings;
        settings.rest = restFrom(options);
        return encodeAsset(*edited.scene, edited.path, original, given, settings, context);
    } catch (const core::DecodeError& error) {
        if (error.field().starts_with("nodes") && hasNoSkeleton(original, given, context))
            throw core::DecodeError(
                {},
                fmt::format("its skeleton was not found beside it, so the joints of {} can't be told; -s FILE names it",
                            edited.path))
                .inFile(original.shownName());
        const bool isOthers = error.field() == "nodes" && edited.scene && !options.isPlaced() &&
                              isOfOtherFigure(*edited.scene, original, given, context);
        if (!isOthers && (error.hint().key != "at" || error.field() != "animations"))
            throw;
        throw core::DecodeError(error.place(), error.problem(), error.kind())
            .withHint({"at", "N or --append"})
            .inFile(error.file());
    }
}

}  // namespace

std::optional<core::MovingScene> readEdited(const File& file, const std::string& path, const InputOptions& input,
                                            const core::Limits& limits, core::Diagnostics& diagnostics) {
    if (isMemoriaAnimation(file.bytes, path))
        return std::nullopt;
    if (!gltf::isGltf(file.bytes, path)) {
        const auto foreign = foreignFile(core::Bytes(file.bytes).first(std::min(file.bytes.size(), kForeignHead)));
        if (foreign && foreign->scene.empty())
            throw foreign->asError().inFile(path);
        return std::nullopt;
    }
    return gltf::readMotion({file.bytes, path, core::Siblings(input.files, path, limits)}, limits, diagnostics);
}

EncodeMotionOptions recording(EncodeMotionOptions options, std::vector<std::filesystem::path>& read) {
    const auto note = [&read](const File& file) {
        if (!file.path.empty())
            read.push_back(fromUtf8(file.path));
    };
    options.input.files =
        std::make_shared<archives::OpenArchives>(std::make_shared<core::RecordedFiles>(commandFiles(), note));
    return options;
}

RestPose restFrom(const EncodeMotionOptions& options) {
    Settings settings;
    applySettingTexts(options.binding,
                      {options.input.files, options.input.limits, {}, InputOptions::formatFor(options.input.format)},
                      settings);
    return settings.rest;
}

void addMotionOptions(Arguments& arguments, EncodeMotionOptions& options) {
    arguments.heading("Back into the game");
    arguments.text(
        "--into", options.original, "FILE",
        "the game's file that INPUT, a .glb or .gltf, was made from: what was changed is written into it, all "
        "else keeps its bytes; or with --at or --append one that gets another figure's motion (.bvh, .vrma, .glb, "
        "...); "
        "without -o the changes are listed");
    arguments.text("-s,--skeleton", options.input.skeleton, "FILE",
                   "the game's skeleton: with --into, if it is not found; of a new file always");
    core::EditSearch& search = options.settings.search;
    arguments.list("--clip", search.clips, "NAME", "look at this clip of INPUT alone; repeatable");
    constexpr double kMostIndex = 65535;
    arguments.count(
        "--at", 0, kMostIndex, [&search](double index) { search.at = {static_cast<std::uint32_t>(index)}; }, "N",
        "with --into, the clip that FILE has not replaces that of this index; with --clip, the one that is named");
    arguments.flag("--append", search.append,
                   "with --into, clips that FILE has not are added after its own; with --clip, those that are named");
    arguments.text("--joint-root", search.jointRoot, "NAME",
                   "joints are this node of INPUT and those below it, of an INPUT that holds several "
                   "skeletons");
    arguments.flag("--all-changed", options.settings.allChanged,
                   "with --into, write even if most joints of all clips differ");
    arguments.flag("--allow-loss", options.settings.allowLoss, "leave out what the format can't hold");
    arguments.text("--report", options.report, "OUT", "write what was kept and changed as JSON");
    addFormatOptions(arguments, kAsConverted, options.input.values);
    arguments.checked(
        "--rest",
        [&options](const std::string& text) -> std::optional<std::string> {
            options.binding["rest"] = {text};
            return std::nullopt;
        },
        "POSE",
        "the pose that INPUT's skeleton rests in, of a game that stores none: FILE:CLIP:FRAME, or zero; of another "
        "figure's motion, the pose of FILE's skeleton that it is turned to");
    addSettings(arguments, kBinding, options.binding);
}

namespace {

/// One run: what was changed, written into a file or into the entries of an archive.
class EncodingInto {
  public:
    /// @param options as they are given; everything that is read is noted
    EncodingInto(const EncodeMotionOptions& options, const Console& console)
        : options_(recording(options, read_)), console_(console), given_(options_.input.givenWithoutRig()) {}

    int run() {
        refuseTerminal(options_.output, "the game's formats are");
        const archives::EntryPath place = options_.input.files->parse(options_.original);
        const bool isArchive = place.entries.empty() && options_.input.folderFormatOf(options_.original) != nullptr;
        if (isArchive || (!place.entries.empty() && isCalledLikeArchive(place.file)))
            return intoArchive(place);
        if (options_.edited.size() > 1)
            throw UsageError(fmt::format("encode --into {}: {} inputs for one file; several go into an archive",
                                         options_.original, options_.edited.size()));
        return intoFile();
    }

  private:
    /// `-o new.lgp` for an entry of an LGP is the whole archive, `-o rtda` the entry.
    [[nodiscard]] bool isCalledLikeArchive(const std::string& archive) const {
        return !options_.output.empty() && !extensionOf(archive).empty() &&
               extensionOf(options_.output) == extensionOf(archive);
    }

    [[nodiscard]] std::vector<std::filesystem::path> outputs() const {
        std::vector<std::filesystem::path> outputs;
        for (const std::string& path : {options_.output, options_.report})
            if (!path.empty())
                outputs.push_back(fromUtf8(path));
        return outputs;
    }

    /// What is known before anything is read.
    void refuseOutputs(const std::string& original) const {
        refuseOthersName(options_.output, original);
        std::vector<std::filesystem::path> inputs = {fromUtf8(original)};
        for (const std::string& edited : options_.edited)
            inputs.push_back(fileOf(fromUtf8(edited)));
        if (!options_.input.skeleton.empty())
            inputs.push_back(fileOf(fromUtf8(options_.input.skeleton)));
        refuseClashes(outputs(), inputs);
        refuseOtherThanReport(fromUtf8(options_.report));
        if (!options_.force)
            refuseExisting(outputs());
    }

    int intoFile() {
        const Input original = options_.input.read(options_.original);
        refuseOutputs(options_.original);
        core::Diagnostics diagnostics;
        const core::Limits limits = options_.input.limits.holding(original.file.bytes.size());
        const std::string& path = options_.edited.front();
        const EditedInput edited{
            path, readEdited(options_.input.files->read(path, limits), path, options_.input, limits, diagnostics)};
        Context context{options_.input.values, limits, diagnostics};
        const EncodedAsset result = encoded(edited, options_, original, given_, context);
        console_.print(diagnostics);
        if (console_.policy.fails(diagnostics))
            return kInputFailed;
        const std::string sum = say(result, path, console_);
        addToReport(report_, reportOf(result, FileWas::there));
        refuseClashes(outputs(), read_);  // also what was found beside the inputs
        writeReport();
        if (options_.output.empty()) {
            console_.say(sum + "; nothing is written without -o");
            return kDone;
        }
        writeOutput(fromUtf8(options_.output), result.bytes);
        console_.say(fmt::format("wrote {}: {} bytes, {}", options_.output, result.bytes.size(), sum));
        return kDone;
    }

    int intoArchive(const archives::EntryPath& place) {
        if (place.entries.size() > 1)
            throw core::DecodeError(
                "lies in an archive inside another one, and is written as a file: name that with -o")
                .inFile(options_.original);
        if (options_.edited.size() > 1 && options_.isPlaced())
            throw UsageError("--at and --append: expected one INPUT, and the entry that it goes into");
        ArchiveOutput archive(options_.input, place.file);
        refuseOutputs(place.file);
        bool isFailed = false;
        for (const std::string& edited : options_.edited)
            isFailed = !intoEntries(edited, place, archive) || isFailed;
        if (isFailed)
            return kInputFailed;
        refuseClashes(outputs(), read_);
        writeReport();
        if (options_.output.empty())
            console_.say("nothing is written without -o");
        else
            archive.write(options_.output, console_);
        return kDone;
    }

    /// @return false for warnings that count as errors
    bool intoEntries(const std::string& edited, const archives::EntryPath& place, ArchiveOutput& archive) {
        core::Diagnostics diagnostics;
        const File file = options_.input.files->read(edited, options_.input.limits);
        const std::optional<core::MovingScene> scene =
            readEdited(file, edited, options_.input, options_.input.limits, diagnostics);
        std::map<std::string, ClipSource> sources;
        if (scene)
            sources = clipSourcesOf(file.bytes);
        std::vector<const archives::Entry*> entries;
        if (!place.entries.empty())
            entries.push_back(&entryFor(place, archive));
        else if (scene)
            entries = entriesOf(edited, sources, archive);
        else
            throw core::DecodeError(
                fmt::format("is another figure's motion: name the entry that it goes into, --into {}:ENTRY --at N",
                            archive.path()))
                .inFile(edited);
        if (entries.size() > 1 && options_.isPlaced())
            throw UsageError(fmt::format("--at and --append: {} has clips of {} entries; --into {}:ENTRY names one",
                                         edited, entries.size(), archive.path()));
        for (const archives::Entry* entry : entries) {
            const std::string path = archive.path() + ":" + entry->name;
            const Input original = options_.input.read(path);
            held_ += original.file.bytes.size();
            Context context{options_.input.values, options_.input.limits.holding(held_), diagnostics};
            const EncodedAsset result =
                encoded({edited, scene ? std::optional(clipsOf(*scene, *entry, sources)) : std::nullopt}, options_,
                        original, given_, context);
            console_.say(fmt::format("{}: {}", path, say(result, edited, console_)));
            addToReport(report_, reportOf(result, FileWas::there));
            archive.replace(*entry, core::inMemory(result.bytes), edited);
        }
        console_.print(diagnostics);
        return !console_.policy.fails(diagnostics);
    }

    /// The entry of that name, or the one with the animations of the character of that name.
    [[nodiscard]] const archives::Entry& entryFor(const archives::EntryPath& place,
                                                  const ArchiveOutput& archive) const {
        const std::string& name = place.entries.front();
        if (archive.archive().find(name) != nullptr)
            return archive.entryNamed(name);
        return archive.entryNamed(options_.input.read(options_.original).file.name);
    }

    /// The entries that the clips of a scene come from; if it does not say, the one that the scene's file is called
    /// like.
    [[nodiscard]] static std::vector<const archives::Entry*> entriesOf(const std::string& edited,
                                                                       const std::map<std::string, ClipSource>& sources,
                                                                       const ArchiveOutput& archive) {
        std::vector<const archives::Entry*> entries;
        std::set<std::string> names;
        for (const auto& [clip, source] : sources)
            names.insert(source.file);
        if (names.empty())
            names.insert(stemOfOutput(edited));
        for (const std::string& name : names)
            if (const archives::Entry* entry = archive.find(name))
                if (std::ranges::find(entries, entry) == entries.end())
                    entries.push_back(entry);
        if (entries.empty())
            throw core::DecodeError(
                sources.empty()
                    ? fmt::format("does not say of which entry of {0} it was made (programs may leave out the extras "
                                  "that do): name it, --into {0}:ENTRY",
                                  archive.path())
                    : fmt::format("was made of {}, which {} does not hold; --into {}:ENTRY names another entry",
                                  fmt::join(names, ", "), archive.path(), archive.path()))
                .inFile(edited);
        return entries;
    }

    /// A scene without the clips that come from other files of the game.
    [[nodiscard]] core::MovingScene clipsOf(const core::MovingScene& scene, const archives::Entry& entry,
                                            const std::map<std::string, ClipSource>& sources) const {
        core::MovingScene own = scene;
        const bool isHere =
            std::ranges::any_of(sources, [&entry](const auto& source) { return isCalled(entry, source.second.file); });
        std::erase_if(own.motions, [&](const core::SceneMotion& motion) {
            const auto source = sources.find(motion.name);
            return isHere && source != sources.end() && !isCalled(entry, source->second.file);
        });
        return own;
    }

    [[nodiscard]] static bool isCalled(const archives::Entry& entry, const std::string& source) {
        return lowerCase(entry.fileName()) == lowerCase(source);
    }

    void writeReport() const {
        if (!options_.report.empty())
            writeOutput(fromUtf8(options_.report), toText(report_));
    }

    std::vector<std::filesystem::path> read_;
    const EncodeMotionOptions options_;
    const Console& console_;
    Companions given_;
    Json report_;
    std::uint64_t held_ = 0;  // bytes of the files that are written
};

}  // namespace

int encodeInto(const EncodeMotionOptions& options, const Console& console) {
    if (!options.settings.search.at.empty() && options.settings.search.append)
        throw UsageError("--at and --append: a clip is put in one place");
    for (const std::string& edited : options.edited)
        InputOptions().requireInput(edited);
    InputOptions().requireInput(options.original);
    return EncodingInto(options, console).run();
}

}  // namespace reanima::tool
