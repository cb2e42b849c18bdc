#include <algorithm>

#include <fmt/format.h>

#include "core/text.h"
#include "drawing/contact_sheet.h"
#include "drawing/preview_page.h"
#include "formats/common_options.h"
#include "formats/load.h"
#include "pictures/canvas.h"
#include "pictures/png.h"
#include "pipeline/joint_roles.h"
#include "pipeline/pipeline.h"
#include "tools/reanima/front/recipe.h"
#include "tools/reanima/jobs/gltf_output.h"
#include "tools/reanima/jobs/models.h"
#include "tools/reanima/jobs/plan.h"
#include "tools/reanima/system/failure.h"
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
};

enum class Form { sheet, page };

/// @throws UsageError
Form formOf(const fs::path& output) {
    const std::string extension = lowerCase(toUtf8(output.extension()));
    if (extension == ".html")
        return Form::page;
    if (extension != ".png")
        throw UsageError("preview: -o must name SHEET.png or PAGE.html");
    if constexpr (!pictures::kCanDraw)
        throw UsageError("preview: this build draws no sheets; -o PAGE.html works");
    return Form::sheet;
}

/// An input with what the command line says about it.
class Source {
  public:
    Source(const Recipe& recipe, const std::string& path)
        : recipe_(recipe),
          path_(path),
          input_(recipe.options.input.read(path)),
          companions_(withFoundCompanions(input_, recipe.companionsFor(formatOf(input_)))),
          settings_(recipe.settingsFor(formatOf(input_))) {}

    [[nodiscard]] std::vector<fs::path> files() const { return pathsOf(input_, companions_); }

    /// The ends of bones get joints.
    void addEndJoints() { settings_.endJoints = true; }

    /// Everything in it: a character per model, or a video.
    void addTo(std::vector<drawing::Previewed>& items, core::Diagnostics& diagnostics) const {
        const std::vector<std::string>& wanted = recipe_.options.models;
        core::Diagnostics repeated;  // loading says the same again
        Context survey{recipe_.options.input.values, settings_.limits, repeated, interrupted};
        const std::vector<ModelSummary> all = modelsOf(input_, companions_, survey);
        for (const std::string& id : wanted)
            if (std::ranges::find(all, id, &ModelSummary::id) == all.end())
                throw core::DecodeError(holdsNoModel(id, all)).inFile(path_);
        const std::vector<ModelSummary> models = convertedModels(all);
        if (wanted.empty() && models.size() < 2) {
            items.push_back(loaded({}, diagnostics));
            return;
        }
        requireWithinLimits(models, input_, settings_.limits);
        for (const ModelSummary& model : wanted.empty() ? models : all)
            if (wanted.empty() || std::ranges::find(wanted, model.id) != wanted.end())
                items.push_back(loaded(model.id, diagnostics));
    }

  private:
    [[nodiscard]] drawing::Previewed loaded(const std::string& model, core::Diagnostics& diagnostics) const {
        Settings settings = settings_;
        settings.options = recipe_.options.input.values;
        if (!model.empty())
            settings.options.set(kModelOption.key, model);
        Context context{settings.options, settings.limits, diagnostics, interrupted};
        core::Asset asset = load(input_, companions_, context);
        refuseEmpty(asset, input_);
        if (isPicture(asset))
            throw core::DecodeError("is a picture: `reanima convert` makes a .png of it").inFile(path_);
        asset = applySettings(std::move(asset), settings, input_, companions_, context).asset;
        std::string name = toUtf8(fromUtf8(path_).filename());
        if (!model.empty())
            name += " " + model;
        const auto anatomy = !asset.skeleton ? std::nullopt : anatomyOf(asset, settings, diagnostics);
        return drawing::previewOf(std::move(name), std::move(asset), anatomy.value_or(roles::Anatomy{}));
    }

    [[nodiscard]] static std::optional<roles::Anatomy> anatomyOf(const core::Asset& asset, const Settings& settings,
                                                                 core::Diagnostics& diagnostics) {
        return settings.rig ? rolesOfRig(*settings.rig, settings.names, settings.map, diagnostics)
                            : rolesOfSource(asset, settings.names, settings.map);
    }

    const Recipe& recipe_;
    std::string path_;
    Input input_;
    Companions companions_;
    Settings settings_;
};

/// What a file holds, in a few words.
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

/// Collects what files, folders and archives hold.
class Collection {
  public:
    Collection(const PreviewOptions& options, const Console& console)
        : console_(console), output_(fromUtf8(options.output)), recipe_(std::make_shared<Recipe>(options.conversion)) {
        recipe_->refuseWithoutRig();
    }

    /// What can't be read is an error where the user names it. In a folder or an archive the others are shown.
    void add(const std::string& path, Form form) {
        const InputOptions& input = recipe_->options.input;
        const bool isWalked =
            isFolder(fromUtf8(path)) || (input.format.empty() && input.folderFormatOf(path) != nullptr);
        if (!isWalked) {
            addFile(path, form);
            return;
        }
        const auto refuseJob = [](const JobFile&, const fs::path& file) -> Request {
            throw UsageError(toUtf8(file) + ": job files are for convert");
        };
        std::string before;
        for (const Job& job : makePlan({{path}, "./", recipe_, false}, refuseJob, 1).jobs) {
            const std::string part = toUtf8(job.inputs.front().path);
            if (std::exchange(before, part) == part)
                continue;  // another model of the same file
            try {
                if (job.failure)
                    throw core::DecodeError(job.failure->message);
                addFile(part, form);
            } catch (const core::DecodeError&) {
                console_.error(currentFailure().message);
                status_ = kInputFailed;
            }
        }
    }

    [[nodiscard]] const std::vector<drawing::Previewed>& items() const { return items_; }
    [[nodiscard]] const core::Diagnostics& diagnostics() const { return diagnostics_; }
    [[nodiscard]] const core::Limits& limits() const { return recipe_->settings.limits; }
    [[nodiscard]] int status() const { return status_; }

  private:
    void addFile(const std::string& path, Form form) {
        Source source(*recipe_, path);
        refuseClashes({output_}, source.files());
        if (form == Form::page)
            source.addEndJoints();
        source.addTo(items_, diagnostics_);
    }

    const Console& console_;
    fs::path output_;
    std::shared_ptr<const Recipe> recipe_;
    std::vector<drawing::Previewed> items_;
    core::Diagnostics diagnostics_;
    int status_ = kDone;
};

int preview(const PreviewOptions& options, const Console& console) {
    if (options.files.empty())
        throw UsageError("preview: name at least one input");
    const fs::path output = fromUtf8(options.output);
    const Form form = formOf(output);
    std::vector<fs::path> inputs;
    for (const std::string& file : options.files)
        inputs.push_back(fromUtf8(file));
    refuseClashes({output}, inputs);
    if (!options.force)
        refuseExisting({output});
    Collection collection(options, console);
    for (const std::string& file : options.files)
        collection.add(file, form);
    console.print(collection.diagnostics());
    if (console.policy.fails(collection.diagnostics()))
        throw core::DecodeError("warnings count as errors").inFile(options.files.front());
    const std::vector<drawing::Previewed>& items = collection.items();
    if (items.empty())
        throw core::DecodeError("holds nothing to show").inFile(options.files.front());
    if (form == Form::page)
        writeOutput(output, drawing::previewPage(toUtf8(output.stem()), items, collection.limits()));
    else if constexpr (pictures::kCanDraw)
        writeOutput(output, pictures::encodePng(drawing::contactSheet(items)));
    console.say(fmt::format("wrote {}: {}", options.output, summaryOf(items)));
    return collection.status();
}

}  // namespace

const Verb kPreview = {
    "preview", "clips at a glance: a picture with a row of poses for each, or a page that plays them",
    "  reanima preview rtda -o clips.png                        (find the clip that you want)\n"
    "  reanima preview rtda -o clips.html                       (open it in a browser; no network is needed)",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<PreviewOptions>();
        arguments.list("INPUT", options->files, "",
                       "animations, skeletons and videos; folders and archives: everything in them");
        arguments.requiredText("-o,--output", options->output, "OUT", "SHEET.png or PAGE.html");
        arguments.flag("--force", options->force, "replace an output that exists");
        addConversionOptions(arguments, options->conversion);
        addConsoleOptions(arguments, console);
        return [options, &console] { return preview(*options, console); };
    }};

}  // namespace reanima::tool
