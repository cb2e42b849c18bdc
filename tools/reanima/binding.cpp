#include "tools/reanima/binding.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/memory.h"
#include "core/resample.h"
#include "core/root_motion.h"
#include "gltf_export/gltf_skeleton.h"
#include "importers/load.h"
#include "tools/reanima/files.h"
#include "tools/reanima/platform.h"
#include "tools/reanima/rest.h"
#include "tools/reanima/rigs.h"

namespace reanima::tool {

namespace {

constexpr std::array<std::string_view, 3> kModes = {"world", "copy", "local"};
constexpr std::array<std::string_view, 4> kRootMotions = {"keep", "in-place", "drop", "extract"};

/// Reads the skeleton of a game's own file, with a rest pose.
void readNative(const Input& input, const InputOptions& options, Target& target) {
    requireKind(input, Kind::skeleton, "skeleton");
    const core::Limits limits = options.limits.holding(input.file.bytes.size());
    Context context{options.values, limits, target.diagnostics, {}};
    const Companions companions = withFoundCompanions(input, {});
    core::Asset asset = loadWithRest(input, companions, context);
    target.rig.skeleton = std::move(asset.skeletons.front());
    for (const auto& [role, companion] : companions)
        target.beside.push_back(companion.input.file);
}

}  // namespace

void addMotionOptions(Arguments& arguments, MotionOptions& options) {
    arguments.heading("Binding to another skeleton (-s RIG)");
    arguments.list("--map", options.maps, "FILE",
                   "which joint is which: JSON, or lines source,target; repeatable, later files win");
    arguments.choice(
        "--mode", kModes, [&options](const std::string& word) { options.mode = word; },
        "world: bones point as the source's do; copy: local values as they are; local: changes from the rest pose");
    arguments.text("--source-rest", options.sourceRest, "POSE",
                   "how the source stands where the rig rests: match (turned to the rig's rest pose), skeleton (its "
                   "own), zero, CLIP:FRAME or FILE[:CLIP:FRAME]; default: its own rest pose, else match");
    arguments.number(
        "--root-scale", 1e-9, 1e9, false, [&options](double scale) { options.rootScale = scale; }, "F",
        "lengths from the source to the rig; default: by the heights of their roots");
    arguments.flag("--keep-mesh", options.keepMesh,
                   "write into the rig's own .glb: meshes and materials stay; a weapon gets a node");
    arguments.heading("Motion");
    arguments.choice(
        "--root-motion", kRootMotions, [&options](const std::string& word) { options.rootMotion = word; },
        "in-place: no way over the ground; drop: the root stays at rest; extract: the way moves the whole");
    arguments.number(
        "--resample", 0.001, 1000, false, [&options](double rate) { options.resample = rate; }, "R",
        "keys a second, between the old ones along the arc");
    arguments.number(
        "--reduce", 1e-6, 1e6, false, [&options](double millimetres) { options.reduce = millimetres; }, "MM",
        "leave out keys as long as no joint is off by more than MM millimetres and the clip gets smaller");
    arguments.heading({});
}

std::string asText(const MotionOptions& options) {
    const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; };
    return fmt::format(";mode={};source-rest={};root-scale={};keep-mesh={};root-motion={};resample={};reduce={}",
                       options.mode, restWithoutFolder(options.sourceRest), number(options.rootScale), options.keepMesh,
                       options.rootMotion, number(options.resample), number(options.reduce));
}

gltf::GltfInput asGltfInput(const Target& target) {
    return {target.file.bytes, target.path, [&target](std::string_view name) -> std::optional<core::ByteVector> {
                for (const File& file : target.beside)
                    if (file.name == name)
                        return file.bytes;
                return std::nullopt;
            }};
}

namespace {

/// Reads the rig and all that it needs of its folder.
/// @throws core::DecodeError, also if all that together is above Limits::memory
void readGltf(core::Limits limits, bool withPictures, Target& target) {
    const gltf::GltfInput input = asGltfInput(target);
    limits.held += target.file.bytes.size();
    for (const std::string& name : gltf::filesBeside(input, limits, withPictures)) {
        std::optional<File> file = readSibling(fromUtf8(target.path).parent_path(), name, limits);
        if (!file)
            continue;
        limits.held += file->bytes.size();
        target.beside.push_back({name, std::move(file->bytes)});
    }
    target.rig = gltf::readRig(input, limits, target.diagnostics);
}

}  // namespace

bool isForeign(const Input& skeleton) { return findFormat(skeleton) == nullptr; }

Target readTarget(const InputOptions& options, Input input, bool keepMesh) {
    Target target;
    target.path = options.skeleton;
    target.isGltf = isGltf(input.file.bytes, input.file.name);
    if (!isForeign(input)) {
        if (options.noCompanion)  // parts of a glTF file are read in any case
            input.siblings = {};
        readNative(input, options, target);
    } else if (target.isGltf) {
        target.file = std::move(input.file);
        readGltf(options.limits, keepMesh, target);
        if (!keepMesh)
            target.file.bytes = {};
    } else {
        target.rig =
            readOtherRig(fromUtf8(target.path), std::move(input.file.bytes), options.limits, target.diagnostics);
    }
    return target;
}

JointMap mergedMap(const std::vector<File>& files, const std::vector<std::string>& paths) {
    JointMap map;
    for (std::size_t i = 0; i < files.size(); ++i) {
        try {
            JointMap each = parseJointMap(files[i].bytes);
            const std::filesystem::path folder = fromUtf8(paths[i]).parent_path();
            if (fileOfRest(each.sourceRest, folder))
                each.sourceRest = toUtf8(folder / fromUtf8(each.sourceRest));
            mergeInto(map, std::move(each));
        } catch (const core::DecodeError& error) {
            throw error.inFile(paths[i]);
        }
    }
    return map;
}

void refuseWithoutRig(const InputOptions& input, const MotionOptions& motion) {
    if (!input.skeleton.empty())
        return;
    const char* option = !motion.maps.empty()         ? "--map"
                         : !motion.mode.empty()       ? "--mode"
                         : !motion.sourceRest.empty() ? "--source-rest"
                         : motion.rootScale           ? "--root-scale"
                                                      : nullptr;
    if (option != nullptr)
        throw UsageError(fmt::format("{}: needs -s RIG: nothing is bound", option));
}

core::Asset bindTo(const Target& target, core::Asset asset, const MotionOptions& options, BindSettings settings,
                   const core::Limits& limits, BindReport& report, core::Diagnostics& diagnostics) {
    const JointMap& map = settings.map;
    settings.mode = bindModeNamed(!options.mode.empty() ? options.mode : map.mode).value_or(core::BindMode::world);
    settings.scale = options.rootScale ? options.rootScale : map.scale;
    settings.targetFile = target.path;
    const core::Skeleton& rig = target.rig.skeleton;
    const core::Skeleton& source = asset.skeletons.front();
    const core::Binding binding = planBinding(source, asset.clips, rig, settings, report, diagnostics);
    core::BoundMotion bound = core::bindClips(source, asset.clips, rig, binding, limits.holding(core::memoryOf(asset)));
    core::Asset result;
    result.skeletons.push_back(std::move(bound.skeleton));
    result.clips = std::move(bound.clips);
    return result;
}

std::string ClipsReduction::toLine() const {
    const std::string place =
        worstJoint.empty() ? "" : fmt::format(" ({} of {} at {:.3g} s)", worstJoint, worstClip, where.time);
    return fmt::format("{} of {} keys kept; off by {:.3g} mm at most{}, {:.3g} mm on average", keysAfter, keysBefore,
                       worst * 1000, place, mean * 1000);
}

std::optional<ClipsReduction> changeMotion(core::Asset& asset, const MotionOptions& options, const core::Limits& limits,
                                           const JointMap& map) {
    if (asset.skeletons.empty() || asset.clips.empty())
        return std::nullopt;
    const core::Skeleton& skeleton = asset.skeletons.front();
    const std::string& rootWord = !options.rootMotion.empty() ? options.rootMotion : map.rootMotion;
    const core::RootMotion root = core::rootMotionNamed(rootWord).value_or(core::RootMotion::keep);
    ClipsReduction total;
    double frames = 0;
    if (options.resample)
        core::resample(asset.clips, *options.resample, limits);
    for (core::Clip& clip : asset.clips)
        core::applyRootMotion(skeleton, clip, root);
    if (!options.reduce)
        return std::nullopt;
    const std::vector<core::Reduction> reductions =
        core::reduceWhereSmaller(skeleton, asset.clips, *options.reduce / 1000);
    for (std::size_t i = 0; i < reductions.size(); ++i) {
        const core::Clip& clip = asset.clips[i];
        const core::Reduction& reduction = reductions[i];
        total.keysBefore += reduction.keysBefore;
        total.keysAfter += reduction.keysAfter;
        if (reduction.worst > total.worst) {
            total.worst = reduction.worst;
            total.where = reduction.where;
            total.worstClip = clip.name;
            total.worstJoint = skeleton.joints[reduction.where.joint].name;
        }
        total.mean += reduction.mean * clip.frames;
        frames += clip.frames;
    }
    total.mean /= std::max(frames, 1.0);
    return total;
}

}  // namespace reanima::tool
