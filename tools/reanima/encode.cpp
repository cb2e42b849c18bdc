#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

const Verb kEncode = {"encode", "JSON of `dump`, edited or not, into the game's format",
                      "  reanima dump rtda -o rtda.json\n  reanima encode rtda.json -o new/rtda",
                      [](Arguments& arguments, Console& console) -> std::function<int()> {
                          const auto options = std::make_shared<EncodeOptions>();
                          arguments.requiredText("INPUT", options->input, "", "the JSON");
                          arguments.requiredText("-o,--output", options->output, "OUT", "the file to write");
                          arguments.text("--format", options->format, "ID",
                                         "format to write, instead of the one that the JSON names");
                          arguments.flag("--force", options->force, "replace an output that exists");
                          addConsoleOptions(arguments, console);
                          return [options, &console] { return encode(*options, console); };
                      }};

}  // namespace reanima::tool
