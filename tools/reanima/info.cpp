#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/compare.h"
#include "importers/load.h"
#include "tools/reanima/failure.h"
#include "tools/reanima/files.h"
#include "tools/reanima/options.h"
#include "tools/reanima/verbs.h"

namespace reanima::tool {

namespace {

struct InfoOptions {
    InputOptions input;
    std::vector<std::string> files;
    bool json = false;
};

/// What a person wants to know of a clip at a glance.
struct ClipFacts {
    const core::Clip& clip;
    core::Comparison gap;  ///< between its end and its start: what a loop would jump
    double travel = 0;     ///< metres that the first joint moves from start to end
};

ClipFacts factsOf(const core::Skeleton& skeleton, const core::Clip& clip) {
    const core::Pose first = core::samplePose(skeleton, clip, 0);
    const core::Pose last = core::samplePose(skeleton, clip, clip.duration);
    return {clip, core::comparePoses(skeleton, last, first, clip.duration),
            static_cast<double>(glm::distance(first.front().translation, last.front().translation))};
}

/// Of the bone that starts at a joint; where its end is not known, of the one that leads to it.
double lengthOf(const core::Joint& joint) {
    return static_cast<double>(glm::length(joint.end.value_or(joint.rest.translation)));
}

std::string parentName(const core::Skeleton& skeleton, const core::Joint& joint) {
    return joint.parent == core::kNoParent ? "-" : skeleton.joints[static_cast<std::size_t>(joint.parent)].name;
}

Json messagesOf(const core::Diagnostics& diagnostics) {
    Json messages = Json::array();
    for (const core::Warning& warning : diagnostics.warnings())
        messages.push_back(warning.message());
    return messages;
}

std::string asTable(const Input& input, const core::ImageSequence& images) {
    return fmt::format("{}: {}\n{} pictures of {} x {} pixels{}, {:.6g} a second ({}/{}), {:.3f} s{}\n",
                       input.shownName(), formatOf(input).label, images.count, images.shownWidth(),
                       images.shownHeight(), images.transposed ? " (stored transposed)" : "", images.rate(),
                       images.rateNumerator, images.rateDenominator, images.timeOf(images.count),
                       images.palindrome ? ", forward and back again" : "");
}

Json asJson(const core::ImageSequence& images) {
    return {{"name", images.name},
            {"frames", images.count},
            {"seconds", images.timeOf(images.count)},
            {"rate", {images.rateNumerator, images.rateDenominator}},
            {"width", images.shownWidth()},
            {"height", images.shownHeight()},
            {"transposed", images.transposed},
            {"palindrome", images.palindrome}};
}

/// Decodes and converts; what has nothing to convert is only read, and gives an empty asset.
core::Asset loadOrRead(const Input& input, const Companions& given, Context& context) {
    if (formatOf(input).load != nullptr)
        return load(input, given, context);
    (void)dump(input, given, context);
    return {};
}

std::string asTable(const Input& input, const core::Asset& asset) {
    if (!asset.images.empty())
        return asTable(input, asset.images.front());
    std::string text = fmt::format("{}: {}\n", input.shownName(), formatOf(input).label);
    if (asset.skeletons.empty())
        return text;
    const core::Skeleton& skeleton = asset.skeletons.front();
    text += fmt::format("skeleton: {}, {} joints ({})\n", skeleton.name, skeleton.joints.size(),
                        core::originName(skeleton.origin));
    if (!asset.clips.empty())
        text += fmt::format("\n{:>5}  {:<20} {:>6} {:>8}  {:>18}  {:>11}\n", "index", "clip", "frames", "seconds",
                            "end to start", "root travel");
    for (const core::Clip& clip : asset.clips) {
        const ClipFacts facts = factsOf(skeleton, clip);
        text +=
            fmt::format("{:>5}  {:<20} {:>6} {:>8.3f}  {:>7.3f} m {:>5.1f} deg  {:>9.3f} m\n", clip.index, clip.name,
                        clip.frames, clip.duration, facts.gap.distance.value, facts.gap.angle.value, facts.travel);
    }
    text += fmt::format("\n{:>5} {:>5}  {:<20} {:<20} {:>9}\n", "joint", "id", "name", "parent", "length");
    for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
        const core::Joint& joint = skeleton.joints[i];
        text += fmt::format("{:>5} {:>5}  {:<20} {:<20} {:>7.3f} m\n", i, joint.id ? fmt::format("{}", *joint.id) : "",
                            joint.name, parentName(skeleton, joint), lengthOf(joint));
    }
    return text;
}

Json asJson(const Input& input, const core::Asset& asset, const core::Diagnostics& diagnostics) {
    if (!asset.images.empty())
        return {{"schema", 1},
                {"file", input.shownName()},
                {"format", formatOf(input).id},
                {"images", Json::array({asJson(asset.images.front())})},
                {"warnings", messagesOf(diagnostics)}};
    const core::Skeleton skeleton = asset.skeletons.empty() ? core::Skeleton{} : asset.skeletons.front();
    Json clips = Json::array();
    for (const core::Clip& clip : asset.clips) {
        const ClipFacts facts = factsOf(skeleton, clip);
        clips.push_back({{"index", clip.index},
                         {"name", clip.name},
                         {"frames", clip.frames},
                         {"seconds", clip.duration},
                         {"rate", clip.rate},
                         {"gap", {{"metres", facts.gap.distance.value}, {"degrees", facts.gap.angle.value}}},
                         {"root_travel", facts.travel}});
    }
    Json joints = Json::array();
    for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
        const core::Joint& joint = skeleton.joints[i];
        joints.push_back({{"index", i},
                          {"id", joint.id ? Json(*joint.id) : Json(nullptr)},
                          {"name", joint.name},
                          {"parent", joint.parent == core::kNoParent ? Json(nullptr) : Json(joint.parent)},
                          {"length", lengthOf(joint)}});
    }
    return {{"schema", 1},
            {"file", input.shownName()},
            {"format", formatOf(input).id},
            {"skeleton", asset.skeletons.empty() ? Json(nullptr) : Json(core::originName(skeleton.origin))},
            {"clips", std::move(clips)},
            {"joints", std::move(joints)},
            {"warnings", messagesOf(diagnostics)}};
}

int info(const InfoOptions& options, const Console& console) {
    if (options.files.empty())
        throw UsageError("info: name at least one file");
    const Companions given = options.input.givenWithoutRig();
    Json list = Json::array();
    int status = kDone;
    for (const std::string& path : options.files) {
        core::Diagnostics diagnostics;
        try {
            const Input input = options.input.read(path);
            Context context{options.input.values, options.input.limits, diagnostics};
            const core::Asset asset = loadOrRead(input, given, context);
            if (options.json)
                list.push_back(asJson(input, asset, diagnostics));
            else
                printData(asTable(input, asset) + (path == options.files.back() ? "" : "\n"));
            if (console.policy.fails(diagnostics))
                status = kInputFailed;
        } catch (const core::DecodeError&) {
            const Failure failure = currentFailure();
            console.error(failure.message);
            status = options.files.size() == 1 ? failure.status : kInputFailed;
        }
        console.print(diagnostics);
    }
    if (options.json)
        printData(toText(list));
    return status;
}

}  // namespace

const Verb kInfo = {"info", "what files hold: their clips and joints", "  reanima info rtda",
                    [](Arguments& arguments, Console& console) -> std::function<int()> {
                        const auto options = std::make_shared<InfoOptions>();
                        arguments.list("FILE", options->files, "", "the files");
                        arguments.flag("--json", options->json, "as a list in JSON");
                        addInputOptions(arguments, options->input);
                        addConsoleOptions(arguments, console);
                        return [options, &console] { return info(*options, console); };
                    }};

}  // namespace reanima::tool
