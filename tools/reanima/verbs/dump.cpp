#include "formats/dump.h"

#include <nlohmann/json.hpp>

#include "formats/load.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace {

struct DumpOptions {
    InputOptions input;
    std::string file;
    std::string output = "-";
    bool force = false;
};

int dump(const DumpOptions& options, const Console& console) {
    const Companions given = options.input.givenWithoutRig();
    const Input input = options.input.read(options.file);
    const Companions companions = withFoundCompanions(input, given);
    refuseClashes({fromUtf8(options.output)}, pathsOf(input, companions));
    if (!options.force)
        refuseExisting({fromUtf8(options.output)});
    core::Diagnostics diagnostics;
    Context context{options.input.values, options.input.limits.holding(input.file.bytes.size()), diagnostics};
    const Json json = dump(input, companions, context);
    console.print(diagnostics);
    const std::string text = toText(json);
    writeOutput(fromUtf8(options.output), text);
    return console.policy.fails(diagnostics) ? kInputFailed : kDone;
}

}  // namespace

const Verb kDump = {"dump",
                    "FILE [-o OUT]",
                    "writes every stored value of a file as JSON",
                    "output force format skeleton",
                    "  reanima dump rtda -o rtda.json\n"
                    "  reanima dump battle.lgp:rtda | less",
                    [](Arguments& arguments, Console& console) -> std::function<int()> {
                        const auto options = std::make_shared<DumpOptions>();
                        arguments.requiredText("FILE", options->file, "", "the file");
                        arguments.text("-o,--output", options->output, "OUT",
                                       "where to write the JSON. Default: standard output");
                        arguments.flag("--force", options->force, "replace an output that exists");
                        addInputOptions(arguments, options->input);
                        addConsoleOptions(arguments, console);
                        return [options, &console] { return dump(*options, console); };
                    }};

}  // namespace reanima::tool
