#include <fmt/format.h>

#include "importers/registry.h"
#include "tools/reanima/verbs.h"

namespace reanima::tool {

namespace {

void printTable() {
    std::string table = fmt::format("{:<22} {:<42} {:<18} {}\n", "id", "format", "extensions", "");
    for (const Format* format : formats())
        table += fmt::format("{:<22} {:<42} {:<18} {}\n", format->id, format->label,
                             fmt::format("{}", fmt::join(format->extensions, " ")),
                             format->encode != nullptr ? "reads, writes" : "reads");
    printData(table);
}

void printJson() {
    Json rows = Json::array();
    for (const Format* format : formats())
        rows.push_back({{"id", format->id},
                        {"name", format->label},
                        {"extensions", format->extensions},
                        {"reads", format->load != nullptr},
                        {"writes", format->encode != nullptr},
                        {"assimp", format->load != nullptr}});
    printData(toText(rows));
}

void printWarnings() {
    std::string table;
    for (const core::Code code : core::allCodes())
        table += fmt::format("{:<18} {}\n", core::codeName(code), core::codeMeaning(code));
    printData(table);
}

}  // namespace

void addFormats(CLI::App& app, Console&, int&) {
    struct Options {
        bool json = false;
        bool warnings = false;
    };
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("formats", "the table of formats");
    verb->add_flag("--json", options->json, "as JSON");
    verb->add_flag("--warnings", options->warnings, "the codes of warnings, for --warn");
    verb->footer("Example:\n  reanima formats --json");
    verb->callback([options] {
        if (options->warnings)
            printWarnings();
        else if (options->json)
            printJson();
        else
            printTable();
    });
}

}  // namespace reanima::tool
