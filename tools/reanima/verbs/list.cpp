#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "json/json.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace {

using archives::Archive;
using archives::ArchiveFormat;
using archives::Entry;

struct ListOptions {
    InputOptions input;
    std::string archive;
    bool json = false;
};

Json asJson(const ArchiveFormat& format, const Entry& entry) {
    using Types = ArchiveFormat::Types;
    Json json = {{"name", entry.name}};
    json["type"] = format.types == Types::none      ? Json(nullptr)
                   : format.types == Types::numbers ? Json(entry.type)
                                                    : Json(archives::typeText(format, entry.type));
    json["id"] = entry.id;
    json["offset"] = entry.offset;
    json["size"] = entry.size;
    if (entry.detail)
        json[std::string(format.detail)] = *entry.detail;
    if (entry.damaged)
        json["damaged"] = true;
    return json;
}

/// A line per entry: there may be a million.
std::string asJson(const Archive& archive) {
    std::string text = fmt::format("{{\"schema\":1,\"format\":\"{}\",\"entries\":[", archive.format().id);
    const char* between = "\n";
    for (const Entry& entry : archive.entries()) {
        text += between + asJson(archive.format(), entry).dump();
        between = ",\n";
    }
    return text + fmt::format("],\n\"warnings\":{}}}\n", warningsToJson(archive.diagnostics()).dump());
}

std::string asTable(const Archive& archive) {
    const ArchiveFormat& format = archive.format();
    std::uint64_t bytes = 0;
    for (const Entry& entry : archive.entries())
        bytes += entry.size;
    std::string text = fmt::format("{}, {} entries, {} bytes\n\n", format.label, archive.entries().size(), bytes);
    text += fmt::format("{:>10} {:>10} {:>5}  {}\n", "offset", "size", "type", "name");
    for (const Entry& entry : archive.entries())
        text += fmt::format("{:>10x} {:>10} {:>5}  {}{}\n", entry.offset, entry.size,
                            format.types == ArchiveFormat::Types::none ? "" : typeText(format, entry.type), entry.name,
                            entry.damaged ? " (damaged)" : "");
    return text;
}

int list(const ListOptions& options, const Console& console) {
    const auto archive = options.input.files->openArchive(options.archive, options.input.limits);
    printData(options.json ? asJson(*archive) : core::printable(options.archive) + ": " + asTable(*archive));
    if (!options.json)
        console.print(archive->diagnostics());
    return console.policy.fails(archive->diagnostics()) ? kInputFailed : kDone;
}

}  // namespace

const Verb kList = {"list", "show what is in an archive", "  reanima list battle.lgp",
                    [](Arguments& arguments, Console& console) -> std::function<int()> {
                        const auto options = std::make_shared<ListOptions>();
                        arguments.requiredText("ARCHIVE", options->archive, "",
                                               "the archive, or ARCHIVE:ENTRY for one inside another");
                        arguments.flag("--json", options->json, "as JSON");
                        addLimits(arguments, options->input.limits);
                        addConsoleOptions(arguments, console);
                        return [options, &console] { return list(*options, console); };
                    }};

}  // namespace reanima::tool
