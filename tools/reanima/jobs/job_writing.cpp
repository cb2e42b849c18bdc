#include "tools/reanima/jobs/job_writing.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/rest_height.h"
#include "measures/mesh_facts.h"
#include "pictures/png.h"
#include "tools/reanima/front/content_key.h"
#include "tools/reanima/jobs/clip_files.h"
#include "tools/reanima/jobs/gltf_output.h"
#include "tools/reanima/jobs/job_advice.h"
#include "tools/reanima/system/files.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// The height of the output's content, in metres: of the meshes of a kept file, if it contains any.
double heightOf(const JobToWrite& work) {
    const double height = work.made.report.height;
    return work.kept == nullptr || !work.kept->rig
               ? height
               : core::restHeight(core::surfaceOf(*work.kept->rig, 1), work.kept->rig->skeleton).value_or(height);
}

void describe(InputReport& report, const core::Asset& asset, double height) {
    report.joints = !asset.skeleton ? 0 : asset.skeleton->joints.size();
    report.triangles = measures::trianglesOf(asset);
    report.materials = asset.materials.size();
    report.textures = asset.images.size();
    report.height = height;
}

/// Checks the outputs, including image names, against all inputs. Image names, files found beside the inputs, and files
/// that planning could not read are only known now.
/// @throws UsageError
void checkOutputs(const std::vector<fs::path>& files, const RunOptions& options, const JobResult& result) {
    refuseClashes(files, result.read);
    if (!options.force && !options.ifChanged)
        refuseExisting(files);
}

/// With --if-changed, refuses to replace outputs that may have been edited.
/// @param check throws UsageError if one of the outputs was edited
void refuseEditedAmong(const std::vector<fs::path>& outputs, const RunOptions& options, JobResult& result,
                       const std::function<void()>& check) {
    if (!options.ifChanged || options.force)
        return;
    try {
        check();
    } catch (const UsageError&) {
        result.refused = outputs;
        throw;
    }
}

enum class Pictures { none, some };

/// @param held whether the output contains pictures drawn by this program
std::string contentKeyOf(const Job& job, const std::vector<Source>& sources, Pictures held) {
    ContentKey key;
    key.add(job.recipe->contentKey);
    for (const Source& source : sources) {
        key.add(source.contentKey);
        for (const FilesBeside& files : source.beside)
            files.addTo(key);
    }
    if (held == Pictures::some)
        key.add(pictures::pngWriter());
    return key.text();
}

std::vector<FilesBeside> besideAll(const std::vector<Source>& sources) {
    std::vector<FilesBeside> all;
    for (const Source& source : sources)
        all.insert(all.end(), source.beside.begin(), source.beside.end());
    return all;
}

/// The content key, a blank, and the names that were looked for beside each file, with semicolons between files. The
/// key alone if there are no names.
std::string contentMarkOf(const Job& job, const std::vector<Source>& sources, Pictures held) {
    std::string names;
    for (const FilesBeside& files : besideAll(sources))
        names += files.names() + ';';
    const std::size_t last = names.find_last_not_of(';');
    return contentKeyOf(job, sources, held) + (last == names.npos ? "" : ' ' + names.substr(0, last + 1));
}

/// Looks again for the names that the mark of an earlier output lists.
void lookAgain(const std::vector<Source>& sources, std::string_view names) {
    for (const FilesBeside& files : besideAll(sources)) {
        files.forget();
        const std::size_t end = std::min(names.find(';'), names.size());
        files.lookFor(names.substr(0, end));
        names.remove_prefix(std::min(end + 1, names.size()));
    }
}

void writeEachClip(const JobToWrite& work, JobResult& result) {
    const RunOptions& options = work.options;
    const FinishedAsset& made = work.made;
    const core::Asset& asset = made.asset;
    InputReport& report = result.reports[work.sources.front().report];
    const auto about = report.diagnostics.about(report.input);
    const std::vector<fs::path> paths = core::inFile(report.input, [&] { return clipOutputs(work.job, asset); });
    if (options.claimed != nullptr)
        options.claimed->claim(paths, report.input);
    checkOutputs(paths, options, result);
    const ClipWriter writer = work.job.recipe->options.form->clipWriter(
        {asset, made.standing, contentMarkOf(work.job, work.sources, Pictures::none)}, report.diagnostics);
    options.refuseWarnings(report, report.diagnostics);
    refuseEditedAmong(paths, options, result,
                      [&] { refuseEditedClips(asset.clips, writer, paths, *options.earlier, work.limits); });
    result.outputs = writeClips(asset.clips, writer, paths, options.ifChanged ? Existing::keepEqual : Existing::replace,
                                work.limits);
    const bool isUnchanged = std::ranges::all_of(result.outputs, &ClipOutput::isUnchanged);
    const double height = heightOf(work);
    for (InputReport& each : result.reports) {
        describe(each, asset, height);
        each.unchanged = isUnchanged;
        for (const ClipOutput& output : result.outputs)
            each.bytes += output.bytes;
    }
    result.end = isUnchanged ? JobResult::End::unchanged : JobResult::End::converted;
    if (!isUnchanged)
        result.written = summaryOf(result.outputs, {height, !asset.meshes.empty()});
}

/// The output's content. If no option may have changed the clips of a kept input, its animations stay unchanged,
/// including data that this program does not read.
gltf::GltfFile outputFile(const JobToWrite& work, gltf::GltfOptions options, core::Diagnostics& diagnostics) {
    const core::Asset& asset = work.made.asset;
    const fs::path& output = work.job.output;
    const std::string bufferName = bufferNameOf(output);
    if (work.kept == nullptr && formOf(output).content == OutputForm::Content::avatar)
        throw UsageError(
            fmt::format("-o {}: an avatar keeps its joints. Leave out the options that change joints", toUtf8(output)));
    if (work.kept == nullptr)
        return fileFor(output, asset, options, work.limits);
    const ConversionOptions& asked = work.job.recipe->options;
    const auto isGiven = [](const auto& setting) { return !setting.second.empty(); };
    const bool changesClips = std::ranges::any_of(asked.settings, isGiven) || !asked.input.values.all().empty();
    if (work.whose == Whose::inputs && work.kept->isGltf && !changesClips)
        return fileOnRig(*work.kept, {asset.skeleton, {}}, options, work.limits, diagnostics, bufferName);
    options.replacesAnimations = work.whose == Whose::inputs;
    return fileOnRig(*work.kept, asset, options, work.limits, diagnostics, bufferName);
}

void writeWhole(const JobToWrite& work, JobResult& result) {
    const core::Asset& asset = work.made.asset;
    const Recipe& recipe = *work.job.recipe;
    const fs::path& output = work.job.output;
    checkOutputs(filesOf(output), work.options, result);
    const Pictures held = asset.video || !asset.images.empty() ? Pictures::some : Pictures::none;
    const gltf::GltfOptions options{recipe.settings.proxyMesh, contentMarkOf(work.job, work.sources, held),
                                    recipe.settings.compact};
    gltf::GltfFile file = outputFile(work, options, result.reports.front().diagnostics);
    const std::vector<fs::path> before = imagesWritten(output);
    const std::vector<fs::path> images = imagePathsOf(output, file);
    if (!images.empty())
        checkOutputs(images, work.options, result);
    refuseEditedAmong({output}, work.options, result, [&] { refuseEditedParts(output, file); });
    const bool isQuantised = options.compact && !asset.clips.empty();
    const auto rotationError = isQuantised ? std::optional(file.rotationError) : std::nullopt;
    const std::string hash = file.hash;
    const std::size_t ownClips = file.ownAnimations;
    const std::uint64_t bytes = writeFile(output, std::move(file));
    const Source& source = work.sources.front();
    noteLeftOver(output, before, images, result.reports[source.report].diagnostics);
    const double height = heightOf(work);
    for (InputReport& report : result.reports) {
        describe(report, asset, height);
        report.bytes = bytes;
        report.key = options.contentKey.substr(0, kKeyDigits);
        report.hash = hash;
        report.rotationError = rotationError;
    }
    result.end = JobResult::End::converted;
    const bool showsMesh =
        !asset.meshes.empty() || (work.kept != nullptr && work.kept->rig && !work.kept->rig->surface.empty());
    result.written = summaryOf(asset, output, {height, showsMesh}, rotationError,
                               adviceFor(asset, work.job.inputs.front(), *source.input.format));
    if (work.kept != nullptr)
        result.written += wordsForRig(*work.kept, work.whose == Whose::inputs ? 0 : ownClips);
}

}  // namespace

std::optional<ExistingOutput> madeAlready(const Job& job, const std::vector<Source>& sources) {
    ExistingOutput found = lookAt(job.output);
    if (found.condition != Condition::asWritten)
        return std::nullopt;
    lookAgain(sources, found.beside);
    for (const Pictures held : {Pictures::none, Pictures::some})
        if (found.key == contentKeyOf(job, sources, held))
            return found;
    for (const FilesBeside& files : besideAll(sources))
        files.forget();
    return std::nullopt;
}

void refuseEditedOutput(const Job& job, const RunOptions& options, JobResult& result) {
    if (!job.isPerClip && holdsMarks(job.output))
        refuseEditedAmong({job.output}, options, result, [&job] { refuseEdited(job.output, {}); });
}

void writeJob(const JobToWrite& work, JobResult& result) {
    const bool hasWriter = work.job.recipe->options.form->clipWriter != nullptr;
    hasWriter && !isPicture(work.made.asset) ? writeEachClip(work, result) : writeWhole(work, result);
}

}  // namespace reanima::tool
