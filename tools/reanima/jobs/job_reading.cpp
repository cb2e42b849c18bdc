#include "tools/reanima/jobs/job_reading.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/memory.h"
#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/load.h"
#include "pipeline/linked_clips.h"
#include "tools/reanima/jobs/earlier_run.h"
#include "tools/reanima/jobs/job_advice.h"
#include "tools/reanima/jobs/plan.h"
#include "tools/reanima/system/files.h"

namespace reanima::tool {

namespace {

/// @return empty for an animation that is left out because its number of bones differs
std::optional<core::Asset> loadIfFits(const Source& source, const JobInput& named, Context& context) {
    try {
        core::Asset asset = load(source.input, source.companions, context);
        refuseEmpty(asset, source.input);
        return named.mustFit && movesOthers(context.diagnostics) ? std::nullopt : std::optional(std::move(asset));
    } catch (const core::DecodeError& error) {
        if (!named.mustFit || error.kind() != core::DecodeError::Kind::skeletonMismatch)
            throw;
        return std::nullopt;
    }
}

/// Removes each clip of a copy if an earlier input contains a clip with the same number.
void leaveOutKnown(core::Asset& copy, const std::vector<core::Asset>& earlier) {
    std::set<std::uint32_t> known;
    for (const core::Asset& asset : earlier)
        for (const core::Clip& clip : asset.clips)
            known.insert(clip.id);
    std::erase_if(copy.clips, [&](const core::Clip& clip) { return known.contains(clip.id); });
}

/// The size of the files that a rig refers to.
std::uint64_t bytesBeside(const Target* target) {
    std::uint64_t bytes = 0;
    for (const File& file : target == nullptr ? std::vector<File>() : target->beside)
        bytes += file.bytes.size();
    return bytes;
}

void countClips(const core::Asset& asset, InputReport& report) {
    report.clips = asset.clips.size() + (asset.video ? 1 : 0);
    for (const core::Clip& clip : asset.clips)
        report.frames += clip.frames;
    if (asset.video)
        report.frames += asset.video->count;
}

/// Records how clips were linked to their character: by links, or by a skeleton that the user named.
void tellLink(core::Asset& asset, const JobInput& input, const Source& source) {
    const auto skeleton = source.companions.find(Role::skeleton);
    if (input.link)
        return reanima::tellLink(asset, *input.link, namesByOf(source.options));
    if (skeleton == source.companions.end() || !skeleton->second.given)
        return;
    for (core::Clip& clip : asset.clips)
        if (clip.linkedBy == core::LinkedBy::nothing)
            clip.linkedBy = core::LinkedBy::given;
}

/// The facts stored in an unchanged output that are also true for its input. For several inputs the facts can't be
/// attributed to one input. Facts about a rig's kept file or about a proxy mesh are not facts about the input.
OutputFacts factsOfInput(const Job& job, std::size_t inputs) {
    OutputFacts facts = factsOfOutput(job.output);
    if (job.recipe->keepsMesh())
        facts = {.bytes = facts.bytes};
    if (job.recipe->settings.proxyMesh)
        facts.triangles = facts.materials = std::nullopt;
    if (inputs > 1 || job.recipe->options.has("clip"))
        facts.clips = facts.frames = std::nullopt;
    if (job.recipe->options.has("resample"))
        facts.frames = std::nullopt;
    return facts;
}

/// Adds facts about the unchanged output to the report: from the earlier report, otherwise from the output.
void describeUnchanged(const Job& job, const LeftOvers* earlier, std::vector<InputReport>& reports) {
    const OutputFacts stored = factsOfInput(job, reports.size());
    for (InputReport& report : reports) {
        OutputFacts facts =
            earlier != nullptr ? earlier->reportedFacts(job.output, report.input, report.key) : OutputFacts{};
        for (const auto fact : {&OutputFacts::clips, &OutputFacts::frames, &OutputFacts::joints,
                                &OutputFacts::triangles, &OutputFacts::materials, &OutputFacts::textures})
            if (!(facts.*fact))
                facts.*fact = stored.*fact;
        facts.bytes = stored.bytes;
        report.stated = facts;
    }
}

}  // namespace

JobReading::JobReading(const Job& job, const RunOptions& options, JobResult& result)
    : job_(job), options_(options), result_(result) {
    for (const JobInput& input : job.inputs)
        result_.reports.emplace_back(toUtf8(input.path), input.model, toUtf8(job.output));
}

core::Limits JobReading::limits() const { return job_.recipe->options.input.limits.holding(filesHeld_); }

void JobReading::readAll() {
    const Recipe& recipe = *job_.recipe;
    result_.read = recipe.files;
    std::map<std::size_t, Input> inputs = readInputs();
    const SharedSkeleton shared = skeletonAmong(job_.inputs, inputs);
    SharedSkeleton ofFirst;
    for (auto& [index, input] : inputs)
        onlyInputFails(index, [&, i = index, read = &input] {  // NOLINT: called immediately
            filesHeld_ -= bytesHeldBy(*read);                  // addSource() counts them again
            const bool mustFit = job_.inputs[i].mustFit;
            if (!shared.input && !ofFirst.input && mustFit)
                ofFirst.input = skeletonOfFirst(sources_);
            const SharedSkeleton& skeleton = shared.input || !mustFit ? shared : ofFirst;
            if (mustFit && isOfOtherKind(*read, skeleton, sources_))
                ofOtherKind_ += leftOut_.insert(i).second ? 1 : 0;
            else
                addSource(i, skeleton.with(std::move(*read)));
        });
    if (!sources_.empty())
        filesHeld_ += bytesBeside(recipe.targetFor(*sources_.front().input.format));
    std::ranges::copy(partsOf(result_.read, *recipe.options.input.files), std::back_inserter(result_.read));
    refuseClashes(options_.besides, result_.read);  // includes companions found beside the inputs
}

std::map<std::size_t, Input> JobReading::readInputs() {
    const core::Limits& limits = job_.recipe->options.input.limits;
    const auto requireRoom = [&](std::uint64_t bytes) {  // an input that alone exceeds the limit fails when it is read
        if (job_.inputs.size() > 1 && bytes <= limits.memory)
            core::inFile(toUtf8(job_.output), [&] {
                core::requireMemory(filesHeld_ + bytes, limits, {"inputs", std::nullopt});
            });
    };
    std::map<std::size_t, Input> inputs;
    for (std::size_t i = 0; i < job_.inputs.size(); ++i) {
        if (job_.inputs.size() > 1) {
            std::error_code error;  // set for entries of archives, which are no files
            const std::uintmax_t size = core::fileSize(job_.inputs[i].path, error);
            requireRoom(error ? 0 : size);
        }
        if (onlyInputFails(i, [&] { inputs.emplace(i, readInput(job_.inputs[i], *job_.recipe, this->limits())); }))
            filesHeld_ += bytesHeldBy(inputs.at(i));
        else
            filesHeld_ += kBytesOfInput;
        requireRoom(0);
    }
    return inputs;
}

void JobReading::addSource(std::size_t index, InputOfJob file) {
    const JobInput& input = job_.inputs[index];
    Source source = readSource(input, std::move(file), *job_.recipe, limits(), sources_);
    const auto isLinked = [](const JobInput& each) { return each.link.has_value(); };
    if (!input.pose.empty() && std::ranges::none_of(job_.inputs, isLinked))
        notePose(source.input.shownName(), input.pose, result_.reports[index].diagnostics);
    filesHeld_ += bytesHeldBy(source);
    source.report = index;
    result_.reports[index].format = std::string(source.input.format->id);
    tellFiles(source);
    sources_.push_back(std::move(source));
}

void JobReading::tellFiles(const Source& source) {
    result_.read.insert(result_.read.end(), source.files.begin(), source.files.end());
    for (const auto& [role, companion] : source.companions)
        result_.companions.push_back(fmt::format("{}: uses {} as its {}{}", source.input.shownName(),
                                                 companion.input.shownName(), wordForRole(role),
                                                 companion.given ? "" : ", found beside it"));
}

void JobReading::tellFilesBeside() {
    for (const Source& source : sources_) {
        std::vector<std::string> parts;
        for (const FilesBeside& files : source.beside)
            std::ranges::copy(files.paths(), std::back_inserter(parts));
        if (parts.empty())
            continue;
        for (const std::string& part : parts)
            result_.read.push_back(fileOf(fromUtf8(part)));
        result_.companions.push_back(
            fmt::format("{}: meshes and textures are read from {}", source.input.shownName(), fmt::join(parts, ", ")));
    }
    refuseClashes(options_.besides, result_.read);
}

std::vector<core::Asset> JobReading::decodeAll() {
    std::vector<core::Asset> assets;
    std::uint64_t held = 0;
    std::erase_if(sources_, [&](const Source& source) {
        return !onlyInputFails(source.report, [&] {
            std::optional<core::Asset> asset = decode(source, assets, limits().holding(held));
            if (asset && job_.inputs[source.report].mustFit && isThereAlready(*asset, assets))
                result_.reports[source.report].clips = result_.reports[source.report].frames = 0;
            else if (asset)
                held += core::memoryOf(assets.emplace_back(*std::move(asset)));
        });
    });
    if (!sources_.empty())
        noteLeftOut(leftOut_.size() - ofOtherKind_, ofOtherKind_, job_, result_.reports[sources_.front().report]);
    constexpr std::uint64_t kLarge = 16 << 20;  // large enough to matter against the memory limit
    if (filesHeld_ > kLarge)
        giveBackFreeMemory();
    return failsWithMain() ? std::vector<core::Asset>() : std::move(assets);
}

std::optional<core::Asset> JobReading::decode(const Source& source, const std::vector<core::Asset>& earlier,
                                              const core::Limits& limits) {
    InputReport& report = result_.reports[source.report];
    const JobInput& input = job_.inputs[source.report];
    Context context{source.options, limits, report.diagnostics, interrupted};
    std::optional<core::Asset> asset = loadIfFits(source, input, context);
    if (!asset) {
        leftOut_.insert(source.report);
        return std::nullopt;
    }
    tellLink(*asset, input, source);
    if (input.isCopy)
        leaveOutKnown(*asset, earlier);
    options_.refuseWarnings(report, report.diagnostics);
    countClips(*asset, report);
    return asset;
}

bool JobReading::onlyInputFails(std::size_t report, const std::function<void()>& work) {
    try {
        work();
        return true;
    } catch (...) {
        Failure failure = currentFailure();
        if (job_.inputs[report].link && failure.status == kInputFailed) {  // an animation that the user did not name
            result_.reports.front().diagnostics.warn(core::Code::damaged, {},
                                                     failure.message + "; the animation is left out");
            return false;
        }
        failure = options_.ranked(std::move(failure));
        result_.status = std::max(result_.status, failure.status);
        result_.reports[report].failure = std::move(failure);
        return false;
    }
}

const Failure* JobReading::failureOfMain() const {
    for (std::size_t i = 0; i < job_.inputs.size(); ++i)
        if (result_.reports[i].failure && isMain(job_, job_.inputs[i]))
            return &*result_.reports[i].failure;
    return nullptr;
}

/// Makes all inputs fail if a main input failed: then there is no output. The other failures are not printed.
bool JobReading::failsWithMain() {
    const Failure* main = failureOfMain();
    if (main == nullptr)
        return false;
    Failure same = *main;
    same.isQuiet = true;
    for (std::size_t i = 0; i < job_.inputs.size(); ++i) {
        InputReport& report = result_.reports[i];
        if (!report.failure || (&*report.failure != main && report.failure->message == same.message))
            report.failure = same;
        if (job_.inputs[i].link)
            report.clips = report.frames = 0;  // finishReports() would add them to the main input's report
    }
    return true;
}

void JobReading::finishReports() {
    std::vector<InputReport>& reports = result_.reports;
    for (std::size_t i = 1; i < reports.size(); ++i) {  // adds linked inputs to the first report
        if (!job_.inputs[i].link || leftOut_.contains(i))
            continue;
        reports.front().clips += reports[i].clips;
        reports.front().frames += reports[i].frames;
        for (const core::Warning& warning : reports[i].diagnostics.warnings())
            reports.front().diagnostics.add(warning);
    }
    for (std::size_t i = reports.size(); i-- > 0;)
        if (job_.inputs[i].link || leftOut_.contains(i))
            reports.erase(reports.begin() + static_cast<std::ptrdiff_t>(i));
    if (result_.end == JobResult::End::unchanged && options_.reports && result_.outputs.empty())
        describeUnchanged(job_, options_.earlier, reports);
}

}  // namespace reanima::tool
