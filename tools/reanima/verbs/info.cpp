#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "formats/common_options.h"
#include "formats/dump.h"
#include "formats/foreign_files.h"
#include "formats/format.h"
#include "formats/load.h"
#include "gltf_export/glb_chunks.h"
#include "measures/clip_facts.h"
#include "measures/mesh_facts.h"
#include "pipeline/joint_roles.h"
#include "pipeline/linked_clips.h"
#include "pipeline/memoria_folder.h"
#include "tools/reanima/front/binding.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/front/names_template.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/front/text_table.h"
#include "tools/reanima/jobs/contents.h"
#include "tools/reanima/jobs/joint_lists.h"
#include "tools/reanima/jobs/mesh_lists.h"
#include "tools/reanima/jobs/models.h"
#include "tools/reanima/jobs/walk.h"
#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace {

struct InfoOptions {
    InputOptions input;
    std::vector<std::string> files;
    std::vector<std::string> models{};  ///< ids, names or patterns; empty: all
    bool json = false;
    bool namesTemplate = false;
};

/// The roles of the joints, by files and motion.
roles::Anatomy anatomyOf(const core::Asset& asset) { return rolesOfSource(asset, {}, {}).value_or(roles::Anatomy{}); }

/// Whether a clip loops, as its file states. If the file does not state it: whether the clip's end meets its start.
const char* loopWord(const core::Clip& clip, const measures::ClipFacts& facts) {
    if (clip.loop)
        return *clip.loop ? "yes" : "no";
    return facts.isClosed ? "closed" : "-";
}

Json messagesOf(const core::Diagnostics& diagnostics) {
    Json messages = Json::array();
    for (const core::Warning& warning : diagnostics.warnings())
        messages.push_back(warning.message(flagWording));
    return messages;
}

std::string asTable(const core::ImageSequence& images) {
    return fmt::format("{} frames of {} x {} pixels{}, {:.6g} per second ({}/{}), {:.3f} s{}\n", images.count,
                       images.shownWidth(), images.shownHeight(), images.transposed ? " (stored transposed)" : "",
                       images.rate(), images.rateNumerator, images.rateDenominator, images.timeOf(images.count),
                       images.palindrome ? ", plays forward and then back" : "");
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

/// Settings for showing files.
struct Shown {
    const Companions& given;
    CharacterFiles* characters;              ///< finds further animations; null: only the file's own
    const std::vector<std::string>& models;  ///< ids of models to show; empty: all
    bool isNamed = true;                     ///< false for files in a folder or archive
};

/// Loads a file. Files without anything to convert are only read, and the asset is empty.
core::Asset loadOrRead(const Input& input, const Shown& shown, Context& context) {
    if (!formatOf(input).traits.isConverted) {
        (void)dump(input, shown.given, context);
        return {};
    }
    try {
        return shown.characters == nullptr ? load(input, shown.given, context)
                                           : loadWithLinked(input, shown.given, context, *shown.characters).asset;
    } catch (const core::DecodeError& error) {
        if (shown.isNamed || error.kind() != core::DecodeError::Kind::nothing)
            throw;
        return {};
    }
}

/// Adds only new messages, since every model of a file repeats messages about the file.
class OnlyNew {
  public:
    explicit OnlyNew(core::Diagnostics& all) : all_(all) {
        for (const core::Warning& warning : all.warnings())
            said_.emplace(warning.message(), warning.place.offset);
    }

    void add(const core::Diagnostics& more) {
        for (const core::Warning& warning : more.warnings())
            if (said_.emplace(warning.message(), warning.place.offset).second)
                all_.add(warning);
    }

  private:
    core::Diagnostics& all_;
    std::set<std::pair<std::string, std::optional<std::uint64_t>>> said_;
};

/// Calls use(asset) for a file, or for each of several models in it.
/// @param models the models to show
template <typename Use>
void eachAsset(const Input& input, const Shown& shown, const std::vector<ModelSummary>& models, Context& context,
               const Use& use) {
    const std::vector<ModelSummary> converted = convertedModels(models);
    if (converted.size() < 2 && shown.models.empty()) {
        use(loadOrRead(input, shown, context));
        return;
    }
    requireWithinLimits(converted, input, context.limits);
    OnlyNew news(context.diagnostics);
    for (const ModelSummary& model : converted) {
        OptionValues options = context.options;
        options.set(kModelOption.key, model.id);
        core::Diagnostics diagnostics;
        Context own{options, context.limits, diagnostics, context.cancelled};
        use(loadOrRead(input, shown, own));
        news.add(diagnostics);
    }
}

/// `zidane (GEO_MAIN_F0_ZDN)`
std::string nameOf(const core::Called& called) {
    if (called.title.empty() || called.fullName.empty())
        return core::printable(called.title + called.fullName);
    return fmt::format("{} ({})", called.title, core::printable(called.fullName));
}

/// The models of a file to show. @throws core::DecodeError if a requested one is missing
std::vector<ModelSummary> shownModels(const Input& input, const Shown& shown, const Context& context) {
    core::Diagnostics repeated;  // reported by loading
    Context survey{context.options, context.limits, repeated, context.cancelled};
    std::vector<ModelSummary> models = modelsOf(input, shown.given, survey);
    if (shown.models.empty())
        return models;
    std::vector<std::string> missing;
    std::vector<ModelSummary> chosen = chosenFrom(models, shown.models, missing);
    if (!missing.empty())
        throw core::DecodeError(holdsNoModel(missing.front(), models)).inFile(input.shownName());
    return chosen;
}

std::string asTable(const std::vector<ModelSummary>& models, std::size_t width) {
    constexpr auto kLeft = TableColumn::Side::left;
    TextTable table({{"model"},
                     {.head = "joints", .leftOut = 1},
                     {.head = "groups", .leftOut = 3},
                     {.head = "triangles", .leftOut = 2},
                     {"clips"},
                     {.head = "default", .leftOut = 4},
                     {.head = "name", .side = kLeft}});
    for (const ModelSummary& model : models)
        table.addRow({model.id, fmt::format("{}", model.joints), fmt::format("{}", model.groups),
                      fmt::format("{}", model.triangles), fmt::format("{}", model.clips),
                      model.defaultAnimation ? fmt::format("{}", *model.defaultAnimation) : "-",
                      model.called.isKnown() ? nameOf(model.called) : ""});
    return models.empty() ? "" : "\n" + table.text(width) + "\n";
}

/// The table of clips. Narrow tables have fewer columns.
std::string clipTable(const core::Asset& asset, const roles::Anatomy& anatomy, std::size_t width) {
    constexpr auto kLeft = TableColumn::Side::left;
    TextTable table({{"index"},
                     {.head = "clip", .side = kLeft},
                     {.head = "by", .side = kLeft, .leftOut = 1},
                     {"frames"},
                     {"seconds"},
                     {.head = "loop", .leftOut = 2},
                     {.head = "end to start", .leftOut = 7},
                     {.head = "root travel", .leftOut = 4},
                     {.head = "height", .leftOut = 6},
                     {.head = "turning", .leftOut = 5},
                     {.head = "most", .side = kLeft, .leftOut = 3}});
    for (const core::Clip& clip : asset.clips) {
        const measures::ClipFacts facts = measures::factsOf(*asset.skeleton, clip, anatomy);
        table.addRow({fmt::format("{}", clip.index), core::printable(clip.name), std::string(nameOf(clip.linkedBy)),
                      fmt::format("{}", clip.frames), fmt::format("{:.3f}", clip.duration), loopWord(clip, facts),
                      fmt::format("{:.3f} m {:>5.1f} deg", facts.gap.distance.value, facts.gap.angle.value),
                      fmt::format("{:.3f} m", facts.travel), fmt::format("{:.3f} m", facts.heightChange),
                      fmt::format("{:.0f} deg/s", facts.motion), measures::liveliestOf(facts)});
    }
    return asset.clips.empty() ? "" : "\n" + table.text(width);
}

std::string asTable(const core::Asset& asset, std::size_t width) {
    if (!asset.skeleton)
        return {};
    const core::Skeleton& skeleton = *asset.skeleton;
    std::string text = fmt::format("skeleton: {}, {} joints ({})\n", core::printable(skeleton.name),
                                   skeleton.joints.size(), core::originName(skeleton.origin));
    if (asset.called.isKnown())
        text += fmt::format("character: {}\n", nameOf(asset.called));
    const roles::Anatomy anatomy = anatomyOf(asset);
    return text + clipTable(asset, anatomy, width) + jointTable(skeleton, anatomy, width);
}

std::string asTable(const Input& input, const Shown& shown, Context& context, std::size_t width) {
    const std::vector<ModelSummary> models = shownModels(input, shown, context);
    std::string text = asTable(models, width);
    std::size_t assets = 0;
    eachAsset(input, shown, models, context, [&](const core::Asset& asset) {
        text += (assets++ > 0 ? "\n" : "") + asTable(asset, width) + meshTables(asset, width);
        if (asset.video)
            text += asTable(*asset.video);
    });
    const char* state = isDamaged(context.diagnostics, input.shownName()) ? ", damaged" : "";
    return fmt::format("{}: {}{}\n{}", core::printable(input.shownName()), formatOf(input).label, state, text);
}

Json textOrNull(std::string_view text) { return text.empty() ? Json(nullptr) : Json(core::validUtf8(text)); }

void addName(Json& row, const core::Called& called) {
    row["title"] = textOrNull(called.title);
    row["full_name"] = textOrNull(called.fullName);
    row["named_by"] = nameOf(called.namedBy);
}

Json asJson(const std::vector<ModelSummary>& models) {
    Json list = Json::array();
    for (const ModelSummary& model : models) {
        list.push_back({{"id", modelIdToJson(model.id)},
                        {"joints", model.joints},
                        {"groups", model.groups},
                        {"triangles", model.triangles},
                        {"clips", model.clips},
                        {"default_animation", model.defaultAnimation ? Json(*model.defaultAnimation) : Json(nullptr)}});
        addName(list.back(), model.called);
    }
    return list;
}

/// Appends the clips and joints of an asset. If its file contains several models, each row names its model.
void addRows(const core::Asset& asset, Json& clips, Json& joints) {
    if (!asset.skeleton)
        return;
    const core::Skeleton& skeleton = *asset.skeleton;
    const roles::Anatomy anatomy = anatomyOf(asset);
    const auto add = [&](Json& list, Json row) {
        if (!asset.model.empty())
            row["model"] = modelIdToJson(asset.model);
        list.push_back(std::move(row));
    };
    for (const core::Clip& clip : asset.clips) {
        const measures::ClipFacts facts = measures::factsOf(skeleton, clip, anatomy);
        Json parts = Json::object();
        for (const auto& [part, motion] : facts.parts)
            parts[part] = motion;
        add(clips, {{"index", clip.index},
                    {"name", clip.name},
                    {"id", clip.id},
                    {"full_name", textOrNull(clip.fullName)},
                    {"named_by", nameOf(clip.namedBy)},
                    {"linked_by", textOrNull(nameOf(clip.linkedBy))},
                    {"frames", clip.frames},
                    {"seconds", clip.duration},
                    {"rate", clip.rate},
                    {"gap", {{"metres", facts.gap.distance.value}, {"degrees", facts.gap.angle.value}}},
                    {"root_travel", facts.travel},
                    {"height_change", facts.heightChange},
                    {"loop", clip.loop ? Json(*clip.loop) : Json(nullptr)},
                    {"closed", facts.isClosed},
                    {"turning", facts.motion},
                    {"parts", std::move(parts)}});
    }
    for (Json& row : jointRows(skeleton, anatomy))
        add(joints, std::move(row));
}

Json asJson(const Input& input, const Shown& shown, Context& context) {
    const std::vector<ModelSummary> models = shownModels(input, shown, context);
    Json clips = Json::array();
    Json joints = Json::array();
    Json images = Json::array();
    MeshRows looks;
    Json origin;
    Json character;
    const Format& format = formatOf(input);
    eachAsset(input, shown, models, context, [&](const core::Asset& asset) {
        addRows(asset, clips, joints);
        looks.add(asset, asset.model);
        if (!format.traits.holdsModels && asset.called.isKnown())
            addName(character, asset.called);
        if (asset.skeleton && origin.is_null())
            origin = core::originName(asset.skeleton->origin);
        if (asset.video)
            images.push_back(asJson(*asset.video));
    });
    Json json = {{"schema", 1}, {"file", input.shownName()}, {"format", format.id}};
    if (!images.empty()) {
        json["images"] = std::move(images);
    } else {
        json["skeleton"] = std::move(origin);
        json["character"] = std::move(character);
        json["clips"] = std::move(clips);
        json["joints"] = std::move(joints);
        json["meshes"] = std::move(looks.meshes);
        json["materials"] = std::move(looks.materials);
        json["textures"] = std::move(looks.textures);
    }
    if (format.traits.holdsModels)
        json["models"] = asJson(models);
    json["damaged"] = isDamaged(context.diagnostics, input.shownName());
    json["warnings"] = messagesOf(context.diagnostics);
    return json;
}

/// True for a file that has no format in this library, but may contain another program's rig.
bool looksLikeRig(const Input& input) {
    constexpr std::array<std::string_view, 12> kEndings = {"fbx", "dae", "bvh",  "md5mesh", "x",   "b3d",
                                                           "smd", "obj", "ms3d", "mdl",     "iqm", "blend"};
    return findFormat(input) == nullptr &&
           (gltf::isGltf(input.file.bytes, input.file.name) || isMemoriaAnimation(input.file.bytes, input.file.name) ||
            std::ranges::find(kEndings, core::extensionOf(input.file.name)) != kEndings.end());
}

/// Names to fill in, for each model of the file.
std::string asNamesTemplate(const Input& input, const Shown& shown, Context& context) {
    std::string text;
    eachAsset(input, shown, shownModels(input, shown, context), context, [&](const core::Asset& asset) {
        if (!asset.model.empty())
            text += fmt::format("# model {}\n", asset.model);
        text += namesTemplateOf(asset, anatomyOf(asset));
    });
    return text;
}

/// The files in a folder or archive, including files of archives in a folder. Empty for a file.
std::vector<std::string> filesIn(const InputOptions& options, const std::string& path) {
    std::vector<std::string> files;
    if (isFolder(fromUtf8(path)) && !isMemoriaCharacter(fromUtf8(path))) {
        for (const std::filesystem::path& file : options.inputsAmong(contentOf(fromUtf8(path)).files))
            files.push_back(toUtf8(file));
    } else if (options.isFolderOfFiles(path)) {
        for (archives::FoundEntry& found : options.files->entriesIn(path, options.limits))
            files.push_back(std::move(found.path));
    }
    return files;
}

/// `rtda: Final Fantasy VII (PC) battle animations, 4 clips, 22 joints`
std::string asLine(const Input& input, const Shown& shown, Context& context) {
    std::size_t clips = 0;
    std::size_t joints = 0;
    std::size_t frames = 0;
    std::size_t triangles = 0;
    std::size_t textures = 0;
    eachAsset(input, shown, shownModels(input, shown, context), context, [&](const core::Asset& asset) {
        clips += asset.clips.size();
        joints += !asset.skeleton ? 0 : asset.skeleton->joints.size();
        frames += !asset.video ? 0 : asset.video->count;
        triangles += measures::trianglesOf(asset);
        textures += asset.images.size();
    });
    std::string text = fmt::format("{}: {}", core::printable(input.shownName()), formatOf(input).label);
    for (const auto& [count, what] : {std::pair{clips, "clip"},
                                      {joints, "joint"},
                                      {triangles, "triangle"},
                                      {textures, "texture"},
                                      {frames, "frame"}})
        if (count > 0)
            text += fmt::format(", {} {}{}", count, what, count == 1 ? "" : "s");
    return text + (isDamaged(context.diagnostics, input.shownName()) ? ", damaged\n" : "\n");
}

/// Shows files, and the contents of folders and archives.
class Survey {
  public:
    Survey(const InfoOptions& options, const Console& console)
        : options_(options),
          console_(console),
          given_(options.input.givenWithoutRig()),
          characters_(options.input.files, options.input.limits,
                      options.input.values.text(kFieldsOption.key).value_or("")) {}

    /// @param after text between its table and the next one
    void show(const std::string& path, const char* after) {
        std::vector<std::string> files;
        if (!tryTo([&] { files = filesIn(options_.input, path); }))
            return;
        if (files.empty() && isFolder(fromUtf8(path)) && !isMemoriaCharacter(fromUtf8(path))) {
            console_.error(path + ": contains no file");
            status_ = kInputFailed;
            return;
        }
        if (files.empty()) {
            showFile(path, {given_, &characters_, options_.models},
                     [&](const Input& input, const Shown& shown, Context& context) {
                         return asTable(input, shown, context, tableWidth(console_)) + after;
                     });
            return;
        }
        const std::size_t shown = shown_;
        for (const std::string& file : files)
            if (options_.input.folderFormatOf(file) != nullptr)
                show(file, after);
            else
                showPart(file);
        if (shown_ == shown && status_ == kDone)
            console_.say(fmt::format("{}: contains no file of a known format; `reanima list {}` shows its files", path,
                                     asWord(path)));
    }

    /// @return the exit status
    int close() {
        if (options_.json)
            printData(toText(list_));
        return status_;
    }

  private:
    void showPart(const std::string& path) {
        bool isOurs = false;
        tryTo([&] { isOurs = options_.input.readFromFolder(path).has_value(); });
        if (isOurs)
            showFile(path, {given_, &characters_, options_.models, false},
                     [&](const Input& input, const Shown&, Context& context) {
                         return asLine(input, {given_, nullptr, options_.models, false}, context);
                     });
    }

    /// @param shown settings for showing the file
    template <typename Text>
    void showFile(const std::string& path, const Shown& shown, const Text& textOf) {
        core::Diagnostics diagnostics;
        ++shown_;
        tryTo([&] {
            Input input = options_.input.read(path);
            if (!options_.namesTemplate && looksLikeRig(input)) {
                showRig(std::move(input), path, diagnostics);
                return;
            }
            Context context{options_.input.values, options_.input.limits.holding(input.file.bytes.size()), diagnostics};
            if (options_.namesTemplate)
                printData(asNamesTemplate(input, shown, context));
            else if (options_.json)
                list_.push_back(asJson(input, shown, context));
            else
                printData(textOf(input, shown, context));
            if (console_.policy.fails(diagnostics))
                status_ = kInputFailed;
        });
        console_.print(diagnostics);
    }

    void showRig(Input input, const std::string& path, core::Diagnostics& diagnostics) {
        InputOptions named = options_.input;
        named.skeleton = path;
        const Target target = readTarget(named, std::move(input), RigFile::read);
        const roles::Anatomy anatomy = rolesOfRig(*target.rig, {}, {}, diagnostics);
        for (const core::Warning& warning : target.diagnostics.warnings())
            diagnostics.add(warning);
        if (options_.json) {
            Json json = {{"schema", 1}, {"file", path}, {"format", "rig"}, {"skeleton", "given"}};
            json.update(rigMembers(*target.rig, anatomy));
            json["warnings"] = messagesOf(diagnostics);
            list_.push_back(std::move(json));
        } else {
            printData(fmt::format("{}: a rig{}; motion can be bound to it\n{}", core::printable(path),
                                  target.rig->clips.empty() ? "" : " with motion of its own",
                                  rigTable(*target.rig, anatomy, tableWidth(console_))));
        }
        if (console_.policy.fails(diagnostics))
            status_ = kInputFailed;
    }

    /// @return false after reporting an error
    template <typename Work>
    bool tryTo(const Work& work) {
        try {
            work();
            return true;
        } catch (const core::DecodeError&) {
            const Failure failure = currentFailure();
            console_.error(failure.message);
            status_ = options_.files.size() == 1 ? failure.status : kInputFailed;
            return false;
        }
    }

    const InfoOptions& options_;
    const Console& console_;
    Companions given_;
    CharacterFiles characters_;
    Json list_ = Json::array();
    std::size_t shown_ = 0;  // number of shown files
    int status_ = kDone;
};

int info(const InfoOptions& options, const Console& console) {
    if (options.files.empty())
        throw UsageError("info: name at least one file; `reanima info -h` shows how it is used");
    const bool isNarrow = options.namesTemplate || !options.models.empty();
    const bool isOneFile = !isNarrow || (options.files.size() == 1 && filesIn(options.input, options.files[0]).empty());
    if (options.namesTemplate && (options.json || !isOneFile))
        throw UsageError("--names-template: takes one file, without --json");
    if (!isOneFile)
        throw UsageError("--model: takes one file, not a folder, an archive or several files");
    Survey survey(options, console);
    for (std::size_t i = 0; i < options.files.size(); ++i)
        survey.show(options.files[i], i + 1 == options.files.size() ? "" : "\n");
    return survey.close();
}

}  // namespace

const Verb kInfo = {"info",
                    "FILE...",
                    "shows what files contain: clips, joints, models, videos",
                    "json model skeleton format names-template",
                    "  reanima info rtda\n"
                    "  reanima info battle.lgp           # a line for each of its files\n"
                    "  reanima info rtda --json",
                    [](Arguments& arguments, Console& console) -> std::function<int()> {
                        const auto options = std::make_shared<InfoOptions>();
                        arguments.list(
                            "FILE", options->files, "",
                            "files, folders and archives. For folders and archives, one line per file is printed");
                        arguments.flag("--json", options->json, "print a list in JSON");
                        arguments.list("--model", options->models, "ID", std::string(kModelOption.help));
                        arguments.flag("--names-template", options->namesTemplate,
                                       "print lines for --names, with the current names of clips and joints");
                        addInputOptions(arguments, options->input);
                        addFormatOptions(arguments, OptionInfo::Use::looks, options->input.values);
                        addConsoleOptions(arguments, console);
                        return [options, &console] {
                            options->files = namedBy(options->files, options->input);
                            options->input.lookAlsoIn(options->files);
                            return info(*options, console);
                        };
                    }};

}  // namespace reanima::tool
