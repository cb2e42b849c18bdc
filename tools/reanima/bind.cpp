#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "importers/common_options.h"
#include "importers/load.h"
#include "pictures/canvas.h"
#include "pictures/png.h"
#include "pipeline/joint_roles.h"
#include "pipeline/pipeline.h"
#include "tools/reanima/binding.h"
#include "tools/reanima/binding_picture.h"
#include "tools/reanima/convert.h"
#include "tools/reanima/files.h"
#include "tools/reanima/mapping.h"
#include "tools/reanima/models.h"
#include "tools/reanima/platform.h"
#include "tools/reanima/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

struct BindOptions {
    ConversionOptions conversion;
    std::string file;
    std::string output;
    bool suggest = false;
    bool force = false;
};

/// The input and the rig, read but not bound.
class Sides {
  public:
    /// @throws UsageError, core::DecodeError
    Sides(const BindOptions& options, const Console& console)
        : options_(options),
          own_(withoutRig(options.conversion)),
          input_(own_.options.input.read(options.file)),
          companions_(withFoundCompanions(input_, own_.givenFor(formatOf(input_)))),
          values_(chosenModel()) {
        core::Diagnostics diagnostics;
        asset_ = load(diagnostics);
        console.print(diagnostics);
        const InputOptions& reading = options.conversion.input;
        const Format* told = InputOptions::formatFor(reading.skeletonFormat, "--skeleton-format");
        target_ = readTarget(reading, readInput(fromUtf8(reading.skeleton), told, reading.limits), false);
        console.print(target_.diagnostics);
        settings_ = own_.settings;
        settings_.options = values_;
        settings_.rig = target_.rig;
    }

    /// As it was read, with a rest pose and the names that the user gives.
    [[nodiscard]] const core::Asset& source() const { return asset_; }
    [[nodiscard]] const core::Skeleton& skeleton() const { return asset_.skeletons.front(); }
    [[nodiscard]] const core::Skeleton& rig() const { return target_.rig->skeleton; }

    /// What was read.
    [[nodiscard]] std::vector<fs::path> files() const {
        std::vector<fs::path> files = pathsOf(input_, companions_);
        for (const File& file : target_.beside)
            files.push_back(fromUtf8(target_.path).parent_path() / fromUtf8(file.name));
        files.push_back(fromUtf8(target_.path));
        files.insert(files.end(), own_.files.begin(), own_.files.end());
        return files;
    }

    [[nodiscard]] BothRoles roles(core::Diagnostics& diagnostics) const {
        const JointMap map = withCurrentNames(settings_.map, skeleton(), ownNames_, rig());
        std::optional<binding::Anatomy> known = rolesOfSource(asset_, settings_.names, map);
        if (!known) {
            known.emplace().roles.resize(skeleton().joints.size());
            known->seen = "its skeleton is made up";
        }
        return {*std::move(known), rolesOfRig(*target_.rig, settings_.names, map, diagnostics)};
    }

    /// The input bound to the rig. @param change what is to be different from the settings of the command line
    template <typename Change>
    [[nodiscard]] core::Asset bound(const Change& change, core::Diagnostics& diagnostics,
                                    PipelineReport& report) const {
        Settings settings = settings_;
        change(settings);
        core::Diagnostics repeated;
        Context loading{values_, settings.limits, repeated, interrupted};
        core::Asset asset = reanima::load(input_, companions_, loading);
        Context context{values_, settings.limits, diagnostics, interrupted};
        return applySettings(std::move(asset), settings, input_, companions_, context, report);
    }

  private:
    /// What the command line says besides the rig.
    static ConversionOptions withoutRig(ConversionOptions conversion) {
        conversion.input.skeleton.clear();
        return conversion;
    }

    /// The options, with the model that is wanted.
    /// @throws UsageError if nothing says which of several that is, core::DecodeError if there is no such model
    [[nodiscard]] OptionValues chosenModel() const {
        OptionValues values = own_.options.input.values;
        const std::vector<std::string>& wanted = options_.conversion.models;
        core::Diagnostics repeated;  // loading says the same again
        Context context{values, own_.options.input.limits, repeated, {}};
        const std::vector<ModelSummary> models = modelsOf(input_, companions_, context);
        const std::vector<ModelSummary> converted = convertedModels(models);
        if (wanted.size() > 1 || (wanted.empty() && converted.size() > 1))
            throw UsageError(fmt::format("{}: a mapping is for one model; --model chooses one of {}: {}", options_.file,
                                         converted.size(), described(converted)));
        if (wanted.empty())
            return values;
        if (std::ranges::find(models, wanted.front(), &ModelSummary::id) == models.end())
            throw core::DecodeError(holdsNoModel(wanted.front(), models)).inFile(options_.file);
        values.set(kModelOption.key, wanted.front());
        return values;
    }

    [[nodiscard]] core::Asset load(core::Diagnostics& diagnostics) {
        Context context{values_, own_.options.input.limits, diagnostics, {}};
        core::Asset asset = loadWithRest(input_, companions_, context);
        if (asset.skeletons.empty())
            throw core::DecodeError("holds pictures: there are no joints").inFile(options_.file);
        for (const core::Joint& joint : asset.skeletons.front().joints)
            ownNames_.push_back(joint.name);
        (void)applyNames(asset, own_.settings.names, diagnostics);
        return asset;
    }

    const BindOptions& options_;
    Recipe own_;
    Input input_;
    Companions companions_;
    OptionValues values_;
    core::Asset asset_;
    std::vector<std::string> ownNames_;  ///< of the skeleton's joints, before the user named them
    Target target_;
    Settings settings_;
};

// ---------------------------------------------------------------------------------------------------------------------
// A mapping

/// Some frames of the source and what the mapping makes of them.
/// @return none, with a note, where the mapping can't be carried out
std::vector<PosedFrame> framesOf(const Sides& sides, const Json& mapping, core::Diagnostics& diagnostics) {
    constexpr std::size_t kFrames = 3;
    const std::vector<core::Clip>& clips = sides.source().clips;
    const std::vector<Moment> moments = differentMoments(sides.skeleton(), clips, kFrames);
    if (moments.empty())
        return {};
    const std::string text = toText(mapping);
    core::Diagnostics repeated;
    PipelineReport report;
    core::Asset bound;
    try {
        bound = sides.bound(
            [&](Settings& settings) {
                settings.map =
                    parseJointMap({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});  // NOLINT
                settings.nameTemplate.clear();
                settings.clips.clear();
                for (const Moment& moment : moments)
                    settings.clips.push_back(clips[moment.clip].name);
            },
            repeated, report);
    } catch (const core::DecodeError& error) {
        diagnostics.note(core::Code::ignored, {}, fmt::format("the picture shows no frames: {}", error.problem()));
        return {};
    }
    std::vector<PosedFrame> frames;
    for (const Moment& moment : moments) {
        const core::Clip& clip = clips[moment.clip];
        const auto result = std::ranges::find(bound.clips, clip.name, &core::Clip::name);
        if (result == bound.clips.end())
            continue;
        const double time = moment.frame / clip.rate;
        core::Pose pose = core::samplePose(bound.skeletons.front(), *result, time);
        pose.resize(sides.rig().joints.size());  // weapons were added behind
        frames.push_back({core::samplePose(sides.skeleton(), clip, time), std::move(pose),
                          fmt::format("{}, frame {}", clip.name, moment.frame)});
    }
    return frames;
}

/// The command that the mapping is for.
std::string nextCommand(const BindOptions& options) {
    const auto fileOf = [&](const char* key) {
        const auto texts = options.conversion.settings.find(key);
        return texts == options.conversion.settings.end() || texts->second.empty()
                   ? ""
                   : fmt::format(" --{} {}", key, texts->second.back());
    };
    return fmt::format("reanima convert {} -s {}{} --map {}", options.file, options.conversion.input.skeleton,
                       fileOf("names"), options.output);
}

int suggest(const BindOptions& options, const Console& console) {
    if (options.output.empty())
        throw UsageError("bind: -o names the mapping that --suggest writes");
    const fs::path output = fromUtf8(options.output);
    if (output == kStandardStream)
        throw UsageError("-o -: a picture goes beside the mapping; name a file");
    std::vector<fs::path> outputs = {output};
    if constexpr (pictures::kCanDraw)
        outputs.push_back(fs::path(output).replace_extension(".png"));
    checkOutputs(outputs, {fromUtf8(options.file), fromUtf8(options.conversion.input.skeleton)}, options.force);
    const Sides sides(options, console);
    checkOutputs(outputs, sides.files(), true);
    core::Diagnostics doubts;
    const BothRoles roles = sides.roles(doubts);
    const std::vector<ProposedLink> links = proposedLinks(sides.skeleton(), sides.rig(), roles, doubts);
    if (links.empty()) {
        console.print(doubts);
        throw core::DecodeError("has no joint that looks like one of the rig's").inFile(options.file);
    }
    const Json mapping = mappingOf(sides.skeleton(), sides.rig(), roles, links);
    std::string picture = "this build draws no picture";
    if constexpr (pictures::kCanDraw) {
        const std::string rigName = toUtf8(fromUtf8(options.conversion.input.skeleton).filename());
        const std::vector<PosedFrame> frames = framesOf(sides, mapping, doubts);
        writeOutput(outputs.back(),
                    pictures::encodePng(drawBinding(sides.skeleton(), sides.rig(), rigName, roles, links, frames)));
        picture = fmt::format("a picture of it is {}", toUtf8(outputs.back()));
    }
    console.print(doubts);
    writeOutput(output, toText(mapping));
    console.say(fmt::format("wrote {}: {} of {} joints of the rig; {}; edit it, then {}", options.output, links.size(),
                            sides.rig().joints.size(), picture, nextCommand(options)));
    return kDone;
}

// ---------------------------------------------------------------------------------------------------------------------
// The verb

/// What would follow what.
int printTable(const BindOptions& options, const Console& console) {
    const Sides sides(options, console);
    core::Diagnostics diagnostics;
    PipelineReport report;
    (void)sides.bound([](Settings&) {}, diagnostics, report);
    console.print(diagnostics);
    if (console.policy.fails(diagnostics))
        throw core::DecodeError("warnings count as errors").inFile(options.file);
    printData(report.binding->toTable());
    return kDone;
}

int bind(const BindOptions& options, const Console& console) {
    if (options.conversion.input.skeleton.empty())
        throw UsageError("bind: -s names the rig");
    const bool isMapping = lowerCase(toUtf8(fromUtf8(options.output).extension())) == ".json";
    if (options.suggest || isMapping)
        return suggest(options, console);
    if (options.output.empty())
        return printTable(options, console);
    return convertTo(options.output, options.file, options.conversion, options.force, console);
}

}  // namespace

const Verb kBind = {
    "bind", "a game's motion on a rig: what follows what, a mapping to edit, or the result",
    "  reanima bind rtda -s hero.glb                            (prints which joint follows which)\n"
    "  reanima bind rtda -s hero.glb --suggest -o hero.map.json (the same as a file to edit, with a picture)\n"
    "  reanima bind rtda -s hero.glb -o moving.glb              (as `reanima convert` does)",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<BindOptions>();
        arguments.requiredText("INPUT", options->file, "", "animations, or a skeleton");
        arguments.text("-o,--output", options->output, "OUT",
                       "X.glb or X.gltf: the bound animations; MAP.json: a mapping, with a picture beside it; without "
                       "it, a table of joints is printed");
        arguments.flag("--suggest", options->suggest,
                       "write a mapping: which joint is which, by what the joints are for, else by names, the shape "
                       "of the trees and proportions");
        arguments.flag("--force", options->force, "replace outputs that exist");
        addConversionOptions(arguments, options->conversion);
        addConsoleOptions(arguments, console);
        return [options, &console] { return bind(*options, console); };
    }};

}  // namespace reanima::tool
