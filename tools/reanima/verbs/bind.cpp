#include <fmt/format.h>

#include "core/text.h"
#include "pictures/canvas.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/front/output_form.h"
#include "tools/reanima/jobs/job_advice.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/convert.h"
#include "tools/reanima/verbs/mapping_picture.h"
#include "tools/reanima/verbs/sides.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

struct BindOptions {
    ConversionOptions conversion;
    std::string file;
    std::string output;
    bool suggest = false;
    bool force = false;
};

// ---------------------------------------------------------------------------------------------------------------------
// A mapping

/// The command that uses the mapping.
std::string nextCommand(const BindOptions& options) {
    const ConversionOptions& conversion = options.conversion;
    std::string more;
    const auto add = [&more](std::string_view option, const std::string& value) {
        if (!value.empty())
            more += fmt::format(" --{} {}", option, asWord(value));
    };
    add("source-skeleton", conversion.input.sourceSkeleton);
    add("format", conversion.input.format);
    for (const std::string& model : conversion.models)
        add("model", model);
    if (const auto names = conversion.settings.find("names"); names != conversion.settings.end())
        for (const std::string& file : names->second)
            add("names", file);
    return fmt::format("reanima convert {} -s {}{} --map {}", asWord(options.file), asWord(conversion.input.skeleton),
                       more, asWord(options.output));
}

int suggest(const BindOptions& options, const Console& console) {
    if (options.output.empty())
        throw UsageError("bind: --suggest needs -o MAP.json");
    const fs::path output = fromUtf8(options.output);
    if (output == kStandardStream)
        throw UsageError("-o -: an image is written beside the mapping, so a file name is needed. Use -o MAP.json");
    if (formOf(output).holdsMotion())
        throw UsageError(fmt::format("-o {}: --suggest writes a mapping, expected MAP.json", options.output));
    std::vector<fs::path> outputs = {output};
    if constexpr (pictures::kCanDraw)
        outputs.push_back(fs::path(output).replace_extension(".png"));
    refuseClashes(outputs, {fileOf(fromUtf8(options.file)), fileOf(fromUtf8(options.conversion.input.skeleton))});
    const Sides sides(options.conversion, options.file, console);
    if (!options.force)
        refuseExisting(outputs);
    refuseClashes(outputs, sides.files());
    core::Diagnostics doubts;
    const SuggestedLinks suggested = sides.suggested(doubts);
    std::string picture = "this build can't draw images";
    core::ByteVector drawn;
    if constexpr (pictures::kCanDraw) {
        drawn = pictureOf(sides, suggested, doubts);
        picture = fmt::format("an image of the mapping is {}", toUtf8(outputs.back()));
    }
    printOrFail(doubts, options.file, console);
    if constexpr (pictures::kCanDraw)
        writeOutput(outputs.back(), drawn);
    writeOutput(output, suggested.json);
    console.say(fmt::format("wrote {}: {} of {} joints of the rig are mapped; {}. Edit the mapping, then run {}",
                            options.output, suggested.links.size(), sides.rig().joints.size(), picture,
                            nextCommand(options)));
    return kDone;
}

// ---------------------------------------------------------------------------------------------------------------------
// The verb

/// Prints which joint follows which. If a mapping is needed, the error suggests how to make one.
int printTable(const BindOptions& options, const Console& console) {
    const Sides sides(options.conversion, options.file, console);
    core::Diagnostics diagnostics;
    try {
        const FinishedAsset bound = sides.bound([](Settings&) {}, diagnostics);
        printOrFail(diagnostics, options.file, console);
        printData(bound.report.binding->toTable());
        return kDone;
    } catch (const core::DecodeError& error) {
        if (error.hint().key != "map" || error.kind() == core::DecodeError::Kind::option)
            throw;
        const InputOptions& input = options.conversion.input;
        throw core::DecodeError({}, error.message(flagWording) + suggestionFor(options.file, "", input.skeleton, input),
                                error.kind());
    }
}

int bind(const BindOptions& options, const Console& console) {
    if (options.conversion.input.skeleton.empty())
        throw UsageError("bind: name the rig with -s");
    const bool isMapping = lowerCase(toUtf8(fromUtf8(options.output).extension())) == ".json";
    if (options.suggest || isMapping)
        return suggest(options, console);
    if (options.output.empty())
        return printTable(options, console);
    const bool isDevice = core::exists(fromUtf8(options.output)) && !isFile(fromUtf8(options.output));
    if (!formOf(fromUtf8(options.output)).holdsMotion() && !isDevice && options.output != kStandardStream &&
        !namesFolder(options.output))
        throw UsageError(fmt::format("-o {}: expected X.glb or another output of convert, or MAP.json for a mapping",
                                     options.output));
    return convertOne({options.file, options.output, options.conversion, options.force}, console);
}

}  // namespace

const Verb kBind = {
    "bind",
    "INPUT -s RIG [-o OUT]",
    "shows which joint of a rig follows which joint of the source, or writes an editable mapping or the bound clips",
    "skeleton output suggest map force mode source-rest root-motion grip clip",
    "  reanima bind rtda -s hero.glb                   # which joint follows which\n"
    "  reanima bind rtda -s hero.glb -o hero.map.json  # a mapping, with an image\n"
    "  reanima bind rtda -s hero.glb -o moving.glb     # the bound clips",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<BindOptions>();
        arguments.requiredText("INPUT", options->file, "", "animations, or a skeleton");
        arguments.text("-o,--output", options->output, "OUT",
                       "X.glb or X.gltf for the bound animations, or MAP.json for a mapping with an image beside it. "
                       "Without -o, a table of joints is printed");
        arguments.flag("--suggest", options->suggest,
                       "write a suggested mapping. It is based on the roles of the joints. If these are unknown, it is "
                       "based on names, hierarchy and proportions. -o MAP.json implies --suggest");
        arguments.flag("--force", options->force, "replace outputs that exist");
        addConversionOptions(arguments, options->conversion);
        addConsoleOptions(arguments, console);
        return [options, &console] { return bind(*options, console); };
    }};

}  // namespace reanima::tool
