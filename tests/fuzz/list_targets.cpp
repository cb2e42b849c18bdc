/// Files that people write beside the games' files: mappings, job files, lists of names.

#include <algorithm>

#include "binding/bind_plan.h"
#include "binding/motion/bind.h"
#include "binding/motion/source_rest.h"
#include "binding/roles/joint_map.h"
#include "core/root_motion.h"
#include "core/validate.h"
#include "formats/common_options.h"
#include "formats/naming.h"
#include "formats/registry.h"
#include "fuzz/targets.h"
#include "pipeline/job.h"

namespace reanima::fuzz {

namespace {

struct JointInfo {
    const char* name;
    int parent;
    glm::vec3 offset;
};

core::Skeleton skeletonOf(const char* name, std::initializer_list<JointInfo> joints) {
    core::Skeleton skeleton;
    skeleton.name = name;
    skeleton.hasRest = true;
    std::uint32_t id = 0;
    for (const JointInfo& info : joints) {
        core::Joint& joint = skeleton.joints.emplace_back();
        joint.name = info.name;
        joint.parent = info.parent;
        joint.rest.translation = info.offset;
        joint.end = glm::vec3(0, 0.5F, 0);
        joint.id = id++;
    }
    return skeleton;
}

/// A body of few joints with an object in its hand, and a clip in which everything moves.
core::Asset smallAsset() {
    core::Asset asset;
    asset.skeleton.emplace(skeletonOf("source", {{"root", core::kNoParent, {0, 1, 0}},
                                                 {"bone000", 0, {0, 0.5F, 0}},
                                                 {"bone001", 1, {0.5F, 0, 0}},
                                                 {"head", 1, {0, 0.5F, 0}},
                                                 {"weapon000", core::kNoParent, {0.5F, 1.5F, 0}}}));
    for (const std::uint32_t index : {0U, 1U}) {
        core::Clip& clip = asset.clips.emplace_back();
        clip.name = index == 0 ? "walk" : "run";
        clip.source = "source";
        clip.index = clip.id = index;
        clip.frames = 2;
        clip.rate = clip.duration = 1;
        clip.timelines = {{0, 1}};
        for (const std::uint32_t joint : {0U, 2U, 4U}) {
            core::JointTrack& track = clip.tracks.emplace_back();
            track.joint = joint;
            track.rotation.values = {glm::quat(1, 0, 0, 0), glm::quat(0.6F, 0.8F, 0, 0)};
            if (joint != 2)
                track.translation.values = {glm::vec3(0, 1, 0), glm::vec3(0, 1, 1)};
        }
    }
    return asset;
}

core::Skeleton smallRig() {
    return skeletonOf("rig", {{"hips", core::kNoParent, {0, 2, 0}},
                              {"spine", 0, {0, 1, 0}},
                              {"upper_arm.L", 1, {0, 1, 0}},
                              {"Head", 1, {0, 1, 0}},
                              {"hand.L", 2, {1, 0, 0}}});
}

/// A mapping is rejected, or gives a valid asset on the rig.
void checkJointMap(core::Bytes text) {
    static const core::Asset kSource = smallAsset();
    static const core::Skeleton kRig = smallRig();
    static const std::vector<std::string> kOldNames = {"bone000", "bone001", "bone002"};
    core::Diagnostics diagnostics;
    try {
        BindSettings settings;
        settings.map = parseJointMap(text);
        mergeInto(settings.map, parseJointMap(text));
        settings.map = withCurrentNames(std::move(settings.map), *kSource.skeleton, kOldNames, kRig);
        settings.mode = settings.map.mode.value_or(motion::BindMode::world);
        settings.scale = settings.map.scale;
        settings.matchRest = settings.map.sourceRest != "skeleton";
        const core::Skeleton& source = *kSource.skeleton;
        const BindPlan plan = planBinding(source, kSource.clips, kRig, settings, diagnostics);
        motion::BoundMotion bound = motion::bindClips(source, kSource.clips, kRig, plan.binding);
        const auto root = settings.map.rootMotion.value_or(core::RootMotion::keep);
        for (core::Clip& clip : bound.clips)
            core::applyRootMotion(bound.skeleton, clip, root);
        for (const auto shown : {BindReport::Shown::all, BindReport::Shown::apart})
            (void)plan.report.toTable(shown);
        const std::vector<std::string> broken = core::validate(bound.skeleton, bound.clips);
        require(broken.empty(), broken.empty() ? "" : broken.front().c_str());
    } catch (const core::DecodeError&) {  // rejected
    }
}

/// Options of a job are options of hosts. They are rejected, or set to an allowed value.
void checkJob(core::Bytes text) {
    static const std::vector<OptionInfo> kOptions = [] {
        std::vector<OptionInfo> options = formatOptions();
        options.push_back(kLimitSamplesOption);
        options.push_back(kLimitMemoryOption);
        return options;
    }();
    try {
        for (const JobFile& job : parseJobFile(text)) {
            OptionValues values;
            for (const JobFile::Argument& argument : job.options) {
                const auto option = std::ranges::find(kOptions, argument.key, &OptionInfo::key);
                if (option == kOptions.end() || setOption(values, *option, argument.value.value_or("1")))
                    continue;
                const std::optional<double> number = values.number(option->key);
                require(!number || (*number >= option->minimum && *number <= option->maximum),
                        "an option out of range");
            }
            (void)limitsFrom(values);
        }
    } catch (const core::DecodeError&) {  // rejected
    }
}

/// With any given names, the asset stays valid. The names are also used as selections and as templates.
void checkNames(core::Bytes text) {
    static const core::Asset kSource = smallAsset();
    core::Diagnostics diagnostics;
    try {
        const Names names = parseNames({reinterpret_cast<const char*>(text.data()), text.size()});  // NOLINT: text
        core::Asset asset = kSource;
        (void)applyNames(asset, names, diagnostics);
        require(core::validate(asset).empty(), "the names break the asset");
        for (const auto& [selection, name] : names.clips) {
            core::Asset few = kSource;
            const bool unused = !keepClips(few, {selection}).empty();
            require(few.clips.empty() == unused, "a selection keeps clips and is unused");
        }
        for (const auto& [index, pattern] : names.clips) {
            applyTemplate(asset, pattern, diagnostics);
            require(core::validate(asset).empty(), "the template breaks the asset");
        }
    } catch (const core::DecodeError&) {  // rejected
    }
}

}  // namespace

std::vector<Target> listTargets() {
    return {{"joint-map", Mutation::json, checkJointMap},
            {"job", Mutation::json, checkJob},
            {"names", Mutation::bytes, checkNames}};
}

}  // namespace reanima::fuzz
