#include "tools/reanima/front/options.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/source.h"
#include "formats/common_options.h"
#include "formats/foreign_files.h"
#include "formats/load.h"
#include "formats/own_names.h"
#include "formats/registry.h"
#include "pipeline/foreign_motion.h"
#include "pipeline/memoria_folder.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/front/rigs.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

void addFormatOption(Arguments& arguments, const OptionInfo& info, OptionValues& values) {
    const std::string flag = "--" + std::string(info.key);
    const std::string help(info.help);
    if (info.type == OptionInfo::Type::flag) {
        const auto set = [&values, info] { (void)setOption(values, info, 1); };
        arguments.flag(flag, set, help);
        return;
    }
    const std::string argument =
        info.choices.empty() ? std::string(info.argument) : fmt::format("{}", fmt::join(info.choices, "|"));
    const auto set = [&values, info](const std::string& text) { return setOption(values, info, text); };
    if (info.type == OptionInfo::Type::counts)
        arguments.repeated(flag, set, argument, help);
    else
        arguments.checked(flag, set, argument, help);
}

}  // namespace

const Format* InputOptions::formatFor(const std::string& id, std::string_view option) {
    if (id.empty())
        return nullptr;
    const Format* format = formatNamed(id);
    if (format == nullptr)
        throw UsageError(fmt::format("{} {}: there is no such format; `reanima formats` lists them", option, id));
    return format;
}

void InputOptions::lookAlsoIn(const std::vector<std::string>& inputs) {
    std::vector<std::string> archives;
    for (const std::string& input : inputs)
        if (std::string file = files->parse(input).file;
            input != kStandardStream && std::ranges::find(archives, file) == archives.end())
            archives.push_back(std::move(file));
    if (archives.size() > 1)
        files = std::make_shared<archives::OpenArchives>(inputFiles(), std::move(archives));
}

Cast InputOptions::cast() const {
    const auto openNamed = [this](const std::string& path, const Format* as) {
        if (as == nullptr && !files->namesEntry(path) && folderFormatOf(path) != nullptr)
            throw core::DecodeError(
                fmt::format(
                    "is an archive, expected a file. Use {}:NAME for a file in it (`reanima list` shows the names)",
                    path))
                .inFile(path);
        Input input = open(path, as);
        if (input.file.bytes.empty())
            throw core::DecodeError("is empty").inFile(path);
        if (noCompanion && findFormat(input) != nullptr)  // another program's rig always needs its parts
            input.siblings = {};
        return input;
    };
    return Cast(*this, openNamed, {files, limits}, formatFor(skeletonFormat, "--skeleton-format"));
}

Input InputOptions::readSkeleton() const { return open(skeleton, formatFor(skeletonFormat, "--skeleton-format")); }

Companions InputOptions::givenWithoutRig() const {
    const Cast named = cast();
    if (named.rig())
        throw UsageError(fmt::format(
            "-s {}: is a rig, expected the game's own skeleton. To bind to a rig, use `reanima convert`", skeleton));
    return named.companions();
}

const archives::ArchiveFormat* InputOptions::folderFormatOf(const std::string& path) const {
    const archives::ArchiveFormat* found = files->formatOf(path);
    return found != nullptr && found->holdsCharacters ? found : nullptr;
}

bool InputOptions::isFolderOfFiles(const std::string& path) const {
    if (!format.empty())
        return false;
    if (!files->namesEntry(path))
        return folderFormatOf(path) != nullptr;
    try {
        const auto archive = files->openIfArchive(path, limits);
        return archive != nullptr && archive->format().holdsCharacters;
    } catch (const core::DecodeError&) {  // reported when the file is read
        return false;
    }
}

std::vector<std::filesystem::path> InputOptions::inputsAmong(std::vector<std::filesystem::path> paths) const {
    std::vector<std::filesystem::path> found = withCharacters(std::move(paths));
    std::erase_if(found, [this](const std::filesystem::path& path) { return namesAnother(path); });
    return found;
}

bool InputOptions::namesAnother(const std::filesystem::path& path) const {
    const archives::ArchiveFormat* known = files->formatOf(toUtf8(path));
    return known != nullptr && known->namesAnother;
}

namespace {

constexpr std::uint64_t kLarge = 64U << 20U;

/// The size of a file in bytes. 0 for other paths, and if it can't be opened.
std::uint64_t sizeOf(const std::string& path, const archives::OpenArchives& files) {
    try {
        const std::shared_ptr<const core::Source> file = files.namesEntry(path) ? nullptr : files.open(path);
        return file ? file->size() : 0;
    } catch (const core::DecodeError&) {  // reported when the file is read
        return 0;
    }
}

/// Rejects large files of other programs by their first bytes. Files of known formats may exceed the size limit.
/// @throws core::DecodeError for a large file of another program
void refuseLargeForeign(const std::string& path, const archives::OpenArchives& files) {
    if (sizeOf(path, files) < kLarge)
        return;
    const core::ByteVector head = readHead(fromUtf8(path), kForeignHead);
    if (beginsLikeAnyFormat(head))
        return;
    if (const std::optional<ForeignFile> foreign = foreignFile(head); foreign && foreign->hint.key.empty())
        throw foreign->asError().inFile(path);
}

/// Reads a file or an entry. The error for a missing entry also explains how to list entries.
Input readOrSayWhatThereIs(const InputOptions& options, const std::string& path, const Format* as) {
    const archives::OpenArchives& files = *options.files;
    try {
        return readInput(options.files, path, options.limits, as);
    } catch (const core::DecodeError& error) {
        const bool isAnswered = error.problem().ends_with('?');
        if (isAnswered || !files.holdsNone(path, options.limits))
            throw;
        throw core::DecodeError(
            fmt::format("{}; `reanima list {}` shows all", error.problem(), asWord(files.parse(path).file)))
            .inFile(error.file());
    }
}

}  // namespace

Input InputOptions::open(const std::string& path, const Format* as) const {
    if (as == nullptr)
        refuseLargeForeign(path, *files);
    const archives::ArchiveFormat* archive = as == nullptr && !files->namesEntry(path) ? folderFormatOf(path) : nullptr;
    if (archive != nullptr)
        throw core::DecodeError(
            fmt::format("is {}, not an animation. Use {}:NAME for one of its entries (`reanima list` shows the names)",
                        "an archive, " + std::string(archive->label), path))
            .inFile(path);
    Input input = readOrSayWhatThereIs(*this, path, as);
    if (path == kStandardStream)
        input.shownAs = kShownStandardInput;
    return input;
}

void InputOptions::requireInput(const std::string& path) const {
    if (path != kStandardStream && !core::exists(fromUtf8(path)) && !files->exists(path))
        (void)open(path, nullptr);  // throws an error with the reason
}

void InputOptions::requireKnownInput(const std::string& path) const {
    requireInput(path);
    if (path != kStandardStream && isFile(fileOf(fromUtf8(path))) && folderFormatOf(path) == nullptr)
        (void)formatOf(readSource(path));
}

void InputOptions::requireArchiveInside(const std::string& path) const {
    try {
        (void)files->openArchive(path, limits);
    } catch (const core::DecodeError&) {
        const archives::EntryPath place = files->parse(path);
        if (place.entries.size() > 1 || findFormat(open(path, nullptr)) == nullptr)
            throw;
        throw core::DecodeError(
            fmt::format(
                "is not an archive. `reanima info {}` shows what it contains, `reanima extract {} {}` extracts it",
                asWord(path), asWord(place.file), asWord(place.entries.front())))
            .inFile(path);
    }
}

void InputOptions::requireArchive(const std::string& path) const {
    if (path == kStandardStream)
        throw UsageError("-: an archive is read from a file, not from standard input");
    requireInput(path);
    if (files->namesEntry(path))
        return requireArchiveInside(path);
    if (!isFile(fromUtf8(path)) || sizeOf(path, *files) >= kLarge || files->formatOf(path) != nullptr)
        return;  // reported when the file is opened
    const Input input = open(path, nullptr);
    if (const Format* known = findFormat(input))
        throw core::DecodeError(
            fmt::format("is {}, not an archive. `reanima info` shows what it contains", known->label))
            .inFile(path);
    (void)formatOf(input);
}

Input InputOptions::read(const std::string& path) const {
    if (!files->namesEntry(path) && !files->exists(path))  // usually decided without reading the disk
        if (const std::vector<std::string> clips = memoriaClipsIn(fromUtf8(path)); !clips.empty())
            return memoriaCharacter(fromUtf8(path), clips, *files, limits);
    Input input = open(path, formatFor(format));
    if (noCompanion) {
        input.siblings = {};
        input.file.told.erase(std::string(kOwnNameKey));
        input.file.toldBy.clear();
    }
    return input;
}

Input InputOptions::readSource(const std::string& path) const {
    Input input = read(path);
    asSource(input, readOtherMotion);
    if (!noCompanion && isMemoriaAnimation(input.file.bytes, input.file.name) && isFile(fromUtf8(path)))
        addClipsBeside(input, files);
    return input;
}

std::optional<Input> InputOptions::readFromFolder(const std::string& path) const {
    if (folderFormatOf(path) != nullptr)
        return std::nullopt;
    constexpr std::size_t kHead = 64U << 10U;  // more than any format needs to be recognised
    if (sizeOf(path, *files) <= std::min(limits.fileSize, limits.memory) ||
        beginsLikeAnyFormat(readHead(fromUtf8(path), kHead))) {
        Input input = read(path);
        input.format = findFormat(input);
        if (input.format != nullptr)
            return input;
    }
    refuseBlankArchive(path);
    return std::nullopt;
}

void InputOptions::refuseBlankArchive(const std::string& path) const {
    const archives::EntryPath place = files->parse(path);
    const std::string name(core::fileNameOf(place.entries.empty() ? path : place.entries.back()));
    if (archives::archivesCalledLike(name).empty())
        return;
    if (const auto source = files->open(path))
        core::inFile(path, [&] { archives::refuseBlank({source, name}); });
}

void addSkeletonOptions(Arguments& arguments, InputOptions& options, const std::string& help) {
    arguments.text("-s,--skeleton", options.skeleton, "FILE", help);
    arguments.text("--skeleton-format", options.skeletonFormat, "ID", "format of the -s file");
    arguments.flag("--no-companion", options.noCompanion, "do not look for companions beside the input");
}

void addInputOptions(Arguments& arguments, InputOptions& options, const std::string& skeletonHelp) {
    addSkeletonOptions(arguments, options, skeletonHelp);
    arguments.text("--source-skeleton", options.sourceSkeleton, "FILE", "the game's skeleton, if -s names a rig");
    arguments.text("--events", options.events, "FILE", "events of the animation (Metroid Prime)");
    arguments.text("--materials", options.materials, "FILE", "materials of the model (Final Fantasy IX, type 0x12)");
    arguments.text("--skin", options.skin, "FILE", "weights that attach the mesh to the joints (Metroid Prime, CSKR)");
    arguments.list("--textures", options.textures, "PATH",
                   "textures of the model, in a file, folder or archive; repeatable. For Final Fantasy IX, list them "
                   "in the order of the texture numbers. For Metroid Prime, they are found by id");
    addReadingOptions(arguments, options);
}

void addReadingOptions(Arguments& arguments, InputOptions& options, std::optional<Kind> kind) {
    arguments.text("--format", options.format, "ID", "format of the inputs. Default: detected from the content");
    addFormatOptions(arguments, OptionInfo::Use::reading, options.values, kind);
    addLimits(arguments, options.limits);
}

void addFormatOptions(Arguments& arguments, OptionInfo::Use use, OptionValues& values, std::optional<Kind> kind) {
    arguments.heading("Formats");
    for (const OptionInfo& info : formatOptions(kind))
        if (info.use == use)
            addFormatOption(arguments, info, values);
    arguments.heading({});
}

void addFormatOptions(Arguments& arguments, std::span<const std::string_view> keys, OptionValues& values) {
    for (const OptionInfo& info : formatOptions(std::nullopt))
        if (std::ranges::find(keys, info.key) != keys.end())
            addFormatOption(arguments, info, values);
}

void addLimits(Arguments& arguments, core::Limits& limits) {
    arguments.heading("Limits");
    arguments.count(
        "--limit-samples", kLimitSamplesOption.minimum, kLimitSamplesOption.maximum,
        [&limits](double samples) { limits.setSamples(static_cast<std::uint64_t>(samples)); }, "N",
        fmt::format("limit on the decoded values of one file. Default: {}. For a video, it limits the pixels per frame "
                    "(default: {}). All frames together may have {} times as many pixels",
                    limits.samples, limits.picturePixels, core::Limits::kLargestPictures));
    arguments.count(
        "--limit-memory", kLimitMemoryOption.minimum, kLimitMemoryOption.maximum,
        [&limits](double mebibytes) { limits.memory = static_cast<std::uint64_t>(mebibytes) << 20U; }, "MIB",
        fmt::format("limit on the memory of one conversion. Default: {}", limits.memory >> 20U));
    arguments.heading({});
}

void addConsoleOptions(Arguments& arguments, Console& console) {
    arguments.flag("-q,--quiet", console.quiet, "print errors only");
    arguments.flag("-v,--verbose", console.verbose, "print more details");
    arguments.flag("--strict", console.policy.strict, "treat every warning as an error");
    arguments.list("--warn", console.warnSettings, "CODE=LEVEL",
                   "treat warnings of this code as LEVEL: ignore, warn or error; repeatable");
}

void readWarnings(Console& console) {
    using Level = WarningPolicy::Level;
    for (const std::string& setting : console.warnSettings) {
        const std::size_t equals = setting.find('=');
        const std::string level = equals == std::string::npos ? "" : setting.substr(equals + 1);
        const core::Code* code = core::codeNamed(setting.substr(0, equals));
        if (code == nullptr || (level != "ignore" && level != "warn" && level != "error"))
            throw UsageError(
                fmt::format("--warn {}: expected CODE=LEVEL. LEVEL is ignore, warn or error; `reanima formats "
                            "--warnings` lists the codes",
                            setting));
        console.policy.levels[*code] = level == "ignore" ? Level::ignore : level == "warn" ? Level::warn : Level::error;
    }
}

}  // namespace reanima::tool
