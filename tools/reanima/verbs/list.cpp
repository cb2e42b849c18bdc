#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "archives/places.h"
#include "core/text.h"
#include "formats/foreign_files.h"
#include "json/json.h"
#include "pipeline/memoria_file.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/front/help.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/front/text_table.h"
#include "tools/reanima/jobs/contents.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

using archives::Archive;
using archives::ArchiveFormat;
using archives::Entry;

struct ListOptions {
    InputOptions input;
    std::string archive;
    bool json = false;
    bool inside = false;  ///< also lists the contents of entries
};

using Titles = std::map<const Entry*, std::string>;  ///< titles of characters

Json asJson(const Archive& archive, const Entry& entry, const Titles& titles, const core::Limits& limits) {
    using Types = ArchiveFormat::Types;
    const ArchiveFormat& format = archive.format();
    Json json = {{"name", entry.name}};
    json["type"] = format.types == Types::none      ? Json(nullptr)
                   : format.types == Types::numbers ? Json(entry.type)
                                                    : Json(archives::typeText(format, entry.type));
    json["id"] = entry.id;
    json["offset"] = entry.offset;
    json["size"] = entry.size;
    if (entry.detail)
        json[std::string(format.detail)] = *entry.detail;
    if (const std::string place = archives::placeOf(archive, entry, limits); !place.empty())
        json["place"] = place;
    if (const auto title = titles.find(&entry); title != titles.end())
        json["title"] = title->second;
    if (entry.damaged)
        json["damaged"] = true;
    return json;
}

/// Prints a line per entry, since an archive may contain a million.
std::string asJson(const Archive& archive, const Titles& titles, const core::Limits& limits) {
    std::string text = fmt::format("{{\"schema\":1,\"format\":\"{}\",\"entries\":[", archive.format().id);
    const char* between = "\n";
    for (const Entry& entry : archive.entries()) {
        text += between + toLine(asJson(archive, entry, titles, limits));
        between = ",\n";
    }
    return text + fmt::format("],\n\"warnings\":{}}}\n", toLine(warningsToJson(archive.diagnostics())));
}

std::string asTable(const Archive& archive, const Titles& titles, const core::Limits& limits) {
    const ArchiveFormat& format = archive.format();
    std::uint64_t bytes = 0;
    std::size_t width = 0;
    constexpr std::size_t kWidest = 24;
    for (const Entry& entry : archive.entries()) {
        bytes += entry.size;
        if (!titles.empty())
            width = std::max(width, std::min(entry.name.size(), kWidest));
    }
    std::string text = fmt::format("{}, {} {}, {} bytes\n\n", format.label, archive.entries().size(),
                                   archive.entries().size() == 1 ? "entry" : "entries", bytes);
    text += fmt::format("{:>10} {:>10} {:>5}  {}\n", "offset", "size", "type", "name");
    for (const Entry& entry : archive.entries()) {
        const auto title = titles.find(&entry);
        std::string what = core::printable(archives::placeOf(archive, entry, limits));
        if (title != titles.end())
            what += (what.empty() ? "" : "  ") + title->second;
        const std::string name = entry.name + (entry.damaged ? " (damaged)" : "");
        text += fmt::format("{:>10x} {:>10} {:>5}  {}\n", entry.offset, entry.size,
                            format.types == ArchiveFormat::Types::none ? "" : typeText(format, entry.type),
                            what.empty() ? name : fmt::format("{:<{}}  {}", name, width, what));
    }
    return text;
}

Json asJson(const HeldCharacter& held) {
    Json clips = Json::array();
    for (const HeldClip& clip : held.clips)
        clips.push_back({{"index", clip.index},
                         {"id", clip.id},
                         {"name", clip.name},
                         {"frames", clip.frames},
                         {"seconds", clip.seconds}});
    return {{"model", held.model.empty() ? Json(nullptr) : modelIdToJson(held.model)},
            {"joints", held.joints},
            {"clips", std::move(clips)}};
}

Json asJson(const InsideFile& file) {
    Json characters = Json::array();
    for (const HeldCharacter& held : file.characters)
        characters.push_back(asJson(held));
    return {{"name", file.path},
            {"type", file.type.empty() ? Json(nullptr) : Json(file.type)},
            {"size", file.size},
            {"format", file.format == nullptr ? Json(nullptr) : Json(file.format->id)},
            {"archive", file.archive.empty() ? Json(nullptr) : Json(file.archive)},
            {"characters", std::move(characters)},
            {"damaged", file.isDamaged}};
}

/// `          5414 (45 joints, 12 clips)` for each of several characters.
std::string modelLines(const InsideFile& file) {
    std::string text;
    if (file.characters.size() > 1)
        for (const HeldCharacter& held : file.characters)
            text += fmt::format("{:>10} {:>5}  {:{}}model {}: {}\n", "", "", "", 2 * file.depth + 4,
                                core::printable(held.model), countsOf({held}));
    return text;
}

/// The file name and its kind. The kind is on a second line if one line would be too long.
std::string asLines(const InsideFile& file, std::size_t width) {
    const std::string counts = countsOf(file.characters);
    std::string what = file.format != nullptr ? std::string(file.format->label) : std::string();
    if (!counts.empty())
        what += ", " + counts;
    if (file.isDamaged)
        what += what.empty() ? "damaged" : ", damaged";
    const std::string line =
        fmt::format("{:>10} {:>5}  {:{}}{}", file.size, file.type, "", 2 * file.depth, core::printable(file.path));
    if (what.empty() || line.size() + 2 + what.size() <= width)
        return line + (what.empty() ? "" : "  " + what) + "\n" + modelLines(file);
    const std::size_t indent = 2 * file.depth + 22;
    return line + "\n" + std::string(indent, ' ') + wrapped(what, width, indent, indent) + "\n" + modelLines(file);
}

/// Prints while reading, since a large archive needs time.
int listInside(const ListOptions& options, const Console& console) {
    if (options.json)
        printData("{\"schema\":1,\"entries\":[");
    else
        printData(fmt::format("{:>10} {:>5}  {}\n", "size", "type", "name"));
    const char* between = "\n";
    const std::size_t width = tableWidth(console);
    eachInside(options.input, options.archive, [&](const InsideFile& file) {
        printData(options.json ? between + toLine(asJson(file)) : asLines(file, width));
        between = ",\n";
    });
    if (options.json)
        printData("]}\n");
    return interrupted() ? kInterrupted : kDone;
}

/// A file below a folder, and its kind.
struct ListedFile {
    std::string name;
    std::uint64_t size = 0;
    std::string_view id{};  ///< id of its format, or of its kind of archive; empty: unknown
};

/// @throws core::DecodeError if it can't be read
ListedFile listedFile(const InputOptions& options, const fs::path& folder, const fs::path& path) {
    std::error_code unknown;
    ListedFile file{toUtf8(path.lexically_relative(folder)), core::fileSize(path, unknown)};
    if (const archives::ArchiveFormat* archive = options.folderFormatOf(toUtf8(path)))
        file.id = archive->id;
    else if (const std::optional<Input> input = options.readFromFolder(toUtf8(path)))
        file.id = input->format->id;
    else if (core::extensionOf(file.name) == "anim" &&
             isMemoriaAnimation(options.files->read(toUtf8(path), options.limits).bytes, file.name))
        file.id = kMemoriaFormat;
    return file;
}

std::string asTable(const std::string& folder, const std::vector<ListedFile>& files) {
    std::uint64_t bytes = 0;
    std::size_t width = 20;
    constexpr std::size_t kWidest = 40;
    for (const ListedFile& file : files) {
        bytes += file.size;
        width = std::clamp(core::printable(file.name).size(), width, kWidest);
    }
    std::string text =
        fmt::format("{}: a folder, {} files, {} bytes\n\n", core::printable(folder), files.size(), bytes);
    text += fmt::format("{:>10}  {:<{}}  {}\n", "size", "name", width, "format");
    for (const ListedFile& file : files)
        text += fmt::format("{:>10}  {:<{}}  {}\n", file.size, core::printable(file.name), width,
                            file.id.empty() ? "-" : file.id);
    return text;
}

std::string asJson(const std::vector<ListedFile>& files) {
    Json entries = Json::array();
    for (const ListedFile& file : files)
        entries.push_back({{"name", file.name},
                           {"type", file.id.empty() ? Json(nullptr) : Json(file.id)},
                           {"id", nullptr},
                           {"offset", nullptr},
                           {"size", file.size}});
    return toText({{"schema", 1}, {"format", "folder"}, {"entries", std::move(entries)}, {"warnings", Json::array()}});
}

void sayNextStep(const ListOptions& options, const Console& console) {
    if (!options.json)
        console.say(fmt::format("`reanima list -r {}` also shows characters and clips", asPath(options.archive)));
}

/// Lists the files below a folder. Unreadable files are reported, and the others are listed.
int listFolder(const ListOptions& options, const Console& console) {
    const fs::path folder = fromUtf8(options.archive);
    const FolderContent content = contentOf(folder);
    int status = kDone;
    const auto report = [&](const core::DecodeError& error) {
        console.error(error.message(flagWording));
        status = kInputFailed;
    };
    std::ranges::for_each(content.errors, report);
    std::vector<ListedFile> files;
    for (const fs::path& path : content.files) {
        if (interrupted())
            return kInterrupted;
        try {
            files.push_back(listedFile(options.input, folder, path));
        } catch (const core::DecodeError& error) {
            report(error);
        }
    }
    printData(options.json ? asJson(files) : asTable(options.archive, files));
    sayNextStep(options, console);
    return status;
}

int list(const ListOptions& options, const Console& console) {
    options.input.requireArchive(options.archive);
    if (options.inside)
        return listInside(options, console);
    if (isFolder(fromUtf8(options.archive)))
        return listFolder(options, console);
    const auto archive = options.input.files->openArchive(options.archive, options.input.limits);
    const Titles titles = options.input.files->titlesIn(options.archive, *archive, options.input.limits);
    printData(options.json ? asJson(*archive, titles, options.input.limits)
                           : core::printable(options.archive) + ": " + asTable(*archive, titles, options.input.limits));
    if (!options.json)
        console.print(archive->diagnostics());
    sayNextStep(options, console);
    return console.policy.fails(archive->diagnostics()) ? kInputFailed : kDone;
}

}  // namespace

const Verb kList = {"list",
                    "ARCHIVE",
                    "shows what is in an archive or a folder",
                    "recursive json",
                    "  reanima list battle.lgp           # files and characters\n"
                    "  reanima list -r battle.lgp        # also their clips\n"
                    "  reanima list FF9.IMG:10/300       # what is in an entry",
                    [](Arguments& arguments, Console& console) -> std::function<int()> {
                        const auto options = std::make_shared<ListOptions>();
                        arguments.requiredText(
                            "ARCHIVE", options->archive, "",
                            "an archive, a folder, or ARCHIVE:ENTRY for an archive inside an archive");
                        arguments.flag("-r,--recursive", options->inside,
                                       "also show what entries contain: formats, characters, clips, containers");
                        arguments.flag("--json", options->json, "print JSON");
                        addLimits(arguments, options->input.limits);
                        addConsoleOptions(arguments, console);
                        return [options, &console] { return list(*options, console); };
                    }};

}  // namespace reanima::tool
