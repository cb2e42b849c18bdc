#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "archives/archive.h"
#include "formats/format.h"
#include "formats/registry.h"
#include "tools/reanima/system/console.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace {

bool canWrite(const Format& format) { return format.encode != nullptr || format.encodeImages != nullptr; }

void printTable() {
    std::string table = fmt::format("{:<20} {:<42} {}\n", "id", "format", "extensions");
    for (const Format* format : formats())
        table += fmt::format("{:<20} {:<42} {}{}\n", format->id, format->label, fmt::join(format->extensions, " "),
                             canWrite(*format) ? "" : " *");
    table += "\n* reanima only reads these; `reanima encode` writes all others\n\n";
    table += fmt::format("{:<20} {}\n", "id", "archive");
    for (const archives::ArchiveFormat& format : archives::archiveFormats())
        table += fmt::format("{:<20} {}\n", format.id, format.label);
    printData(table);
}

void printJson() {
    Json rows = Json::array();
    for (const Format* format : formats())
        rows.push_back({{"id", format->id},
                        {"name", format->label},
                        {"extensions", format->extensions},
                        {"reads", true},
                        {"writes", canWrite(*format)},
                        {"assimp", format->traits.isConverted}});
    printData(toText(rows));
}

void printWarnings() {
    std::string table;
    for (const core::Code code : core::allCodes())
        table += fmt::format("{:<18} {}\n", core::codeName(code), core::codeMeaning(code));
    printData(table);
}

}  // namespace

const Verb kFormats = {"formats",
                       "",
                       "lists the formats and archives",
                       "json warnings",
                       "  reanima formats\n"
                       "  reanima formats --json\n"
                       "  reanima formats --warnings        # codes for --warn",
                       [](Arguments& arguments, Console&) -> std::function<int()> {
                           struct Options {
                               bool json = false;
                               bool warnings = false;
                           };
                           const auto options = std::make_shared<Options>();
                           arguments.flag("--json", options->json, "print a list in JSON");
                           arguments.flag("--warnings", options->warnings, "print the codes of warnings, for --warn");
                           return [options] {
                               if (options->warnings)
                                   printWarnings();
                               else if (options->json)
                                   printJson();
                               else
                                   printTable();
                               return int{kDone};
                           };
                       }};

}  // namespace reanima::tool
