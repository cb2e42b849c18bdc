#include "tools/reanima/verbs/encode_into.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "archives/open_archives.h"
#include "formats/common_options.h"
#include "formats/foreign_files.h"
#include "formats/load.h"
#include "formats/registry.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_motion.h"
#include "pipeline/memoria_folder.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/front/recipe.h"
#include "tools/reanima/jobs/archive_output.h"
#include "tools/reanima/jobs/report.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/memoria_back.h"
#include "tools/reanima/verbs/scene_back.h"

namespace reanima::tool {

namespace {

/// Options with which `convert` may have made the scene from the file; they affect clips and joints.
constexpr std::array<std::string_view, 6> kAsConverted = {"rate", "scale", "joints", "names-by", "game", "model"};

/// Options for binding motion of other characters.
constexpr std::array<std::string_view, 6> kBinding = {"map",        "mode",       "source-rest",
                                                      "plant-feet", "root-scale", "root-motion"};

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
        std::make_shared<archives::OpenArchives>(std::make_shared<core::RecordedFiles>(inputFiles(), note));
    return options;
}

RestPose restFrom(const EncodeMotionOptions& options) {
    Settings settings;
    // Without originals, --format names the format of the output.
    const std::string format = options.originals.empty() ? std::string() : options.input.format;
    applySettingTexts(options.binding, {options.input.files, options.input.limits, {}, InputOptions::formatFor(format)},
                      settings);
    return settings.rest;
}

void addMotionOptions(Arguments& arguments, EncodeMotionOptions& options) {
    arguments.heading("Back into the game");
    arguments.list("--into", options.originals, "FILE",
                   "the game file that INPUT (.glb or .gltf) was made from; repeatable with -o FOLDER/. Changed clips "
                   "are written. All other bytes stay the same. Without -o, changes are only listed. With --at or "
                   "--append, FILE is the game file that gets the motion of INPUT (.bvh, .vrma, .glb, ...)");
    arguments.text("-s,--skeleton", options.input.skeleton, "FILE",
                   "the game's skeleton. Needed for a new file, and with --into if the skeleton is not found");
    core::EditSearch& search = options.settings.search;
    arguments.list("--clip", search.clips, "NAME", "use only this clip of INPUT; repeatable");
    constexpr double kMostIndex = 65535;
    arguments.count(
        "--at", 0, kMostIndex, [&search](double index) { search.at = {static_cast<std::uint32_t>(index)}; }, "N",
        "with --into: replace clip N of FILE with the new clip of INPUT, or with the clip that you choose with --clip");
    arguments.flag(
        "--append", search.append,
        "with --into: add clips of INPUT after the clips of FILE. It adds the clips chosen with --clip, or all "
        "new clips without --clip");
    arguments.text("--joint-root", search.jointRoot, "NAME",
                   "name of the topmost joint of the skeleton to use, if INPUT contains several");
    arguments.flag(
        "--all-changed", options.settings.allChanged,
        "with --into: write FILE even if most joints move differently in all clips, or if the only change is "
        "that clips play faster or slower, or start earlier or later");
    arguments.flag("--allow-loss", options.settings.allowLoss,
                   "leave out what the format can't store, instead of refusing INPUT");
    arguments.text("--report", options.report, "OUT", "write a JSON list of changed and unchanged clips");
    addFormatOptions(arguments, kAsConverted, options.input.values);
    arguments.checked(
        "--rest",
        [&options](const std::string& text) -> std::optional<std::string> {
            options.binding["rest"] = {text};
            return std::nullopt;
        },
        "POSE",
        "the rest pose of INPUT, as FILE:CLIP:FRAME or zero, for games that store no rest pose. Default: the first "
        "frame of the pack beside the skeleton; without a pack, the first frame of the game file. If INPUT is motion "
        "of a different character, name the pose in which the game's skeleton matches the rest pose of that character");
    addSettings(arguments, kBinding, options.binding);
}

namespace {

/// One run: writes the changes into files, or into entries of archives.
class EncodingInto {
  public:
    /// @param options the given options; all files read through them are recorded
    EncodingInto(const EncodeMotionOptions& options, const Console& console)
        : options_(recording(options, read_)), run_{options_, console, options_.input.givenWithoutRig()} {}

    int run() {
        refuseTerminal(options_.output, "the game's formats are");
        refuseWords();
        for (const std::string& path : options_.originals)
            open(path);
        refuseOutputs(inputs());
        bool isFailed = false;
        for (const std::string& edited : options_.edited)
            isFailed = !SceneBack(run_, edited).encode() || isFailed;
        if (isFailed)
            return kInputFailed;
        refuseClashes(outputs(), read_);  // includes files found beside the inputs
        write();
        for (const std::string& clip : run_.notWritten)
            run_.console.error(clip);
        return run_.notWritten.empty() ? kDone : kInputFailed;
    }

  private:
    [[nodiscard]] bool areSeveral() const { return options_.originals.size() > 1; }
    /// True if outputs keep the names of their originals, in a folder.
    [[nodiscard]] bool keepNames() const {
        return !options_.output.empty() && (areSeveral() || namesFolder(options_.output));
    }

    void refuseWords() const {
        if (areSeveral() && options_.isPlaced())
            throw UsageError("--at and --append: several files are named with --into, expected one");
        if (areSeveral() && !options_.output.empty() && !namesFolder(options_.output))
            throw UsageError(
                fmt::format("-o {0}: several files are written, expected a folder. Use -o {0}/", options_.output));
    }

    /// True if the output is a whole archive: for an entry of an LGP, `-o new.lgp` or `-o FOLDER/`. False for a single
    /// entry, `-o rtda`.
    [[nodiscard]] bool becomesArchive(const archives::EntryPath& place) const {
        if (areSeveral() || keepNames()) {
            const archives::ArchiveFormat* format = options_.input.files->formatOf(place.file);
            return format != nullptr && format->insteadOfWriting.empty();
        }
        return !options_.output.empty() && !extensionOf(place.file).empty() &&
               extensionOf(options_.output) == extensionOf(place.file);
    }

    void open(const std::string& path) {
        const archives::EntryPath place = options_.input.files->parse(path);
        if (place.entries.empty() ? options_.input.folderFormatOf(path) != nullptr : becomesArchive(place))
            run_.originals.push_back(openedArchive(path, place));
        else
            run_.originals.push_back(openedFile(path));
        Original& original = run_.originals.back();
        original.output = options_.output;
        if (keepNames())
            original.output = toUtf8(fromUtf8(options_.output) / fromUtf8(nameOf(fromUtf8(original.path))));
        refuseEntryName(original);
    }

    /// A game may read a file beside its archives in place of an entry of the same name. So a whole archive must not
    /// get such a name.
    void refuseEntryName(const Original& original) const {
        const std::string name(core::fileNameOf(original.output));
        if (original.archive && original.place.empty() && !keepNames() && extensionOf(original.output).empty() &&
            original.archive->archive().find(name) != nullptr)
            throw UsageError(fmt::format(
                "-o {0}: {1} is an entry of {2}, but the whole archive would be written. Use --into {2}:{1} to write "
                "only this entry",
                original.output, name, original.path));
    }

    [[nodiscard]] Original openedFile(const std::string& path) {
        if (options_.edited.size() > 1)
            throw UsageError(fmt::format(
                "encode --into {}: there are {} inputs for one file. Only an archive can get several inputs", path,
                options_.edited.size()));
        run_.held += options_.input.read(path).file.bytes.size();
        return {path, path};
    }

    [[nodiscard]] Original openedArchive(const std::string& path, const archives::EntryPath& place) const {
        if (place.entries.size() > 1)
            throw core::DecodeError("is in an archive inside another archive. Use -o to name the file to write")
                .inFile(path);
        if (options_.edited.size() > 1 && options_.isPlaced())
            throw UsageError(
                "--at and --append: there are several inputs. Name only one INPUT, and choose its entry with "
                "--into ARCHIVE:ENTRY");
        Original original{place.file, {}, ArchiveOutput(options_.input, place.file)};
        if (!place.entries.empty()) {
            const std::string& entry = entryFor(path, place, *original.archive).name;
            const bool isNumber = place.entries.front().starts_with('#');  // for entries that share a name
            original.place = fmt::format("{}:{}", place.file, isNumber ? place.entries.front() : entry);
        }
        return original;
    }

    /// The entry of this name, or the entry with the animations of the character of this name.
    [[nodiscard]] const archives::Entry& entryFor(const std::string& path, const archives::EntryPath& place,
                                                  const ArchiveOutput& archive) const {
        const std::string& name = place.entries.front();
        if (archive.archive().find(name) != nullptr)
            return archive.entryNamed(name);
        return archive.entryNamed(options_.input.read(path).file.name);
    }

    [[nodiscard]] std::vector<std::filesystem::path> inputs() const {
        std::vector<std::filesystem::path> inputs;
        for (const Original& original : run_.originals)
            inputs.push_back(fromUtf8(original.path));
        for (const std::string& edited : options_.edited)
            inputs.push_back(fileOf(fromUtf8(edited)));
        if (!options_.input.skeleton.empty())
            inputs.push_back(fileOf(fromUtf8(options_.input.skeleton)));
        return inputs;
    }

    [[nodiscard]] std::vector<std::filesystem::path> outputs() const {
        std::vector<std::filesystem::path> outputs;
        for (const Original& original : run_.originals)
            if (!original.output.empty())
                outputs.push_back(fromUtf8(original.output));
        if (!options_.report.empty())
            outputs.push_back(fromUtf8(options_.report));
        return outputs;
    }

    /// Checks the outputs before any input is read.
    void refuseOutputs(const std::vector<std::filesystem::path>& inputs) const {
        for (const Original& original : run_.originals)
            refuseOthersName(original.output, original.path);
        refuseClashes(outputs(), inputs);
        refuseOtherThanReport(fromUtf8(options_.report));
        if (!options_.force)
            refuseExisting(outputs());
    }

    /// Makes all files visible only after all are complete.
    void write() {
        std::deque<OutputFile> files;
        std::vector<std::string> said;
        for (const Original& original : run_.originals) {
            if (original.output.empty())
                said.push_back(original.archive ? "nothing is written without -o"
                                                : original.sum + "; nothing is written without -o");
            else if (original.archive)
                said.push_back(original.archive->write(original.output, files));
            else {
                files.emplace_back(fromUtf8(original.output)).append(original.bytes);
                said.push_back(
                    fmt::format("wrote {}: {} bytes, {}", original.output, original.bytes.size(), original.sum));
            }
        }
        if (!options_.report.empty())
            files.emplace_back(fromUtf8(options_.report)).append(toText(run_.report));
        for (OutputFile& file : files)
            file.commit();
        for (const std::string& line : said)
            run_.console.say(line);
        sayHowToLook();
    }

    /// Prints the command that shows the last changed file.
    void sayHowToLook() const {
        for (auto original = run_.originals.rbegin(); original != run_.originals.rend(); ++original)
            if (!original->output.empty() && original->output != kStandardStream && original->changed) {
                const std::string entry = original->archive ? ":" + *original->changed : "";
                return reanima::tool::sayHowToLook(original->output + entry,
                                                   InputOptions::formatFor(options_.input.format), original->skeleton,
                                                   run_.console);
            }
    }

    std::vector<std::filesystem::path> read_;
    const EncodeMotionOptions options_;
    RunInto run_;
};

}  // namespace

void sayHowToLook(const std::string& output, const Format* format, const std::string& skeleton,
                  const Console& console) {
    Input input;
    try {
        input = InputOptions().read(output);
    } catch (const core::DecodeError&) {
        return;  // written, but too large to read within the usual limits
    }
    const Format* recognised = findFormat(input);
    input.format = format != nullptr ? format : recognised;
    if (input.format == nullptr)
        return;
    const bool needsOne =
        std::ranges::any_of(formats(), [&input](const Format* other) { return input.format->needsSkeleton(*other); });
    const bool isFound = !needsOne || skeleton.empty() || withFoundCompanions(input, {}).contains(Role::skeleton);
    const std::string named = input.format != recognised ? fmt::format(" --format {}", input.format->id) : "";
    console.say(fmt::format("`reanima preview {}{}{}` shows the result", asWord(output),
                            isFound ? "" : " -s " + asWord(skeleton), named));
}

int encodeInto(const EncodeMotionOptions& options, const Console& console) {
    if (!options.settings.search.at.empty() && options.settings.search.append)
        throw UsageError("--at and --append: use only one of them");
    for (const std::string& edited : options.edited)
        InputOptions().requireInput(edited);
    for (const std::string& original : options.originals)
        InputOptions().requireInput(original);
    const auto isFolderOfClips = [](const std::string& path) { return !memoriaClipsIn(fromUtf8(path)).empty(); };
    if (std::ranges::any_of(options.originals, isFolderOfClips))
        return encodeIntoFolder(options, console);
    return EncodingInto(options, console).run();
}

}  // namespace reanima::tool
