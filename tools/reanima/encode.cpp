#include <fmt/format.h>

#include "importers/load.h"
#include "importers/registry.h"
#include "tools/reanima/files.h"
#include "tools/reanima/options.h"
#include "tools/reanima/platform.h"
#include "tools/reanima/verbs.h"

namespace reanima::tool {

namespace {

struct EncodeOptions {
    std::string input;
    std::string output;
    std::string format;
    bool force = false;
    core::Limits limits;
};

int encode(const EncodeOptions& options, const Console& console) {
    const File file = readFile(fromUtf8(options.input), options.limits);
    checkOutputs({fromUtf8(options.output)}, {fromUtf8(options.input)}, options.force);
    core::Diagnostics diagnostics;
    diagnostics.setFile(options.input);
    const OptionValues none;
    Context context{none, options.limits, diagnostics};
    try {
        const Json json = parseJson(file.bytes);
        const JsonReader reader(json);
        const std::string id = options.format.empty() ? reader.at("format").text() : options.format;
        const Format* format = formatNamed(id);
        if (format == nullptr || format->encode == nullptr)
            throw core::DecodeError({"format", std::nullopt}, fmt::format("is \"{}\", which can't be written", id));
        const core::ByteVector bytes = format->encode(reader, context);
        console.print(diagnostics);
        if (console.policy.fails(diagnostics))
            return kInputFailed;
        writeOutput(fromUtf8(options.output), bytes);
        console.say(fmt::format("wrote {}: {} bytes, {}", options.output, bytes.size(), format->label));
    } catch (const core::DecodeError& error) {
        throw error.inFile(options.input);
    }
    return kDone;
}

}  // namespace

void addEncode(CLI::App& app, Console& console, int& status) {
    const auto options = std::make_shared<EncodeOptions>();
    CLI::App* verb = app.add_subcommand("encode", "JSON of `dump`, edited or not, into the game's format");
    verb->add_option("INPUT", options->input, "the JSON")->required();
    verb->add_option("-o,--output", options->output, "the file to write")->required()->type_name("OUT");
    verb->add_option("--format", options->format, "format to write, instead of the one that the JSON names")
        ->type_name("ID");
    verb->add_flag("--force", options->force, "replace an output that exists");
    addConsoleOptions(*verb, console);
    verb->footer("Example:\n  reanima dump rtda -o rtda.json\n  reanima encode rtda.json -o new/rtda");
    verb->callback([options, &console, &status] { status = encode(*options, console); });
}

}  // namespace reanima::tool
