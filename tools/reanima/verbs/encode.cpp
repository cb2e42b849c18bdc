#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/fraction.h"
#include "formats/common_options.h"
#include "formats/foreign_files.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/registry.h"
#include "pipeline/foreign_motion.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/front/rigs.h"
#include "tools/reanima/jobs/video_folder.h"
#include "tools/reanima/jobs/video_output.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/encode_into.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

struct EncodeOptions {
    std::vector<std::string> inputs;
    std::string input;  ///< the first input; the only one unless archives are written
    std::string output;
    std::string format;
    bool force = false;
    OptionValues values;
    core::Limits limits;
    EncodeMotionOptions into;
};

/// True for a folder of PNGs, or the frames.json that describes them.
bool isVideo(const fs::path& input) { return isFolder(input) || input.filename() == "frames.json"; }

const Format& formatToWrite(const EncodeOptions& options) {
    if (!options.format.empty())
        return *InputOptions::formatFor(options.format);
    const std::string extension = extensionOf(options.output);
    for (const Format* format : formats())
        if (format->encodeImages != nullptr &&
            std::find(format->extensions.begin(), format->extensions.end(), extension) != format->extensions.end())
            return *format;
    if (isVideoForPlayers(fromUtf8(options.output)))
        throw UsageError(fmt::format(
            "-o {0}: reanima can't write such videos. Use ffmpeg: `reanima frames VIDEO -o {0}` prints the command",
            options.output));
    throw UsageError(fmt::format("encode {}: name the format of the video with --format", options.input));
}

/// True for a scene that becomes new files. Files that JSON describes need no skeleton.
bool isScene(const EncodeOptions& options) {
    const std::string extension = extensionOf(options.input);
    return extension == "glb" || extension == "gltf" || (extension != "json" && !options.into.input.skeleton.empty());
}

/// Writes motion into a file of the game, or into a new one.
int encodeMotion(const EncodeOptions& options, const Console& console) {
    EncodeMotionOptions motion = options.into;
    motion.input.limits = options.limits;
    motion.input.format = options.format;
    motion.edited = options.inputs;
    motion.output = options.output;
    motion.force = options.force;
    if (!motion.originals.empty())
        return encodeInto(motion, console);
    for (const auto& option : options.values.all())
        std::visit([&](const auto& value) { motion.input.values.set(option.first, value); }, option.second);
    return encodeNew(motion, console);
}

void refuseMore(const EncodeOptions& options) {
    if (options.inputs.size() > 1)
        throw UsageError(fmt::format(
            "encode: {}: unexpected argument. Several inputs can only be written into an archive, with --into",
            options.inputs[1]));
}

/// @return the format of the written file
const Format& encodePictures(const EncodeOptions& options, Context& context, core::ByteVector& bytes) {
    const Format& format = formatToWrite(options);
    if (format.encodeImages == nullptr)
        throw UsageError(fmt::format("--format {}: is not a format of videos", format.id));
    refuseOthersName(options.output, {});
    std::optional<core::Fraction> rate;
    if (const auto asked = options.into.input.values.number(kRateOption.key))
        rate = core::fractionOf(*asked);
    bytes = format.encodeImages(readVideoFolder(fromUtf8(options.input), rate, options.limits, context.diagnostics),
                                context);
    return format;
}

/// @throws UsageError with advice for other files that this program reads
void refuseOtherFiles(const EncodeOptions& options, const File& file) {
    if (file.bytes.empty() || beginsLikeJson(file.bytes))
        return;
    Input input(file);
    if (const Format* known = findFormat(input))
        throw UsageError(fmt::format("encode {}: is already {}. To edit it, make its JSON with `reanima dump`",
                                     options.input, known->label));
    asSource(input, readOtherMotion);
    const auto foreign = foreignFile(core::Bytes(file.bytes).first(std::min(file.bytes.size(), kForeignHead)));
    if (input.format == nullptr && foreign)
        throw UsageError(
            fmt::format("encode {}: is {}; expected the JSON of `reanima dump`, a folder of frames or its "
                        "frames.json",
                        options.input, foreign->label));
    if (input.format != nullptr)
        throw UsageError(fmt::format(
            "encode {}: is motion from another program. Add --into FILE --at N to replace clip N of the game file FILE",
            options.input));
}

const Format& encodeJson(const EncodeOptions& options, Context& context, core::ByteVector& bytes) {
    const File file = commandFiles()->read(options.input, options.limits);
    refuseOtherFiles(options, file);
    const Json json = parseJson(file.bytes);
    AskedNames asked;
    for (const char* ofAll : {"format", "warnings"})
        asked.add(ofAll);
    const JsonReader reader(json, asked);
    if (reader.has("schema") && reader.at("schema").integer<std::int64_t>() != 1)
        reader.at("schema").fail("1");
    const std::string_view id = options.format.empty() ? reader.at("format").text() : options.format;
    const Format* format = formatNamed(id);
    if (format == nullptr || format->encode == nullptr)
        throw core::DecodeError({"format", std::nullopt},
                                fmt::format("is \"{}\": this format can't be written from JSON", id));
    bytes = format->encode(reader, context);
    asked.warnOfOthers(json, context.diagnostics);
    return *format;
}

/// Refuses options for new animations: they have no effect on JSON, pictures and edited files.
void refuseOptionsOfNewAnimations(const EncodeOptions& options) {
    for (const Format* format : formats())
        for (const OptionInfo& option : format->options)
            if (format->still != nullptr && option.use == OptionInfo::Use::writing && options.values.has(option.key))
                throw UsageError(fmt::format(
                    "--{}: applies only to new animations (a .glb with --format ID and -s SKELETON)", option.key));
}

int encode(EncodeOptions& options, const Console& console) {
    options.input = options.inputs.front();
    const bool isNew = options.into.originals.empty() && isScene(options);
    if (!isNew)
        refuseOptionsOfNewAnimations(options);
    if (!options.into.originals.empty())
        return encodeMotion(options, console);
    refuseMore(options);
    if (options.output.empty()) {  // reported like a missing required argument
        console.error("encode: name the output with -o OUT");
        console.say("`reanima encode -h` shows how it is used.");
        return kUsage;
    }
    if (!isNew && !core::exists(fromUtf8(options.input)) && InputOptions().files->namesEntry(options.input))
        throw UsageError(fmt::format(
            "encode {}: is an entry of an archive; expected the JSON of `reanima dump`, a folder of frames, "
            "its frames.json, or (with --into) motion",
            options.input));
    const fs::path input = fromUtf8(options.input);
    if (!isVideo(input))
        refuseOthersName(options.output, {});
    if (isNew) {
        InputOptions().requireInput(options.input);
        return encodeMotion(options, console);
    }
    refuseTerminal(options.output, "the game's formats are");
    refuseClashes({fromUtf8(options.output)}, {input});
    if (!isFolder(input))
        InputOptions().requireInput(options.input);
    if (!options.force)
        refuseExisting({fromUtf8(options.output)});
    core::Diagnostics diagnostics;
    const auto about = diagnostics.about(options.input);
    Context context{options.values, options.limits, diagnostics};
    return core::inFile(options.input, [&] {
        core::ByteVector bytes;
        const Format& format =
            isVideo(input) ? encodePictures(options, context, bytes) : encodeJson(options, context, bytes);
        console.print(diagnostics);
        if (console.policy.fails(diagnostics))
            return kInputFailed;
        writeOutput(fromUtf8(options.output), bytes);
        console.say(fmt::format("wrote {}: {} bytes, {}", options.output, bytes.size(), format.label));
        if (!isPart(format) && options.output != kStandardStream)
            sayHowToLook(options.output, &format, "SKELETON", console);
        return kDone;
    });
}

}  // namespace

const Verb kEncode = {
    "encode",
    "INPUT... [--into FILE] [-o OUT]",
    "writes game files from the JSON of `dump`, the frames of a video, a .glb, or any motion",
    "output force into at append skeleton clip format report",
    "  reanima encode hero.glb --into rtda -o new/rtda  # changed in Blender\n"
    "  reanima encode a.glb --format metroid-anim -s a.CINF -o new/  # a new file\n"
    "  reanima encode rtda.json -o new/rtda             # from `reanima dump`\n"
    "  reanima encode intro/ -o new/intro.rlf           # from `reanima frames`",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<EncodeOptions>();
        arguments.requiredList("INPUT", options->inputs, "",
                               "a .glb, a motion file (.bvh, .vrma, .fbx, ...), JSON of `dump`, a folder of PNGs, or "
                               "its frames.json. A .glb needs --into or --format. A motion file needs --into and also "
                               "--at or --append. Several .glb files can only be written into an archive");
        arguments.text("-o,--output", options->output, "OUT", "the file to write");
        arguments.text(
            "--format", options->format, "ID",
            "format to write. Default: the format named in the JSON. Required to make a new file from a .glb");
        arguments.flag("--force", options->force, "replace an output that exists");
        addFormatOptions(arguments, OptionInfo::Use::writing, options->values);
        addMotionOptions(arguments, options->into);
        addLimits(arguments, options->limits);
        addConsoleOptions(arguments, console);
        return [options, &console] { return encode(*options, console); };
    }};

}  // namespace reanima::tool
