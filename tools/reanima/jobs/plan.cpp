#include "tools/reanima/jobs/plan.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/text.h"
#include "core/text_pattern.h"
#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/registry.h"
#include "pipeline/memoria_folder.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/front/output_form.h"
#include "tools/reanima/jobs/animation_inputs.h"
#include "tools/reanima/jobs/copies.h"
#include "tools/reanima/jobs/linked_inputs.h"
#include "tools/reanima/jobs/models.h"
#include "tools/reanima/jobs/output_names.h"
#include "tools/reanima/jobs/plan_item.h"
#include "tools/reanima/jobs/video_output.h"
#include "tools/reanima/system/glob.h"
#include "tools/reanima/system/parallel.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

bool isJobFile(const fs::path& path) { return toUtf8(path.filename()).ends_with(kJobFileSuffix); }

using Content = OutputForm::Content;

/// The file name for an item, or for one of its models. See nameOutputs().
fs::path fileNameFor(const PlanItem& item, const std::string& model) {
    return fromUtf8(core::portableName(fmt::format("{}.{}", item.stems.at(model), item.form->ending)));
}

std::string refusalOfSeveral(const PlanItem& item) {
    return fmt::format(
        "{}: contains {} models, but an output can contain only one. Choose one with --model, or use -o FOLDER/ for "
        "all: {}",
        toUtf8(item.path), item.models.size(), described(item.models));
}

/// The folder names, changed so that every system accepts them.
fs::path portableFolders(const fs::path& below) {
    fs::path portable;
    for (const fs::path& part : below)
        portable /= part == "." || part == ".." || part.empty() ? part : fromUtf8(core::portableName(toUtf8(part)));
    return portable;
}

/// The folder of an entry, relative to the pattern that found the entry.
fs::path belowPattern(const std::string& entry, const std::string& pattern) {
    const auto inArchive = [](const std::string& path) { return fromUtf8(path.substr(path.rfind(':') + 1)); };
    return inArchive(entry).lexically_relative(folderOfPattern(inArchive(pattern))).parent_path();
}

/// The only output of an item, relative to the output folder.
fs::path outputNameOf(const PlanItem& item) { return portableFolders(item.below) / fileNameFor(item, ""); }

/// The output of one of an item's models, relative to the output folder.
fs::path outputNameOf(const PlanItem& item, const ModelSummary& model) {
    return portableFolders(item.below) / fileNameFor(item, model.id);
}

/// @param model id of the model, or empty
JobInput inputOf(const PlanItem& item, const std::string& model) {
    if (item.held)
        item.held->addUser();
    JobInput input{item.path, item.format, model, item.held};
    input.readFrom = item.readFrom;
    input.pose = item.pose;
    input.mayBeLinked = item.mayBeLinked;
    input.linkedBy = item.linkedBy;
    return input;
}

/// The inputs of an item's output.
/// @param model id of the model, or empty
std::vector<JobInput> inputsOf(const PlanItem& item, const std::string& model) {
    std::vector<JobInput> inputs = {inputOf(item, model)};
    inputs.insert(inputs.end(), item.linked.begin(), item.linked.end());
    if (const auto further = item.further.find(model); further != item.further.end())
        inputs.insert(inputs.end(), further->second.begin(), further->second.end());
    return inputs;
}

Job failedJob(const fs::path& path, Failure failure) { return {{{path}}, {}, nullptr, std::move(failure)}; }

/// True for an archive that is converted like a folder. False if the user named a different format.
bool isWalked(const fs::path& path, const Request& request) {
    return request.recipe->options.input.isFolderOfFiles(toUtf8(path));
}

/// True if outputs keep an avatar: the rig's or the only input's file.
bool keepsAvatar(const std::vector<PlanItem>& items, const Recipe& recipe) {
    return recipe.rigPath().empty() ? items.size() == 1 && formOf(items.front().path).content == Content::avatar
                                    : recipe.keepsAvatar();
}

/// @throws UsageError if the output's name does not show a form
void checkExtension(const std::vector<PlanItem>& items, const Request& request) {
    const fs::path output = fromUtf8(request.output);
    const std::string extension = lowerCase(toUtf8(output.extension()));
    std::error_code error;
    const fs::file_status status = core::statusOf(output, error);
    const bool device = fs::exists(status) && !fs::is_regular_file(status);
    const bool picture = std::ranges::any_of(items, &PlanItem::isPicture);
    const OutputForm& form = formOf(output);
    const bool isAvatar = form.content == Content::avatar;
    const bool isRight = picture    ? form.content == Content::picture
                         : isAvatar ? keepsAvatar(items, *request.recipe)
                                    : &form == request.recipe->options.form;
    const auto isVideo = [](const PlanItem& item) {
        return item.format != nullptr && item.format->kind == Kind::images;
    };
    if (isVideoForPlayers(output) && std::ranges::any_of(items, isVideo))
        throw UsageError(fmt::format(
            "-o {0}: reanima can't write such videos. Use ffmpeg: `reanima frames {1} -o {0}` prints the command",
            request.output, toUtf8(std::ranges::find_if(items, isVideo)->path)));
    constexpr std::array kOfBlender = {".fbx", ".dae", ".obj", ".blend", ".usd", ".usda", ".usdc", ".abc"};
    if (!picture && std::ranges::find(kOfBlender, extension) != kOfBlender.end())
        throw UsageError(
            fmt::format("-o {}: reanima can't write this format. Convert to .glb, then export from Blender (for many "
                        "files: samples/pipeline/glb_to_fbx.py)",
                        request.output));
    if (output != kStandardStream && !device && !isRight && isAvatar) {
        if (request.recipe->keepsMesh())
            throw UsageError(
                fmt::format("-o {}: {} is not a VRM avatar, because it has no humanoid bone names. Use -o X.glb to "
                            "write its meshes with the motion",
                            request.output, request.recipe->options.input.skeleton));
        throw UsageError(
            fmt::format("-o {}: a .vrm contains an avatar and clips. Name the avatar with -s AVATAR.vrm and leave out "
                        "--with-mesh, --rig-scale and `--rig-mesh omit`. Or use -o X.vrma, which works with any avatar",
                        request.output));
    }
    if (output != kStandardStream && !device && !isRight)
        throw UsageError(
            fmt::format("-o {}: {}expected FOLDER/, - (standard output), or a name that ends in {}", request.output,
                        picture ? toUtf8(std::ranges::find_if(items, &PlanItem::isPicture)->path) + " is an image, "
                                : std::string(),
                        picture ? ".png" : endingsOf(request.recipe->options.as)));
}

void addToGroup(const PlanItem& item, const Request& request, const fs::path& folder,
                std::map<fs::path, std::size_t>& groups, std::vector<Job>& jobs) {
    const fs::path output = folder / outputNameOf(item);
    const auto [group, isNew] = groups.emplace(output, jobs.size());
    if (isNew)
        jobs.push_back({.output = output, .recipe = request.recipe, .isGroup = true});
    std::ranges::move(inputsOf(item, ""), std::back_inserter(jobs[group->second].inputs));
}

void addJobsOf(const PlanItem& item, const Request& request, const fs::path& folder, std::vector<Job>& jobs) {
    for (const Failure& failure : item.missing)
        jobs.push_back(failedJob(item.path, failure));
    const auto add = [&](const std::string& model, const fs::path& output) {
        jobs.push_back({inputsOf(item, model), output, request.recipe});
    };
    if (item.isPlain())
        add("", folder.empty() ? fileNameFor(item, "") : folder / outputNameOf(item));
    for (const ModelSummary& model : item.models)
        add(model.id, folder.empty() ? fileNameFor(item, model.id) : folder / outputNameOf(item, model));
}

/// True for an input with a skeleton that animations of the same output may use.
bool isCharacter(const JobInput& input) {
    return !input.model.empty() || (input.format != nullptr && input.format->kind == Kind::skeleton);
}

/// If several animations are named with a character, those that don't fit are left out, since a shell may have expanded
/// a pattern. A single one that does not fit is an error.
void leaveOutMisfits(Job& job) {
    std::vector<JobInput>& inputs = job.inputs;
    const auto isAnimation = [](const JobInput& input) {
        return input.format != nullptr && input.format->kind == Kind::animation && input.model.empty();
    };
    if (std::ranges::count_if(inputs, isCharacter) != 1 || std::ranges::count_if(inputs, isAnimation) < 2)
        return;
    job.needsFitting = true;
    for (JobInput& input : inputs)
        input.mustFit = input.mustFit || isAnimation(input);
}

/// If archives differ only in their extensions, they may contain characters of the same name. Then the folders of their
/// outputs get the archives' whole names.
void separateArchives(std::vector<PlanItem>& items) {
    const auto folderOf = [](const PlanItem& item) { return core::lowerCase(toUtf8(item.ofArchive)); };
    std::map<std::string, std::set<std::string>> archives;
    for (const PlanItem& item : items)
        archives[folderOf(item)].insert(item.archive);
    for (PlanItem& item : items)
        if (!item.archive.empty() && archives[folderOf(item)].size() > 1)
            item.below = (item.ofArchive.parent_path() / fromUtf8(item.archive).filename() /
                          item.below.lexically_relative(item.ofArchive))
                             .lexically_normal();
}

/// The entries that match a pattern.
void expandEntries(const std::string& input, const Request& request, std::vector<PlanItem>& items) {
    const InputOptions& options = request.recipe->options.input;
    try {
        const std::vector<std::string> found = options.files->matching(input, options.limits);
        if (found.empty())
            items.push_back({fromUtf8(input), {}, false, {}, nullptr, Failure{input + ": there is no such entry"}});
        for (const std::string& entry : found)
            items.push_back({fromUtf8(entry), belowPattern(entry, input)});
    } catch (const core::DecodeError&) {
        items.push_back({fromUtf8(input), {}, false, {}, nullptr, currentFailure()});
    }
}

/// Skips devices, pipes, and links to folders.
void skipOthers(const FolderContent& content, Plan& plan) {
    for (const fs::path& link : content.links)
        plan.skip(toUtf8(link), "is a link to a folder");
    for (const fs::path& device : content.devices)
        plan.skip(toUtf8(device), "is a device or a pipe");
}

std::vector<JobFile> jobsIn(const fs::path& path, const core::Limits& limits) {
    const File file = commandFiles()->read(toUtf8(path), limits);
    return core::inFile(toUtf8(path), [&] { return parseJobFile(file.bytes); });
}

/// For forms with one clip per file, every clip becomes an output.
std::vector<Job> splitByClips(std::vector<Job> jobs, const Request& request) {
    for (Job& job : jobs)
        if (job.recipe == request.recipe)
            job.isPerClip = formOf(job.output).clipWriter != nullptr;
    return jobs;
}

bool isRigInFolder(const PlanItem& item) {
    return item.inFolder && item.format != nullptr && item.format->kind == Kind::skeleton;
}

/// The output of a job. The command line's -o takes precedence. If it is a folder, the job's output keeps its name.
std::string outputOf(const std::string& job, const PlanItem& item, const std::string& commandLine) {
    if (commandLine.empty())
        return job;
    if (!namesFolder(commandLine))
        return commandLine;
    const fs::path folder = fromUtf8(commandLine) / item.below / "";
    return toUtf8(job.empty() || namesFolder(job) ? folder : folder / fromUtf8(job).filename());
}

/// The value of -o for an input that becomes several outputs.
std::string folderToName(const Request& request) {
    const bool isBareName =
        !request.output.empty() && request.output != kStandardStream && !fromUtf8(request.output).has_extension();
    return isBareName ? asWord(request.output + "/") : "FOLDER/";
}

/// The outputs of a folder's animations. A skeleton of the same name then needs no output, since the animation's output
/// includes it.
std::set<fs::path> outputsOfAnimations(const std::vector<PlanItem>& items) {
    std::set<fs::path> outputs;
    for (const PlanItem& item : items)
        if (item.inFolder && item.format != nullptr && item.format->kind == Kind::animation &&
            item.use == PlanItem::Use::output) {
            if (item.isPlain())
                outputs.insert(outputNameOf(item));
            for (const ModelSummary& model : item.models)
                outputs.insert(outputNameOf(item, model));
        }
    return outputs;
}

std::vector<Job> allInOne(std::vector<PlanItem> items, const Request& request) {
    const fs::path output = fromUtf8(request.output);
    checkExtension(items, request);
    std::vector<Job> jobs;
    Job all{{}, output, request.recipe};
    for (PlanItem& item : items) {
        std::move(item.jobs.begin(), item.jobs.end(), std::back_inserter(jobs));
        for (Failure& failure : item.missing)
            jobs.push_back(failedJob(item.path, std::move(failure)));
        if (item.failure)
            jobs.push_back(failedJob(item.path, std::move(*item.failure)));
        else if (item.models.size() > 1)
            throw UsageError(refusalOfSeveral(item));
        else if (!isJobFile(item.path) && item.use == PlanItem::Use::output && (item.isPlain() || !item.models.empty()))
            std::ranges::move(inputsOf(item, item.isPlain() ? "" : item.models.front().id),
                              std::back_inserter(all.inputs));
    }
    leaveOutMisfits(all);
    if (!all.inputs.empty())
        jobs.push_back(std::move(all));
    return jobs;
}

class Planner {
  public:
    Planner(const RequestOfJob& requestOfJob, unsigned threads) : requestOfJob_(requestOfJob), threads_(threads) {}

    std::vector<Job> jobsOf(const Request& request) {
        std::vector<PlanItem> items;
        for (const std::string& input : request.inputs)
            expand(input, request, items);
        lookInto(items, request);
        joinCopies(items);
        nameOutputs(items, request.output.empty() ? ModelsIn::none : ModelsIn::names, request.recipe->options.input);
        const bool isOneEach = request.output.empty() || namesFolder(request.output);
        linkItems(items, *request.recipe, charactersFor(request), isOneEach ? OutputsOf::each : OutputsOf::all);
        std::vector<Job> jobs = isOneEach ? oneEach(std::move(items), request, fromUtf8(request.output))
                                          : allInOne(std::move(items), request);
        addAnimations(jobs, request);
        return jobs;
    }

    Plan take(std::vector<Job> jobs) {
        plan_.jobs = std::move(jobs);
        plan_.isBatch = plan_.isBatch || plan_.jobs.size() > 1;
        return std::move(plan_);
    }

  private:
    void expand(const std::string& input, const Request& request, std::vector<PlanItem>& items) {
        const fs::path path = fromUtf8(input);
        if (input == kStandardStream || core::exists(path) || !core::isPattern(input))
            return addPath(path, {}, request, items);
        plan_.isBatch = true;
        if (request.recipe->options.input.files->namesEntry(input))
            return expandEntries(input, request, items);
        std::vector<fs::path> found = matching(path);
        std::erase_if(found, [this](const fs::path& file) { return isPassedOver(file); });
        if (found.empty())
            items.push_back({path, {}, false, {}, nullptr, Failure{input + ": there is no such file"}});
        for (const fs::path& file : found) {
            const std::size_t first = items.size();
            addPath(file, file.lexically_relative(folderOfPattern(path)).parent_path(), request, items);
            for (std::size_t i = first; i < items.size(); ++i)
                items[i].isMatch = true;
        }
    }

    CharacterFiles& charactersFor(const Request& request) {
        const InputOptions& options = request.recipe->options.input;
        const std::string fields = options.values.text(kFieldsOption.key).value_or("");
        return charactersOf_.try_emplace(fields, options.files, options.limits, fields).first->second;
    }

    /// True for job files that a job finds: a job that names its own folder must not include itself.
    [[nodiscard]] bool isPassedOver(const fs::path& file) const { return isInJob_ && isJobFile(file); }

    void addPath(const fs::path& path, const fs::path& below, const Request& request, std::vector<PlanItem>& items) {
        if (isMemoriaCharacter(path)) {
            items.push_back({withItsName(path), below});
            return;
        }
        if (path != kStandardStream && isFolder(path)) {
            if (!namesFolder(request.output))
                throw UsageError(fmt::format("{}: is a folder. Add -o {} to convert the files below it", toUtf8(path),
                                             folderToName(request)));
            plan_.isBatch = true;
            addFolder(path, below, items);
        } else {
            items.push_back({path, below});
            items.back().mayBeArchive = path != kStandardStream;
        }
    }

    void addArchive(const fs::path& path, const fs::path& below, const Request& request, std::vector<PlanItem>& items) {
        plan_.namedBy.push_back(path);
        const InputOptions& options = request.recipe->options.input;
        try {
            const fs::path folder = below / fromUtf8(stemOf(toUtf8(path.filename())));
            const std::vector<archives::FoundEntry> entries = options.files->entriesIn(toUtf8(path), options.limits);
            if (entries.empty())
                plan_.skip(toUtf8(path), "contains nothing to convert");
            for (const archives::FoundEntry& found : entries)
                if (found.mayBeCharacter()) {
                    items.push_back({fromUtf8(found.path), folder / fromUtf8(found.folder), true});
                    items.back().inArchive = true;
                    items.back().archive = toUtf8(path);
                    items.back().ofArchive = folder;
                } else {
                    plan_.skip(found.path, "is not a character");
                }
        } catch (const core::DecodeError&) {
            items.push_back({path, below, true, {}, nullptr, currentFailure()});
        }
    }

    void addFolder(const fs::path& folder, const fs::path& below, std::vector<PlanItem>& items) {
        const FolderContent content = contentOf(folder);
        for (const core::DecodeError& error : content.errors)
            items.push_back({fromUtf8(error.file()), below, true, {}, nullptr, Failure{error.what()}});
        for (const fs::path& file : withCharacters(content.files))
            if (!isPassedOver(file))
                items.push_back({.path = file,
                                 .below = below / file.lexically_relative(folder).parent_path(),
                                 .inFolder = true,
                                 .mayBeArchive = true});
        for (const fs::path& link : content.links)
            plan_.notes.push_back(toUtf8(link) + ": is a link to a folder, which is not followed");
        skipOthers(content, plan_);
    }

    /// Examines the items: the jobs of job files, formats, and models. Each file is examined only once, while it is in
    /// memory.
    void lookInto(std::vector<PlanItem>& items, const Request& request) {
        for (PlanItem& item : items)
            if (isJobFile(item.path) && !item.failure)
                readJobs(item, request);
        const auto isEntry = [](const PlanItem& item) { return item.inArchive; };
        recogniseEach(items, request, std::not_fn(isEntry));
        addArchivesAmong(items, request);
        separateArchives(items);
        forgetOnlyArchive(items);
        recogniseEach(items, request, isEntry);
        for (const PlanItem& item : items)
            if (isJobFile(item.path) || (item.format != nullptr && item.format->traits.holdsModels && !item.inArchive))
                plan_.namedBy.push_back(fileOf(item.path));
    }

    void recogniseEach(std::vector<PlanItem>& items, const Request& request,
                       const std::function<bool(const PlanItem&)>& isWanted) {
        inParts(items.size(), threads_, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last && !interrupted(); ++i) {
                PlanItem& item = items[i];
                if (isJobFile(item.path) || item.failure || !isWanted(item))
                    continue;
                item.joinsGroup = request.groups && item.inFolder;
                item.isArchive = item.mayBeArchive && isWalked(item.path, request);
                item.namesAnother =
                    item.mayBeArchive && item.inFolder && request.recipe->options.input.namesAnother(item.path);
                if (!item.isArchive && !item.namesAnother)
                    recognise(item, *request.recipe);
            }
        });
    }

    /// Replaces archives by their characters, and leaves out files that only name an archive.
    void addArchivesAmong(std::vector<PlanItem>& items, const Request& request) {
        std::vector<PlanItem> all;
        std::erase_if(items, [](const PlanItem& item) { return item.namesAnother; });
        for (PlanItem& item : items)
            if (item.isArchive) {
                if (!namesFolder(request.output))
                    throw UsageError(
                        fmt::format("{0}: is an archive. Add -o {1} to convert everything, or use {0}:NAME "
                                    "for one entry (`reanima list` shows them)",
                                    toUtf8(item.path), folderToName(request)));
                plan_.isBatch = true;
                const std::size_t first = all.size();
                addArchive(item.path, item.below, request, all);
                for (std::size_t i = first; i < all.size(); ++i)
                    all[i].isMatch = item.isMatch;
            } else {
                all.push_back(std::move(item));
            }
        items = std::move(all);
    }

    void readJobs(PlanItem& item, const Request& request) {
        plan_.isBatch = true;
        std::string place = toUtf8(item.path) + ": ";
        try {
            for (const JobFile& job : jobsIn(item.path, request.recipe->options.input.limits)) {
                if (!job.place.empty())
                    place = fmt::format("{}: {}: ", toUtf8(item.path), job.place);
                Request own = requestOfJob_(job, item.path);
                if (std::any_of(own.inputs.begin(), own.inputs.end(), [](const auto& i) { return isJobFile(i); }))
                    throw UsageError("a job file can't be an input of a job file");
                own.output = outputOf(own.output, item, request.output);
                isInJob_ = true;
                for (Job& made : jobsOf(own))
                    item.jobs.push_back(std::move(made));
                isInJob_ = false;
            }
        } catch (...) {
            isInJob_ = false;
            item.failure = currentFailure();
            if (!item.failure->message.starts_with(toUtf8(item.path)))
                item.failure->message.insert(0, place);
        }
        for (const Job& job : item.jobs)
            for (const JobInput& input : job.inputs)
                inJobs_.insert(input.path.lexically_normal());
    }

    /// @param folder the output folder; empty: an input has one output, in the current folder
    std::vector<Job> oneEach(std::vector<PlanItem> items, const Request& request, const fs::path& folder) {
        std::ranges::move(strayNotes(items), std::back_inserter(plan_.notes));
        const std::set<fs::path> animated = outputsOfAnimations(items);
        std::vector<Job> jobs;
        std::map<fs::path, std::size_t> groups;  // job numbers by output
        for (PlanItem& item : items) {
            if (folder.empty() && item.models.size() > 1)
                item.failure = Failure{refusalOfSeveral(item), kUsage};
            if (item.failure) {
                jobs.push_back(failedJob(item.path, std::move(*item.failure)));
                continue;
            }
            std::move(item.jobs.begin(), item.jobs.end(), std::back_inserter(jobs));
            const bool rigIsInside = isRigInFolder(item) && animated.contains(outputNameOf(item));
            if (item.use == PlanItem::Use::none)
                plan_.skip(toUtf8(item.path), "belongs to no character");
            if (item.use == PlanItem::Use::copy)
                plan_.skip(toUtf8(item.path), "contains the same characters as an earlier archive");
            if (isJobFile(item.path) || rigIsInside || item.use != PlanItem::Use::output ||
                (item.inFolder && inJobs_.contains(item.path.lexically_normal())))
                continue;
            if (item.isNothing())
                plan_.skip(toUtf8(item.path), item.nothingBecause);
            else if (!item.skeleton.empty() && item.isPlain())
                addToGroup(item, request, folder, groups, jobs);
            else
                addJobsOf(item, request, folder, jobs);
        }
        return splitByClips(std::move(jobs), request);
    }

    const RequestOfJob& requestOfJob_;
    unsigned threads_;
    Plan plan_;
    std::map<std::string, CharacterFiles> charactersOf_;  ///< by the file or folder with the links
    std::set<fs::path> inJobs_;                           ///< files named by job files
    bool isInJob_ = false;                                ///< true while a job file's inputs are expanded
};

/// True for a file with a skeleton's file name, whatever its content.
bool isCalledLikeSkeleton(const fs::path& path) {
    const std::string extension = core::extensionOf(nameOf(path));
    return std::ranges::any_of(formats(), [&](const Format* format) {
        return format->kind == Kind::skeleton && !format->traits.sharesExtensions &&
               std::ranges::find(format->extensions, extension) != format->extensions.end();
    });
}

}  // namespace

bool isMain(const Job& job, const JobInput& input) {
    const auto isMoved = [](const JobInput& each) {
        return !each.link && !each.isCopy &&
               (isCharacter(each) || (each.format == nullptr && isCalledLikeSkeleton(each.path)));
    };
    if (job.isGroup)
        return false;
    return std::ranges::any_of(job.inputs, isMoved) ? isMoved(input) : &input == &job.inputs.front();
}

void Plan::skip(const std::string& path, std::string_view why) {
    skipped.push_back(fmt::format("{}: skipped: {}", path, why));
}

std::size_t Plan::inputCount() const {
    std::size_t count = 0;
    for (const Job& job : jobs)
        count += static_cast<std::size_t>(
            std::ranges::count_if(job.inputs, [](const JobInput& input) { return !input.link; }));
    return count;
}

bool Plan::isOneFile() const {
    const fs::path* first = nullptr;
    for (const Job& job : jobs)
        for (const JobInput& input : job.inputs) {
            if (input.link)
                continue;
            if (first != nullptr && *first != input.path)
                return false;
            first = &input.path;
        }
    return first != nullptr;
}

Recipe::Outputs outputsNamedBy(const std::vector<std::string>& inputs, const std::string& output) {
    using enum Recipe::Outputs;
    if (!output.empty())
        return namesFolder(output) ? several : one;
    if (inputs.size() != 1 || isJobFile(fromUtf8(inputs.front())))
        return several;
    const bool isOne = inputs.front() == kStandardStream || isFile(fileOf(fromUtf8(inputs.front())));
    return isOne ? one : several;
}

void requireInputs(const Job& job) {
    const auto isKnown = [](const JobInput& input) { return input.format != nullptr; };
    if (!job.recipe || std::ranges::none_of(job.inputs, isKnown))
        return;
    for (const JobInput& input : job.inputs)
        if (!isKnown(input) && !input.held)
            job.recipe->options.input.requireKnownInput(toUtf8(input.path));
}

void refuseNamesForAny(const Plan& plan) {
    const auto isNumber = [](const auto& line) { return std::ranges::all_of(line.first, core::isDigit); };
    std::map<const Recipe*, std::size_t> outputs;
    for (const Job& job : plan.jobs)
        if (job.recipe && std::ranges::any_of(job.recipe->settings.names.clips, isNumber) &&
            ++outputs[job.recipe.get()] > 1)
            throw UsageError(
                "--names: there are several outputs, so each line with a clip's number needs a column for the file: "
                "clip,INDEX,NAME,FILE");
}

Plan makePlan(const Request& request, const RequestOfJob& requestOfJob, unsigned threads) {
    Planner planner(requestOfJob, threads);
    return planner.take(planner.jobsOf(request));
}

}  // namespace reanima::tool
