#include "tools/reanima/verbs/encode_into.h"

#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "formats/load.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_motion.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

/// What decides how a file becomes clips and joints, if it did so when the scene was made.
constexpr std::array<std::string_view, 6> kAsConverted = {"rate", "scale", "joints", "names-by", "game", "model"};

core::MovingScene readEdited(const std::string& path, const core::Limits& limits, core::Diagnostics& diagnostics) {
    const File file = commandFiles()->read(path, limits);
    if (!gltf::isGltf(file.bytes, path))
        throw core::DecodeError("is no .glb or .gltf: export one, and name that").inFile(path);
    return gltf::readMotion({file.bytes, path, core::Siblings(commandFiles(), path, limits)}, limits, diagnostics);
}

std::set<std::uint32_t> framesOf(const core::ClipEdit& edit) {
    std::set<std::uint32_t> frames;
    for (const core::JointEdit& joint : edit.joints) {
        for (const core::RotationEdit& turned : joint.rotations)
            frames.insert(turned.frame);
        for (const core::TranslationEdit& moved : joint.translations)
            frames.insert(moved.frame);
    }
    return frames;
}

std::string counted(std::size_t number, const char* what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

/// `run: 2 joints in 3 frames; bone003 by 20.0 degrees in frame 4; 40 frames instead of 30`
std::string lineOf(const core::ClipEdit& edit, const core::Asset& original) {
    const core::Clip& clip = original.clips[edit.clip];
    if (edit.use == core::EditUse::adds)
        return fmt::format("{}: added, {}", edit.name, counted(edit.frames, "frame"));
    const auto jointName = [&original](std::uint32_t joint) { return original.skeleton->joints[joint].name; };
    std::vector<std::string> parts;
    if (!edit.joints.empty())
        parts.push_back(counted(edit.joints.size(), "joint") + " in " + counted(framesOf(edit).size(), "frame"));
    if (edit.turned.value > 0)
        parts.push_back(fmt::format("{} by {:.1f} degrees in frame {}", jointName(edit.turned.joint), edit.turned.value,
                                    edit.turned.frame));
    if (edit.moved.value > 0)
        parts.push_back(fmt::format("{} by {:.1f} mm in frame {}", jointName(edit.moved.joint), 1000 * edit.moved.value,
                                    edit.moved.frame));
    if (edit.frames != clip.frames)
        parts.push_back(fmt::format("{} instead of {}", counted(edit.frames, "frame"), clip.frames));
    if (edit.use == core::EditUse::replaces)
        parts.insert(parts.begin(), fmt::format("replaced by {}", edit.name));
    return fmt::format("{}: {}", clip.name, fmt::join(parts, "; "));
}

Json largestToJson(const core::LargestEdit& largest, const core::Asset& original, const char* unit, double factor) {
    if (largest.value == 0)
        return nullptr;
    return {{"joint", original.skeleton->joints[largest.joint].name},
            {"frame", largest.frame},
            {unit, largest.value * factor}};
}

Json reportOf(const EncodedAsset& encoded) {
    Json clips = Json::array();
    for (const core::ClipEdit& edit : encoded.found.clips) {
        const core::Clip& clip = encoded.original.clips[edit.clip];
        const bool isAdded = edit.use == core::EditUse::adds;
        clips.push_back({{"name", isAdded ? Json(nullptr) : Json(clip.name)},
                         {"edited_name", edit.name},
                         {"status", isAdded                      ? "added"
                                    : edit.isEdited(clip.frames) ? "written"
                                                                 : "kept"},
                         {"frames_before", isAdded ? 0 : clip.frames},
                         {"frames", edit.frames},
                         {"joints", edit.joints.size()},
                         {"turned", largestToJson(edit.turned, encoded.original, "degrees", 1)},
                         {"moved", largestToJson(edit.moved, encoded.original, "millimetres", 1000)}});
    }
    for (const std::size_t clip : encoded.found.missing)
        clips.push_back({{"name", encoded.original.clips[clip].name},
                         {"edited_name", nullptr},
                         {"status", "kept"},
                         {"frames_before", encoded.original.clips[clip].frames},
                         {"frames", encoded.original.clips[clip].frames},
                         {"joints", 0},
                         {"turned", nullptr},
                         {"moved", nullptr}});
    return {{"schema", 1}, {"clips", clips}, {"losses", encoded.losses}};
}

/// @return `1 clip changed, 3 as before`
std::string say(const EncodedAsset& encoded, const std::string& edited, const Console& console) {
    std::size_t changed = 0;
    std::size_t added = 0;
    for (const core::ClipEdit& edit : encoded.found.clips)
        if (edit.isEdited(encoded.original.clips[edit.clip].frames)) {
            ++(edit.use == core::EditUse::adds ? added : changed);
            console.say(lineOf(edit, encoded.original));
        }
    for (const std::string& loss : encoded.losses)
        console.say("left out: " + loss);
    if (const std::size_t missing = encoded.found.missing.size())
        console.say(fmt::format("kept as {}: {} that {} has not", missing == 1 ? "it is" : "they are",
                                counted(missing, "clip"), edited));
    return fmt::format("{} changed, {}{} as before", counted(changed, "clip"),
                       added > 0 ? fmt::format("{} added, ", added) : "", encoded.original.clips.size() - changed);
}

/// encodeAsset(); an error about clips that the original has not names both ways to put them there.
EncodedAsset encoded(const core::MovingScene& scene, const EncodeIntoOptions& options, const Input& original,
                     const Companions& given, Context& context) {
    try {
        return encodeAsset(scene, options.edited, original, given, options.settings, context);
    } catch (const core::DecodeError& error) {
        if (error.hint().key != "at" || error.field() != "animations")
            throw;
        throw core::DecodeError(error.place(), error.problem(), error.kind())
            .withHint({"at", "N or --append"})
            .inFile(error.file());
    }
}

}  // namespace

void addEncodeIntoOptions(Arguments& arguments, EncodeIntoOptions& options) {
    arguments.heading("Back into the game");
    arguments.text(
        "--into", options.original, "FILE",
        "the game's file that INPUT, a .glb or .gltf, was made from: what was changed is written into it, all "
        "else keeps its bytes; without -o the changes are listed");
    arguments.text("-s,--skeleton", options.input.skeleton, "FILE", "with --into, the game's skeleton");
    core::EditSearch& search = options.settings.search;
    arguments.list("--clip", search.clips, "NAME", "with --into, look at this clip of INPUT alone; repeatable");
    constexpr double kMostIndex = 65535;
    arguments.count(
        "--at", 0, kMostIndex, [&search](double index) { search.at = static_cast<std::uint32_t>(index); }, "N",
        "with --into, the clip that FILE has not replaces that of this index; with --clip, the one that is named");
    arguments.flag("--append", search.append,
                   "with --into, clips that FILE has not are added after its own; with --clip, those that are named");
    arguments.text("--joint-root", search.jointRoot, "NAME",
                   "with --into, joints are this node of INPUT and those below it, of an INPUT that holds several "
                   "skeletons");
    arguments.flag("--all-changed", options.settings.allChanged,
                   "with --into, write even if most joints of all clips differ");
    arguments.flag("--allow-loss", options.settings.allowLoss, "with --into, leave out what the format can't hold");
    arguments.text("--report", options.report, "OUT", "with --into, write what was kept and changed as JSON");
    addFormatOptions(arguments, kAsConverted, options.input.values);
}

int encodeInto(const EncodeIntoOptions& options, const Console& console) {
    const std::string& edited = options.edited;
    const std::string& output = options.output;
    if (options.settings.search.at && options.settings.search.append)
        throw UsageError("--at and --append: a clip is put in one place");
    InputOptions().requireInput(edited);
    InputOptions().requireInput(options.original);
    const Companions given = options.input.givenWithoutRig();
    const Input original = options.input.read(options.original);
    std::vector<std::filesystem::path> outputs;
    for (const std::string& path : {output, options.report})
        if (!path.empty())
            outputs.push_back(fromUtf8(path));
    refuseClashes(outputs, {fromUtf8(edited), fromUtf8(options.original)});
    if (!options.force)
        refuseExisting(outputs);
    core::Diagnostics diagnostics;
    const core::Limits limits = options.input.limits.holding(original.file.bytes.size());
    const core::MovingScene scene = readEdited(edited, limits, diagnostics);
    Context context{options.input.values, limits, diagnostics};
    const EncodedAsset result = encoded(scene, options, original, given, context);
    console.print(diagnostics);
    if (console.policy.fails(diagnostics))
        return kInputFailed;
    const std::string sum = say(result, edited, console);
    if (!options.report.empty())
        writeOutput(fromUtf8(options.report), toText(reportOf(result)));
    if (output.empty()) {
        console.say(sum + "; nothing is written without -o");
        return kDone;
    }
    writeOutput(fromUtf8(output), result.bytes);
    console.say(fmt::format("wrote {}: {} bytes, {}", output, result.bytes.size(), sum));
    return kDone;
}

}  // namespace reanima::tool
