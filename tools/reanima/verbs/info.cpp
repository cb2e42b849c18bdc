#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/common_options.h"
#include "formats/dump.h"
#include "formats/format.h"
#include "formats/load.h"
#include "measures/clip_facts.h"
#include "measures/mesh_facts.h"
#include "pipeline/joint_roles.h"
#include "tools/reanima/front/names_template.h"
#include "tools/reanima/front/options.h"
#include "tools/reanima/jobs/mesh_lists.h"
#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace {

struct InfoOptions {
    InputOptions input;
    std::vector<std::string> files;
    bool json = false;
    bool namesTemplate = false;
};

/// What the joints are for, as far as files and motion tell.
roles::Anatomy anatomyOf(const core::Asset& asset) { return rolesOfSource(asset, {}, {}).value_or(roles::Anatomy{}); }

/// What a joint is for; empty where that is not certain.
std::string roleOf(const roles::Anatomy& anatomy, std::size_t joint) {
    const bool isKnown = anatomy.confidence >= roles::kCertain && joint < anatomy.roles.size() &&
                         anatomy.roles[joint].part != roles::Part::none;
    return isKnown ? roles::nameOf(anatomy.roles[joint]) : std::string();
}

/// What the file says, else whether the end leads to the start.
const char* loopWord(const core::Clip& clip, const measures::ClipFacts& facts) {
    if (clip.loop)
        return *clip.loop ? "yes" : "no";
    return facts.isClosed ? "closed" : "-";
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
        messages.push_back(warning.message(flagWording));
    return messages;
}

std::string asTable(const core::ImageSequence& images) {
    return fmt::format("{} pictures of {} x {} pixels{}, {:.6g} per second ({}/{}), {:.3f} s{}\n", images.count,
                       images.shownWidth(), images.shownHeight(), images.transposed ? " (stored transposed)" : "",
                       images.rate(), images.rateNumerator, images.rateDenominator, images.timeOf(images.count),
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

/// Passes on what was not said yet: every model of a file says again what is wrong with the file.
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
/// @param models all models of the file
template <typename Use>
void eachAsset(const Input& input, const Companions& given, const std::vector<ModelSummary>& models, Context& context,
               const Use& use) {
    const std::vector<ModelSummary> converted = convertedModels(models);
    if (converted.size() < 2) {
        use(loadOrRead(input, given, context));
        return;
    }
    requireWithinLimits(converted, input, context.limits);
    OnlyNew news(context.diagnostics);
    for (const ModelSummary& model : converted) {
        OptionValues options = context.options;
        options.set(kModelOption.key, model.id);
        core::Diagnostics diagnostics;
        Context own{options, context.limits, diagnostics, context.cancelled};
        use(load(input, given, own));
        news.add(diagnostics);
    }
}

std::vector<ModelSummary> allModels(const Input& input, const Companions& given, const Context& context) {
    core::Diagnostics repeated;  // loading says the same again
    Context survey{context.options, context.limits, repeated, context.cancelled};
    return modelsOf(input, given, survey);
}

std::string asTable(const std::vector<ModelSummary>& models) {
    if (models.empty())
        return {};
    std::string text = fmt::format("\n{:>8} {:>7} {:>7} {:>9} {:>6}  {}\n", "model", "joints", "groups", "triangles",
                                   "clips", "default animation");
    for (const ModelSummary& model : models)
        text += fmt::format("{:>8} {:>7} {:>7} {:>9} {:>6}  {:>17}\n", model.id, model.joints, model.groups,
                            model.triangles, model.clips,
                            model.defaultAnimation ? fmt::format("{}", *model.defaultAnimation) : "-");
    return text + "\n";
}

std::string asTable(const core::Asset& asset) {
    if (!asset.skeleton)
        return {};
    const core::Skeleton& skeleton = *asset.skeleton;
    std::string text = fmt::format("skeleton: {}, {} joints ({})\n", core::printable(skeleton.name),
                                   skeleton.joints.size(), core::originName(skeleton.origin));
    const roles::Anatomy anatomy = anatomyOf(asset);
    if (!asset.clips.empty())
        text += fmt::format("\n{:>5}  {:<20} {:>6} {:>8} {:>6}  {:>18}  {:>11} {:>8}  {:>9}  {}\n", "index", "clip",
                            "frames", "seconds", "loop", "end to start", "root travel", "height", "turning", "most");
    for (const core::Clip& clip : asset.clips) {
        const measures::ClipFacts facts = measures::factsOf(skeleton, clip, anatomy);
        std::string line = fmt::format(
            "{:>5}  {:<20} {:>6} {:>8.3f} {:>6}  {:>7.3f} m {:>5.1f} deg  {:>9.3f} m {:>6.3f} m  {:>3.0f} deg/s  {}",
            clip.index, core::printable(clip.name), clip.frames, clip.duration, loopWord(clip, facts),
            facts.gap.distance.value, facts.gap.angle.value, facts.travel, facts.heightChange, facts.motion,
            measures::liveliestOf(facts));
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    text += fmt::format("\n{:>5} {:>5}  {:<20} {:<20} {:>9}{}\n", "joint", "id", "name", "parent", "length",
                        anatomy.confidence >= roles::kCertain ? "  role" : "");
    for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
        const core::Joint& joint = skeleton.joints[i];
        const std::string role = roleOf(anatomy, i);
        text +=
            fmt::format("{:>5} {:>5}  {:<20} {:<20} {:>7.3f} m{}{}\n", i, joint.id ? fmt::format("{}", *joint.id) : "",
                        core::printable(joint.name), core::printable(parentName(skeleton, joint)), lengthOf(joint),
                        role.empty() ? "" : "  ", role);
    }
    return text;
}

std::string asTable(const Input& input, const Companions& given, Context& context) {
    const std::vector<ModelSummary> models = allModels(input, given, context);
    std::string text =
        fmt::format("{}: {}\n{}", core::printable(input.shownName()), formatOf(input).label, asTable(models));
    std::size_t assets = 0;
    eachAsset(input, given, models, context, [&](const core::Asset& asset) {
        text += (assets++ > 0 ? "\n" : "") + asTable(asset) + meshTables(asset);
        if (asset.video)
            text += asTable(*asset.video);
    });
    return text;
}

Json asJson(const std::vector<ModelSummary>& models) {
    Json list = Json::array();
    for (const ModelSummary& model : models)
        list.push_back({{"id", modelIdToJson(model.id)},
                        {"joints", model.joints},
                        {"groups", model.groups},
                        {"triangles", model.triangles},
                        {"clips", model.clips},
                        {"default_animation", model.defaultAnimation ? Json(*model.defaultAnimation) : Json(nullptr)}});
    return list;
}

/// Appends the clips and joints of an asset; where it is one of a file's models, each says of which.
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
    for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
        const core::Joint& joint = skeleton.joints[i];
        const std::string role = roleOf(anatomy, i);
        add(joints, {{"index", i},
                     {"id", joint.id ? Json(*joint.id) : Json(nullptr)},
                     {"name", joint.name},
                     {"parent", joint.parent == core::kNoParent ? Json(nullptr) : Json(joint.parent)},
                     {"length", lengthOf(joint)},
                     {"role", role.empty() ? Json(nullptr) : Json(role)}});
    }
}

Json asJson(const Input& input, const Companions& given, Context& context) {
    const std::vector<ModelSummary> models = allModels(input, given, context);
    Json clips = Json::array();
    Json joints = Json::array();
    Json images = Json::array();
    MeshRows looks;
    Json origin;
    eachAsset(input, given, models, context, [&](const core::Asset& asset) {
        addRows(asset, clips, joints);
        looks.add(asset, asset.model);
        if (asset.skeleton && origin.is_null())
            origin = core::originName(asset.skeleton->origin);
        if (asset.video)
            images.push_back(asJson(*asset.video));
    });
    const Format& format = formatOf(input);
    Json json = {{"schema", 1}, {"file", input.shownName()}, {"format", format.id}};
    if (!images.empty()) {
        json["images"] = std::move(images);
    } else {
        json["skeleton"] = std::move(origin);
        json["clips"] = std::move(clips);
        json["joints"] = std::move(joints);
        json["meshes"] = std::move(looks.meshes);
        json["materials"] = std::move(looks.materials);
        json["textures"] = std::move(looks.textures);
    }
    if (format.models != nullptr)
        json["models"] = asJson(models);
    json["warnings"] = messagesOf(context.diagnostics);
    return json;
}

/// Names to be filled in, of every model of the file.
std::string asNamesTemplate(const Input& input, const Companions& given, Context& context) {
    std::string text;
    eachAsset(input, given, allModels(input, given, context), context, [&](const core::Asset& asset) {
        if (!asset.model.empty())
            text += fmt::format("# model {}\n", asset.model);
        text += namesTemplateOf(asset, anatomyOf(asset));
    });
    return text;
}

/// What a folder or an archive holds, archives in a folder included; nothing for a file.
std::vector<std::string> filesIn(const InputOptions& options, const std::string& path) {
    std::vector<std::string> files;
    if (isFolder(fromUtf8(path))) {
        for (const std::filesystem::path& file : contentOf(fromUtf8(path)).files)
            files.push_back(toUtf8(file));
    } else if (options.format.empty() && options.folderFormatOf(path) != nullptr) {
        const auto archive = options.files->openArchive(path, options.limits);
        core::inFile(path, [&] {
            for (const archives::Entry& entry : archive->entriesToRead())
                files.push_back(fmt::format("{}:{}", path, entry.name));
        });
    }
    return files;
}

/// `rtda: Final Fantasy VII (PC) battle animations, 4 clips, 22 joints`
std::string asLine(const Input& input, const Companions& given, Context& context) {
    std::size_t clips = 0;
    std::size_t joints = 0;
    std::size_t pictures = 0;
    std::size_t triangles = 0;
    std::size_t textures = 0;
    eachAsset(input, given, allModels(input, given, context), context, [&](const core::Asset& asset) {
        clips += asset.clips.size();
        joints += !asset.skeleton ? 0 : asset.skeleton->joints.size();
        pictures += !asset.video ? 0 : asset.video->count;
        triangles += measures::trianglesOf(asset);
        textures += asset.images.size();
    });
    std::string text = fmt::format("{}: {}", core::printable(input.shownName()), formatOf(input).label);
    for (const auto& [count, what] : {std::pair{clips, "clip"},
                                      {joints, "joint"},
                                      {triangles, "triangle"},
                                      {textures, "texture"},
                                      {pictures, "picture"}})
        if (count > 0)
            text += fmt::format(", {} {}{}", count, what, count == 1 ? "" : "s");
    return text + "\n";
}

/// Shows files, and what folders and archives hold.
class Survey {
  public:
    Survey(const InfoOptions& options, const Console& console)
        : options_(options), console_(console), given_(options.input.givenWithoutRig()) {}

    /// @param after what stands between its table and the next one
    void show(const std::string& path, const char* after) {
        std::vector<std::string> files;
        if (!tryTo([&] { files = filesIn(options_.input, path); }))
            return;
        if (files.empty()) {
            showFile(path,
                     [&](const Input& input, Context& context) { return asTable(input, given_, context) + after; });
            return;
        }
        for (const std::string& file : files)
            if (options_.input.folderFormatOf(file) != nullptr)
                show(file, after);
            else
                showPart(file);
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
            showFile(path, [&](const Input& input, Context& context) { return asLine(input, given_, context); });
    }

    template <typename Text>
    void showFile(const std::string& path, const Text& textOf) {
        core::Diagnostics diagnostics;
        tryTo([&] {
            const Input input = options_.input.read(path);
            Context context{options_.input.values, options_.input.limits, diagnostics};
            if (options_.namesTemplate)
                printData(asNamesTemplate(input, given_, context));
            else if (options_.json)
                list_.push_back(asJson(input, given_, context));
            else
                printData(textOf(input, context));
            if (console_.policy.fails(diagnostics))
                status_ = kInputFailed;
        });
        console_.print(diagnostics);
    }

    /// @return false if it is reported why it can't be done
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
    Json list_ = Json::array();
    int status_ = kDone;
};

int info(const InfoOptions& options, const Console& console) {
    if (options.files.empty())
        throw UsageError("info: name at least one file");
    if (options.namesTemplate &&
        (options.json || options.files.size() > 1 || !filesIn(options.input, options.files[0]).empty()))
        throw UsageError("--names-template: takes one file, and no --json");
    Survey survey(options, console);
    for (std::size_t i = 0; i < options.files.size(); ++i)
        survey.show(options.files[i], i + 1 == options.files.size() ? "" : "\n");
    return survey.close();
}

}  // namespace

const Verb kInfo = {"info", "show what files hold: clips, joints, models, pictures", "  reanima info rtda",
                    [](Arguments& arguments, Console& console) -> std::function<int()> {
                        const auto options = std::make_shared<InfoOptions>();
                        arguments.list("FILE", options->files, "",
                                       "files of any format; folders and archives: a line per file");
                        arguments.flag("--json", options->json, "print a list in JSON");
                        arguments.flag("--names-template", options->namesTemplate,
                                       "print lines for --names, with the names that clips and joints have");
                        addInputOptions(arguments, options->input);
                        addConsoleOptions(arguments, console);
                        return [options, &console] { return info(*options, console); };
                    }};

}  // namespace reanima::tool
