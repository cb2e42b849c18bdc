#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/body_surface.h"
#include "core/text.h"
#include "core/text_pattern.h"
#include "drawing/contact_sheet.h"
#include "drawing/preview_page.h"
#include "formats/common_options.h"
#include "formats/registry.h"
#include "pictures/canvas.h"
#include "pictures/png.h"
#include "pipeline/joint_roles.h"
#include "tools/reanima/front/output_form.h"
#include "tools/reanima/front/recipe.h"
#include "tools/reanima/jobs/batch_messages.h"
#include "tools/reanima/jobs/gltf_output.h"
#include "tools/reanima/jobs/job_runner.h"
#include "tools/reanima/jobs/job_words.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

struct PreviewOptions {
    ConversionOptions conversion;
    std::vector<std::string> files;
    std::string output;
    bool force = false;
    double pageSize = 20;                    ///< limit for a page in one file, in MB
    std::vector<std::string> commandLine{};  ///< the words that the options were read from
};

enum class Form { sheet, page };

void declareOptions(Arguments& arguments, PreviewOptions& options) {
    arguments.list("INPUT", options.files, "",
                   "animations, skeletons and videos, or folders and archives that contain them. Job files "
                   "(NAME.reanima.json) are also possible");
    arguments.text("-o,--output", options.output, "OUT",
                   "SHEET.png or PAGE.html. Default: the input's name with .html, in the current folder");
    arguments.flag("--force", options.force, "replace an output that exists");
    arguments.count(
        "--page-size", 0, 1000, [&options](double megabytes) { options.pageSize = megabytes; }, "MB",
        "if the page would exceed MB megabytes, put its characters into a folder beside it. Default: 20");
    addConversionOptions(arguments, options.conversion);
}

ConversionOptions withInputs(ConversionOptions conversion, const std::vector<std::string>& inputs) {
    conversion.input.motion = inputs;
    return conversion;
}

std::shared_ptr<Recipe> recipeFor(ConversionOptions conversion, Form form) {
    auto recipe = std::make_shared<Recipe>(std::move(conversion),
                                           form == Form::page ? Recipe::Outputs::one : Recipe::Outputs::drawn);
    recipe->refuseWithoutRig();
    recipe->settings.endJoints = recipe->settings.endJoints || form == Form::page;
    return recipe;
}

/// Turns job files into requests.
class JobsToPreview {
  public:
    JobsToPreview(const PreviewOptions& options, Form form)
        : form_(form),
          reader_(
              own_.conversion, [this](Arguments& arguments) { declareOptions(arguments, own_); }, options.commandLine) {
    }

    Request of(const JobFile& job, const fs::path& jobFile) {
        reader_.read(job, jobFile);
        own_.conversion.form = &outputFormOf(own_.conversion.as, job.output);
        const std::vector<std::string> inputs = inputsOf(job, jobFile);
        return {inputs, outputOf(job, jobFile), recipeFor(withInputs(own_.conversion, inputs), form_), false};
    }

  private:
    Form form_;
    PreviewOptions own_;  ///< options of the current job
    JobReader reader_;
};

/// @throws UsageError
Form previewFormOf(const fs::path& output) {
    const std::string extension = lowerCase(toUtf8(output.extension()));
    if (extension == ".html")
        return Form::page;
    if (extension != ".png")
        throw UsageError("preview: -o must name SHEET.png or PAGE.html");
    if constexpr (!pictures::kCanDraw)
        throw UsageError("preview: this build can't draw sheets. Use -o PAGE.html");
    return Form::sheet;
}

/// A short summary of a page's content.
std::string summaryOf(std::span<const drawing::Previewed> items) {
    std::size_t clips = 0;
    std::size_t videos = 0;
    for (const drawing::Previewed& item : items) {
        clips += item.asset.clips.size();
        videos += item.asset.video ? 1 : 0;
    }
    const std::size_t characters = items.size() - videos;
    std::string text;
    if (characters > 0)
        text = fmt::format("{} character{}, {} clip{}", characters, characters == 1 ? "" : "s", clips,
                           clips == 1 ? "" : "s");
    if (videos > 0)
        text += fmt::format("{}{} video{}", text.empty() ? "" : ", ", videos, videos == 1 ? "" : "s");
    return text;
}

std::optional<roles::Anatomy> anatomyOf(const core::Asset& asset, const Settings& settings,
                                        core::Diagnostics& diagnostics) {
    if (!asset.skeleton)
        return std::nullopt;
    return settings.rig ? rolesOfRig(*settings.rig, settings.names, settings.map, diagnostics)
                        : rolesOfSource(asset, settings.names, settings.map);
}

/// Prints each message once in a run, since models of one file, and files with the same companions, repeat messages.
/// Many messages of one kind are summed up.
class Messages {
  public:
    Messages(const Console& console, std::size_t characters) : console_(console), messages_(console, characters) {}

    void print(const core::Diagnostics& diagnostics) const {
        core::Diagnostics unsaid;
        for (const core::Warning& warning : diagnostics.warnings())
            if (!console_.policy.isForPlayers(warning) && said_.emplace(keyOf(warning), warning.place.offset).second &&
                messages_.isPrinted(warning))
                unsaid.add(warning);
        console_.print(unsaid);
    }

    void sumUp() const { messages_.sumUp(); }

  private:
    /// What makes messages equal. A note about several files is shown only for the first file.
    static std::string keyOf(const core::Warning& warning) {
        return warning.severity == core::Warning::Severity::note ? warning.text : warning.message();
    }

    const Console& console_;
    mutable BatchMessages messages_;
    mutable std::set<std::pair<std::string, std::optional<std::uint64_t>>> said_;
};

/// Collects the inputs of the outputs that `convert` would make.
class Collection {
  public:
    Collection(const PreviewOptions& options, fs::path output, const Console& console, Form form)
        : options_(options),
          isPage_(form == Form::page),
          output_(std::move(output)),
          console_(console),
          recipe_(recipeFor(withInputs(options.conversion, options.files), form)) {
        std::optional<JobsToPreview> requests;
        const auto ofJob = [&](const JobFile& job, const fs::path& file) {
            return (requests ? *requests : requests.emplace(options, form)).of(job, file);
        };
        plan_ = makePlan({options.files, "./", recipe_, false}, ofJob, 1);
        refuseNamesForAny(plan_);
        messages_.emplace(console, plan_.jobs.size());
    }

    [[nodiscard]] std::size_t jobs() const { return plan_.jobs.size(); }

    /// Call it before an existing output is refused. @throws core::DecodeError
    void requireAllInputs() const {
        for (const std::string& file : options_.files)
            if (!core::isPattern(file))
                options_.conversion.input.requireKnownInput(file);
        for (const Job& job : plan_.jobs)
            requireInputs(job);
    }

    /// Loads the inputs. Unreadable ones are reported, and the others are shown.
    void load(ProgressLine& progress) {
        const RunOptions run{.policy = console_.policy,
                             .onlyInput = plan_.jobs.size() == 1,
                             .skipsOthers = plan_.isBatch,
                             .besides = {output_},
                             .looks = isPage_ ? gltf::Looks::leftOut : gltf::Looks::read};
        for (const Job& job : plan_.jobs) {
            if (interrupted())
                return;
            LoadedJob loaded = loadJob(job, run);
            progress.hide();
            report(loaded.result);
            if (loaded.asset)
                add(job, *std::move(loaded.asset), *loaded.first->input.format, std::move(loaded.own));
            progress.step();
        }
    }

    [[nodiscard]] const std::vector<drawing::Previewed>& items() const { return items_; }
    [[nodiscard]] const core::Limits& limits() const { return recipe_->settings.limits; }
    [[nodiscard]] int status() const { return status_; }

    /// Prints the number of unprinted messages of each kind.
    void sumUp() const { messages_->sumUp(); }

  private:
    void report(const JobResult& result) {
        if (result.target != nullptr)
            messages_->print(result.target->diagnostics);
        for (const InputReport& each : result.reports) {
            messages_->print(each.diagnostics);
            if (each.failure && !each.failure->isQuiet && !result.failure)
                console_.error(each.failure->message);
        }
        if (result.failure)
            console_.error(result.failure->message);
        status_ = std::max(status_, result.status);
    }

    /// @param own the input's own file, if it contains the meshes
    void add(const Job& job, core::Asset asset, const Format& format, std::optional<Target> own) {
        const std::string path = toUtf8(job.inputs.front().path);
        if (isPicture(asset)) {
            console_.error(path + ": is an image. Use `reanima convert` to make a .png from it");
            status_ = std::max<int>(status_, kInputFailed);
            return;
        }
        const Recipe& recipe = *job.recipe;
        if (formatNamed(std::string(format.id)) == nullptr && !recipe.hasRigFile() && !own && !isSaid_) {
            isSaid_ = true;
            console_.say(path + ": files of other programs are shown as bones, without their meshes");
        }
        Settings settings = recipe.settingsFor(format);
        settings.names = namesFor(settings.names, path, asset.model);
        const bool isBare = asset.skeleton && asset.meshes.empty() && !settings.options.flag(kNoMeshOption.key);
        const bool keepsRigFile = isBare && isPage_ && recipe.keepsMesh();
        if (settings.rig && isBare && !keepsRigFile)
            core::dressAsRig(asset, *settings.rig, settings.rigScale.value_or(1));
        if (own && !isPage_)
            core::dressAsRig(asset, *own->rig, 1);
        core::Diagnostics diagnostics;
        const std::optional<roles::Anatomy> anatomy = anatomyOf(asset, settings, diagnostics);
        messages_->print(diagnostics);
        std::string name = nameOf(job, asset.called);
        items_.push_back(
            drawing::previewOf(std::move(name), path, std::move(asset), anatomy.value_or(roles::Anatomy{})));
        if (keepsRigFile)
            items_.back().file = [this, target = recipe.targetFor(format)](const core::Asset& bound,
                                                                           const core::Limits& limits) {
                return onRig(*target, bound, {}, limits);
            };
        if (own && isPage_)
            items_.back().file = [this, target = std::make_shared<const Target>(*std::move(own))](
                                     const core::Asset& bound, const core::Limits& limits) {
                return onRig(*target, bound, {.replacesAnimations = true}, limits);
            };
    }

    /// The target's own file with the clips added.
    [[nodiscard]] core::ByteVector onRig(const Target& target, const core::Asset& bound,
                                         const gltf::GltfOptions& options, const core::Limits& limits) const {
        core::Diagnostics diagnostics;
        core::ByteVector file = fileOnRig(target, bound, options, limits, diagnostics).bytes.joined();
        messages_->print(diagnostics);
        return file;
    }

    /// The character's name. If unknown, the file's name, with the model's id if the file has several outputs.
    [[nodiscard]] std::string nameOf(const Job& job, const core::Called& called) const {
        if (!called.title.empty())
            return called.title;
        const JobInput& first = job.inputs.front();
        std::string name = toUtf8(first.path.filename());
        const auto isOfSameFile = [&](const Job& other) {
            return !other.inputs.empty() && other.inputs.front().path == first.path;
        };
        const bool isOneOfSeveral =
            !options_.conversion.models.empty() || std::ranges::count_if(plan_.jobs, isOfSameFile) > 1;
        if (!first.model.empty() && isOneOfSeveral)
            name += " " + first.model;
        return name;
    }

    const PreviewOptions& options_;
    bool isPage_;
    fs::path output_;
    const Console& console_;
    std::shared_ptr<Recipe> recipe_;
    std::optional<Messages> messages_;
    Plan plan_;
    std::vector<drawing::Previewed> items_;
    bool isSaid_ = false;  ///< true after the message that meshes are not drawn
    int status_ = kDone;
};

/// The names of inputs for an error about several inputs.
std::string namesOf(const std::vector<std::string>& files) {
    constexpr std::size_t kMost = 3;
    const std::size_t named = std::min(files.size(), kMost);
    std::string text =
        fmt::format("{}", fmt::join(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(named), ", "));
    return files.size() > named ? fmt::format("{} and {} more", text, files.size() - named) : text;
}

/// Writes a page. First writes its parts into a folder beside it, so that they exist when the page appears.
void writePage(const drawing::PreviewPage& page, const PreviewOptions& options, const fs::path& output,
               const fs::path& folder) {
    if (!page.parts.empty()) {
        if (!options.force)
            refuseExisting({folder});
        OutputFolder parts(folder);
        for (const drawing::PagePart& part : page.parts)
            parts.write(part.name, part.text);
        parts.commit();
    }
    writeOutput(output, page.html);
}

void writePreview(const Collection& collection, const PreviewOptions& options, const fs::path& output,
                  ProgressLine& progress) {
    const std::vector<drawing::Previewed>& items = collection.items();
    const auto step = [&progress] { progress.step(); };
    core::inFile(namesOf(options.files), [&] {
        if (previewFormOf(output) == Form::page) {
            constexpr double kMegabyte = 1e6;
            fs::path folder = output;
            folder.replace_extension(".parts");
            const drawing::PageOptions page{toUtf8(output.stem()),
                                            static_cast<std::uint64_t>(options.pageSize * kMegabyte),
                                            toUtf8(folder.filename())};
            writePage(drawing::previewPage(page, items, collection.limits(), step), options, output, folder);
        } else if constexpr (pictures::kCanDraw) {
            writeOutput(output, pictures::encodePng(drawing::contactSheet(items, step)));
        }
    });
}

int preview(const PreviewOptions& options, const Console& console) {
    if (options.files.empty())
        throw UsageError("preview: name at least one input; `reanima preview -h` shows how it is used");
    const fs::path output =
        fromUtf8(options.output.empty() ? stemOfOutput(options.files.front()) + ".html" : options.output);
    const Form form = previewFormOf(output);
    std::vector<fs::path> inputs;
    for (const std::string& file : options.files) {
        inputs.push_back(fromUtf8(file));
        if (lowerCase(toUtf8(inputs.back().extension())) == ".html" && isFile(inputs.back()))
            throw UsageError(fmt::format("{}: is already a page. Open it in a browser", file));
    }
    refuseClashes({output}, inputs);
    Collection collection(options, output, console, form);
    if (!options.force && existsAsFile(output))
        collection.requireAllInputs();
    if (!options.force)
        refuseExisting({output});
    ProgressLine progress(console, "making the preview", 2 * collection.jobs());
    collection.load(progress);
    if (interrupted())
        return kInterrupted;
    if (collection.items().empty() && collection.status() != kDone)
        return collection.status();
    if (collection.items().empty())
        throw core::DecodeError("contains no game files to show. Name files of other programs directly")
            .inFile(namesOf(options.files));
    writePreview(collection, options, output, progress);
    progress.hide();
    collection.sumUp();
    console.say(fmt::format("wrote {}: {}", toUtf8(output), summaryOf(collection.items())));
    return collection.status();
}

}  // namespace

const Verb kPreview = {"preview",
                       "INPUT... [-o OUT]",
                       "shows clips at a glance, in a page for the browser or in an image",
                       "output force skeleton clip names model no-mesh",
                       "  reanima preview rtda                   # rtda.html, to open in a browser\n"
                       "  reanima preview rtda -o clips.png      # an image with a row for each clip\n"
                       "  reanima preview battle.lgp             # everything in an archive",
                       [](Arguments& arguments, Console& console) -> std::function<int()> {
                           const auto options = std::make_shared<PreviewOptions>();
                           options->commandLine = arguments.words();
                           declareOptions(arguments, *options);
                           addConsoleOptions(arguments, console);
                           return [options, &console] {
                               options->conversion.input.lookAlsoIn(options->files);
                               return preview(*options, console);
                           };
                       }};

}  // namespace reanima::tool
