#include "tools/reanima/jobs/job_advice.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formats/animation_links.h"
#include "formats/character_links.h"
#include "formats/format.h"
#include "measures/mesh_facts.h"
#include "pipeline/linked_clips.h"
#include "pipeline/memoria_file.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/jobs/gltf_output.h"
#include "tools/reanima/system/files.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

std::string shownOutput(const fs::path& output) {
    return output == kStandardStream ? "standard output" : toUtf8(output);
}

}  // namespace

std::string_view wordForRole(Role role) {
    switch (role) {
        case Role::skeleton:
            return "skeleton";
        case Role::animation:
            return "animations";
        case Role::events:
            return "events";
        case Role::materials:
            return "materials";
        case Role::mesh:
            return "mesh";
        case Role::skin:
            return "skin";
        case Role::textures:
        case Role::texturePlace:
            break;
    }
    return "textures";
}

std::string wordsForRig(const Target& target, std::size_t ownClips) {
    if (!target.rig->hasMesh)
        return {};
    const std::string clips = ownClips == 0   ? ""
                              : ownClips == 1 ? " and one more clip"
                                              : fmt::format(" and {} more clips", ownClips);
    return fmt::format("; the meshes{} come from {}", clips, target.path);
}

namespace {

/// The frame rate at which Blender shows a clip. A clip of Memoria with few frames eases from one to the next, so it
/// has more keys than frames.
double rateForBlender(const core::Clip& clip) {
    const auto isBetweenFrames = [&](float time) {
        const double frame = static_cast<double>(time) * clip.rate;
        return std::abs(frame - std::round(frame)) > 0.01;
    };
    const bool isEased = std::ranges::any_of(clip.timelines, [&](const std::vector<float>& times) {
        return std::any_of(times.begin(), times.end() - (times.empty() ? 0 : 1), isBetweenFrames);
    });
    return clip.format == kMemoriaFormat && isEased ? memoriaKeyRate(clip.rate) : clip.rate;
}

}  // namespace

std::string ShownHeight::inWords() const { return fmt::format("{}{:.2f} m high", ofMeshes ? "" : "bones ", metres); }

std::string summaryOf(const core::Asset& asset, const fs::path& output, const ShownHeight& height,
                      const std::optional<double>& rotationError, const std::string& advice) {
    const auto count = [](std::size_t n, const char* what) {
        return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    const std::string wrote = fmt::format("wrote {}: ", shownOutput(output));
    if (isPicture(asset))
        return fmt::format("{}{} x {} pixels", wrote, asset.images.front().width, asset.images.front().height);
    if (asset.video) {
        const core::ImageSequence& images = *asset.video;
        return fmt::format(
            "{}{} of {} x {} pixels, {:.6g} per second; set Blender's frame rate to {:.6g} before importing", wrote,
            count(images.count, "frame"), images.shownWidth(), images.shownHeight(), images.rate(), images.rate());
    }
    std::vector<double> rates;
    for (const core::Clip& clip : asset.clips)
        if (const double rate = rateForBlender(clip); std::ranges::find(rates, rate) == rates.end())
            rates.push_back(rate);
    const std::string meshes = asset.meshes.empty() ? "" : ", " + count(measures::trianglesOf(asset), "triangle");
    const std::string clips = count(asset.clips.size(), "clip");
    std::string text =
        fmt::format("{}{}{}{}, {}", wrote, advice.empty() ? clips + ", " : "",
                    count(asset.skeleton ? asset.skeleton->joints.size() : 0, "joint"), meshes, height.inWords());
    if (rotationError)
        text += fmt::format(", rotations within {:.2g} degrees", *rotationError);
    if (!rates.empty())
        text += fmt::format("; set Blender's frame rate to {:.6g} before importing", fmt::join(rates, " or "));
    if (!advice.empty())
        text += fmt::format(", {}; {}", clips, advice);
    return text;
}

std::string summaryOf(const std::vector<ClipOutput>& outputs, const ShownHeight& height) {
    const std::string others = outputs.size() > 1 ? fmt::format(" and {} more", outputs.size() - 1) : "";
    return fmt::format("wrote {}{}: {} clip{}, {}", shownOutput(outputs.front().path), others, outputs.size(),
                       outputs.size() == 1 ? "" : "s", height.inWords());
}

void noteUnusedNames(const std::vector<std::string>& unused, InputReport& report) {
    if (!unused.empty())
        report.diagnostics.note(
            core::Code::ignored, {},
            fmt::format("lines of the names file that match no clip or joint of this input: {} (first: {})",
                        unused.size(), unused.front()),
            {"names"});
}

std::string suggestionFor(const std::string& input, const std::string& model, const std::string& rig,
                          const InputOptions& options) {
    std::string more;
    const auto add = [&more](const char* option, const std::string& value) {
        if (!value.empty())
            more += fmt::format(" {} {}", option, asWord(value));
    };
    add("--source-skeleton", options.sourceSkeleton);
    add("--model", model);
    add("--format", options.format);
    return fmt::format("; `reanima bind {} -s {}{} --suggest -o MAP.json` suggests a mapping", asWord(input),
                       asWord(rig), more);
}

core::DecodeError withSuggestion(const core::DecodeError& error, const InputReport& report, const Recipe& recipe,
                                 const Target& target) {
    const std::string next = suggestionFor(report.input, report.model, target.path, recipe.options.input);
    return {{}, error.message(flagWording) + next, error.kind()};
}

void noteNoHumanoid(const core::DecodeError& why, InputReport& report) {
    const auto about = report.diagnostics.about(report.input);
    report.diagnostics.warn(core::Code::noHumanoid, {}, "skipped, not recognised as a humanoid: " + why.problem(),
                            why.hint());
}

void noteLeftOut(std::size_t count, std::size_t ofOtherKind, const Job& job, InputReport& report) {
    const auto all = static_cast<std::size_t>(std::ranges::count_if(job.inputs, &JobInput::mustFit));
    if (job.needsFitting && count + ofOtherKind == all)
        throw core::DecodeError("none of the named animations moves as many bones as the skeleton has")
            .inFile(report.input);
    const auto about = report.diagnostics.about(report.input);
    if (job.ofOthers > 0)
        report.diagnostics.note(
            core::Code::ignored, {},
            fmt::format("animations left out because their names belong to other characters: {}", job.ofOthers));
    if (ofOtherKind > 0)
        report.diagnostics.note(
            core::Code::ignored, {},
            fmt::format("animations left out because they are made for skeletons of other kinds: {}", ofOtherKind));
    reanima::noteLeftOut(count, all, report.diagnostics);
}

std::string adviceFor(const core::Asset& asset, const JobInput& input, const Format& format) {
    const LinkSource* source = linkRulesOf(format).links;
    const bool mayHaveClips = source != nullptr || format.kind == Kind::skeleton || format.kind == Kind::animation;
    if (!asset.clips.empty() || !asset.skeleton || !mayHaveClips)
        return {};
    std::string advice = "add animations with --animations";
    if (source != nullptr && input.mayBeLinked)
        advice += fmt::format(", or put {} beside it", source->archive);
    return advice;
}

std::string adviceForMotion(const std::vector<Source>& sources) {
    const auto isForeign = [](const Source& source) { return static_cast<bool>(source.input.readMotion); };
    const auto motion = std::ranges::find_if(sources, isForeign);
    if (motion == sources.end() || std::ranges::all_of(sources, isForeign))
        return {};
    return fmt::format("; to put the motion on your own skeleton RIG, use `reanima convert {} -s RIG`",
                       asWord(motion->input.shownName()));
}

void noteLeftOver(const fs::path& output, const std::vector<fs::path>& before, const std::vector<fs::path>& now,
                  core::Diagnostics& diagnostics) {
    for (const fs::path& image : before)
        if (std::ranges::find(now, image) == now.end())
            diagnostics.note(core::Code::ignored, {},
                             fmt::format("{} stays, although the new {} does not refer to it", toUtf8(image),
                                         toUtf8(output.filename())));
}

}  // namespace reanima::tool
