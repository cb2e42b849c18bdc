#include "pipeline/settings.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/root_motion.h"
#include "formats/common_options.h"
#include "formats/foreign_files.h"
#include "formats/registry.h"
#include "pipeline/rest_pose.h"

namespace reanima {

namespace {

using Type = OptionInfo::Type;
using Use = OptionInfo::Use;

constexpr std::array<std::string_view, 2> kInterpolations = {"linear", "step"};

/// Parses the text of a value. @throws core::DecodeError of the kind `option`
OptionValues checked(const OptionInfo& option, const std::string& text) {
    OptionValues values;
    if (const auto problem = setOption(values, option, std::string_view(text)))
        throw core::optionError({std::string(option.key), text}, *problem);
    return values;
}

double numberOf(const OptionInfo& option, const std::string& text) { return *checked(option, text).number(option.key); }

std::string textOf(const std::optional<double>& number) { return number ? fmt::format("{}", *number) : ""; }

std::string textOf(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, ",")); }

/// The text without the folder of its file: the content of the file matters, not its place.
std::string textOf(const RestPose& rest) {
    const std::string& text = rest.saidBy.value;
    const std::size_t folder =
        rest.file ? core::folderOf(text.substr(0, text.find(rest.file->file.name) + 1)).size() : 0;
    return text.substr(folder);
}

/// The row for a flag.
template <bool Settings::*Member>
SettingInfo flag(std::string_view key, std::string_view help, std::string_view heading, Use use) {
    return {.option = {.key = key, .type = Type::flag, .argument = {}, .help = help, .use = use},
            .heading = heading,
            .set = [](Settings& settings, const OptionInfo& option, const std::string& text,
                      const SettingFiles&) { settings.*Member = checked(option, text).flag(option.key); },
            .text = [](const Settings& settings) { return std::string(settings.*Member ? "1" : ""); }};
}

/// The row for a number.
template <std::optional<double> Settings::*Member>
SettingInfo number(OptionInfo option, std::string_view heading) {
    return {.option = option,
            .heading = heading,
            .set = [](Settings& settings, const OptionInfo& info, const std::string& text,
                      const SettingFiles&) { settings.*Member = numberOf(info, text); },
            .text = [](const Settings& settings) { return textOf(settings.*Member); }};
}

SettingInfo needingRig(SettingInfo info) {
    info.needsRig = true;
    return info;
}

template <RestPose Settings::*Member>
void setRest(Settings& settings, const OptionInfo& option, const std::string& text, const SettingFiles& files) {
    settings.*Member = parseRestPose(text, {std::string(option.key), text}, files);
}
template <RestPose Settings::*Member>
std::string textOfRest(const Settings& settings) {
    return textOf(settings.*Member);
}

/// Calls `parse` for a file that a setting names. Errors name the file.
template <typename Parse>
auto parsedFile(const OptionInfo& option, const std::string& path, const SettingFiles& files, const Parse& parse) {
    if (!files.files)
        throw core::optionError({std::string(option.key), path}, "can't be opened");
    const Input input = files.read(path);
    return core::inFile(input.shownName(), [&] { return parse(input); });
}

void setNames(Settings& settings, const OptionInfo& option, const std::string& path, const SettingFiles& files) {
    settings.names = parsedFile(option, path, files, [](const Input& input) {
        const core::Bytes bytes = input.file.bytes;
        return parseNames({reinterpret_cast<const char*>(bytes.data()), bytes.size()});  // NOLINT: text
    });
}

void addMap(Settings& settings, const OptionInfo& option, const std::string& path, const SettingFiles& files) {
    SettingFiles beside = files;
    JointMap map = parsedFile(option, path, files, [&](const Input& input) {
        beside.from = input.shownName();
        if (const std::optional<ForeignFile> foreign = foreignFile(input.file.bytes);
            foreign && !foreign->scene.empty())
            throw core::DecodeError(
                fmt::format("is {}, expected a mapping: JSON, or lines of the form SOURCE,TARGET", foreign->label));
        return parseJointMap(input.file.bytes);
    });
    if (!map.sourceRest.empty())
        settings.mapRest = parseRestPose(map.sourceRest, {"map", "source_rest " + map.sourceRest}, beside);
    mergeInto(settings.map, std::move(map));
}

constexpr std::string_view kBinding = "Binding to another skeleton";
constexpr std::string_view kMotion = "Motion";

void addClip(Settings& settings, const OptionInfo&, const std::string& text, const SettingFiles&) {
    settings.clips.push_back(text);
}

void setTemplate(Settings& settings, const OptionInfo& option, const std::string& text, const SettingFiles&) {
    if (const auto problem = problemOfTemplate(text))
        throw core::optionError({std::string(option.key), text}, *problem);
    settings.nameTemplate = text;
}

void setInterpolation(Settings& settings, const OptionInfo& option, const std::string& text, const SettingFiles&) {
    const bool isStep = checked(option, text).text(option.key) == "step";
    settings.interpolation = isStep ? core::Interpolation::step : core::Interpolation::linear;
}

void addLoopKey(Settings& settings, const OptionInfo&, const std::string& text, const SettingFiles&) {
    if (text.empty())
        settings.loopKeyOnAll = true;
    else
        settings.loopKeyOn.push_back(text);
}

void setMode(Settings& settings, const OptionInfo& option, const std::string& text, const SettingFiles&) {
    settings.mode = motion::bindModeNamed(checked(option, text).text(option.key).value_or(""));
}

void setGrip(Settings& settings, const OptionInfo& option, const std::string& text, const SettingFiles&) {
    const auto word = checked(option, text).text(option.key);
    settings.grip = word == roles::kGripNames.back() ? roles::Grip::keep : roles::Grip::automatic;
}

void setRootMotion(Settings& settings, const OptionInfo& option, const std::string& text, const SettingFiles&) {
    settings.rootMotion = core::rootMotionNamed(checked(option, text).text(option.key).value_or(""));
}

constexpr std::array<std::string_view, 3> kRigMeshWords = {"auto", "keep", "omit"};

void setRigMesh(Settings& settings, const OptionInfo& option, const std::string& text, const SettingFiles&) {
    const std::string word = checked(option, text).text(option.key).value_or("");
    settings.keepMesh = word == "auto" ? std::nullopt : std::optional(word == "keep");
}

std::string nothing(const Settings&) { return {}; }

const std::array kSettings = {
    SettingInfo{.option = {.key = "clip",
                           .type = Type::text,
                           .argument = "SEL",
                           .help = "use only these clips: an index, a range A-B, a name, a pattern in quotes, or "
                                   "id:N (the game's number); repeatable",
                           .use = Use::selecting,
                           .byDefault = "all"},
                .isRepeatable = true,
                .set = addClip,
                .text = [](const Settings& settings) { return textOf(settings.clips); }},
    SettingInfo{.option = {.key = "names",
                           .type = Type::text,
                           .argument = "CSV",
                           .help = "a CSV file with names for clips and joints. Each line is clip,INDEX,NAME[,FILE] "
                                   "or joint,ID,NAME[,ROLE[,FILE]]. Instead of INDEX or ID, you may write the current "
                                   "name. A line with FILE applies only to that file or model"},
                .namesFile = true,
                .set = setNames,
                .text = nothing},
    SettingInfo{.option = {.key = "name",
                           .type = Type::text,
                           .argument = "TEMPLATE",
                           .help = "template for clip names; it may contain {stem} {index} {index:03} {id} {name}",
                           .byDefault = "{name}"},
                .set = setTemplate,
                .text = [](const Settings& settings) { return settings.nameTemplate; }},
    SettingInfo{
        .option =
            {.key = "rest",
             .type = Type::text,
             .argument = "POSE",
             .help = "the rest pose: the skeleton's own (skeleton), all rotations zero (zero), a frame of a clip "
                     "(CLIP:FRAME), or a pose from another file (FILE[:CLIP:FRAME])",
             .byDefault =
                 "the skeleton's own. If it stores none, the first frame of the animations beside the skeleton is "
                 "used. Without such animations, the first frame of the input's first clip is used"},
        .namesFile = true,
        .set = setRest<&Settings::rest>,
        .text = textOfRest<&Settings::rest>},
    SettingInfo{.option = {.key = "interpolation",
                           .type = Type::text,
                           .argument = "WORD",
                           .help = "interpolation between keys",
                           .choices = kInterpolations,
                           .byDefault = "linear"},
                .set = setInterpolation,
                .text = [](const Settings& settings) -> std::string {
                    return settings.interpolation == core::Interpolation::step ? "step" : "";
                }},
    SettingInfo{.option = {.key = "loop-key",
                           .type = Type::text,
                           .argument = "CLIP",
                           .help = "repeat the first frame at the end of CLIP, or of every clip if CLIP is left out"},
                .isRepeatable = true,
                .hasOptionalValue = true,
                .set = addLoopKey,
                .text =
                    [](const Settings& settings) {
                        return settings.loopKeyOnAll ? std::string("1") : textOf(settings.loopKeyOn);
                    }},
    flag<&Settings::proxyMesh>(
        "proxy-mesh", "for models without a mesh, add a skinned mesh with one octahedron per bone", {}, Use::writing),
    flag<&Settings::endJoints>("end-joints", "add a joint at the end of each chain of joints", {}, Use::reading),
    flag<&Settings::compact>("compact",
                             "write smaller files. Rotations become 16-bit integers, which Assimp before version 6 "
                             "misreads. Equal values are stored once. Extras contain only a content key and a hash",
                             {}, Use::writing),
    SettingInfo{
        .option = {.key = "map",
                   .type = Type::text,
                   .argument = "FILE",
                   .help = "joint mapping, as JSON or as lines of the form SOURCE,TARGET; repeatable. Later files take "
                           "precedence"},
        .heading = kBinding,
        .isRepeatable = true,
        .namesFile = true,
        .needsRig = true,
        .set = addMap,
        .text = nothing},
    SettingInfo{
        .option =
            {.key = "mode",
             .type = Type::text,
             .argument = "WORD",
             .help =
                 "how rotations are transferred: each bone points in the same direction as in the source (world), each "
                 "joint makes the same turn from its rest pose (local), or local values are copied unchanged (copy)",
             .choices = motion::kBindModeNames,
             .byDefault = "the mapping's mode, otherwise world"},
        .heading = kBinding,
        .needsRig = true,
        .set = setMode,
        .text = [](const Settings& settings) { return std::string(settings.mode ? nameOf(*settings.mode) : ""); }},
    SettingInfo{
        .option = {.key = "source-rest",
                   .type = Type::text,
                   .argument = "POSE",
                   .help = "the source's pose that corresponds to the rig's rest pose: a pose computed by turning the "
                           "source's joints (match), the source's own rest pose (skeleton), all rotations zero (zero), "
                           "a frame of a clip (CLIP:FRAME), or a pose from another file (FILE[:CLIP:FRAME])",
                   .byDefault = "match. In local mode, the default is skeleton if the source has a rest pose"},
        .heading = kBinding,
        .namesFile = true,
        .needsRig = true,
        .set = setRest<&Settings::sourceRest>,
        .text = textOfRest<&Settings::sourceRest>},
    SettingInfo{.option = {.key = "grip",
                           .type = Type::text,
                           .argument = "WORD",
                           .help = "when to close the fingers around something held in the hand: if the source has no "
                                   "fingers (auto), or never (keep)",
                           .choices = roles::kGripNames,
                           .byDefault = "auto"},
                .heading = kBinding,
                .needsRig = true,
                .set = setGrip,
                .text =
                    [](const Settings& settings) {
                        return std::string(settings.grip == roles::Grip::keep ? roles::kGripNames.back() : "");
                    }},
    needingRig(flag<&Settings::plantFeet>(
        "plant-feet", "keep planted feet in place by bending the legs. Legs get a key at every frame", kBinding,
        Use::reading)),
    needingRig(number<&Settings::rootScale>(
        {.key = "root-scale",
         .type = Type::number,
         .argument = "F",
         .help = "scale from the source's lengths to the rig's",
         .minimum = 1e-9,
         .maximum = 1e9,
         .byDefault = "the ratio of the leg lengths. If no legs are known, the ratio of the root heights"},
        kBinding)),
    needingRig(number<&Settings::rigScale>(
        {.key = "rig-scale",
         .type = Type::number,
         .argument = "F",
         .help =
             "multiply all lengths of the rig by F. Use 0.01 for a file in centimetres that does not state its unit",
         .minimum = 1e-9,
         .maximum = 1e9},
        kBinding)),
    needingRig(flag<&Settings::withMesh>("with-mesh", "put the game's own meshes on the rig's joints", kBinding,
                                         Use::reading)),
    SettingInfo{
        .option =
            {.key = "rig-mesh",
             .type = Type::text,
             .argument = "WORD",
             .help =
                 "whether the output keeps the rig's meshes. With keep, the output is based on the rig's own .glb or "
                 ".gltf, with its meshes and materials; a weapon is added as a node. With omit, only the skeleton and "
                 "the animations are written. With auto, the meshes are kept if the rig has a mesh and -o names a file",
             .choices = kRigMeshWords,
             .use = Use::writing,
             .byDefault = "auto"},
        .heading = kBinding,
        .set = setRigMesh,
        .text =
            [](const Settings& settings) {
                return std::string(!settings.keepMesh ? "" : kRigMeshWords[*settings.keepMesh ? 1 : 2]);
            }},
    SettingInfo{
        .option = {.key = "root-motion",
                   .type = Type::text,
                   .argument = "WORD",
                   .help =
                       "what happens to the character's displacement: it is kept (keep), its horizontal part is "
                       "removed (in-place), the root stays in its rest pose (drop), or the horizontal part moves to "
                       "the rig's ground joint (extract). Without a ground joint, extract moves it to the container",
                   .choices = core::kRootMotionNames,
                   .byDefault = "as the mapping states, otherwise keep"},
        .heading = kMotion,
        .set = setRootMotion,
        .text =
            [](const Settings& settings) {
                return std::string(settings.rootMotion ? nameOf(*settings.rootMotion) : "");
            }},
    number<&Settings::resample>({.key = "resample",
                                 .type = Type::number,
                                 .argument = "R",
                                 .help = "number of keys per second. New rotations follow the shortest arc",
                                 .minimum = 0.001,
                                 .maximum = 1000},
                                kMotion),
    number<&Settings::reduce>({.key = "reduce",
                               .type = Type::number,
                               .argument = "MM",
                               .help = "leave out keys as long as no joint is off by more than MM millimetres. Clips "
                                       "that would not become smaller stay unchanged",
                               .minimum = 1e-6,
                               .maximum = 1e6},
                              kMotion),
};

}  // namespace

std::span<const SettingInfo> settingInfos() { return kSettings; }

const SettingInfo* findSetting(std::string_view key) {
    const auto row = std::ranges::find_if(kSettings, [key](const SettingInfo& info) { return info.option.key == key; });
    return row == kSettings.end() ? nullptr : &*row;
}

Input SettingFiles::read(const std::string& path) const {
    return readInput(files, files->resolved(path, from), limits, format);
}

std::optional<Input> SettingFiles::readIfThere(const std::string& path) const {
    return files && files->exists(files->resolved(path, from)) ? std::optional(read(path)) : std::nullopt;
}

void setSetting(Settings& settings, std::string_view name, const std::string& value, const SettingFiles& files) {
    const std::optional<OptionText> option = byFirstName(name, value);
    if (!option)
        return;
    const auto& [key, text] = *option;
    if (const SettingInfo* info = findSetting(key)) {
        info->set(settings, info->option, text, files);
        return;
    }
    for (const OptionInfo* limit : {&kLimitSamplesOption, &kLimitMemoryOption})
        if (limit->key == key) {
            const double number = numberOf(*limit, text);
            if (limit == &kLimitSamplesOption)
                settings.limits.setSamples(static_cast<std::uint64_t>(number));
            else
                settings.limits.memory = static_cast<std::uint64_t>(number) << 20U;
            return;
        }
    for (const OptionInfo& known : formatOptions())
        if (known.key == key) {
            if (const auto problem = setOption(settings.options, known, std::string_view(text)))
                throw core::optionError({key, text}, *problem);
            return;
        }
    throw core::optionError({key}, "there is no such option");
}

OptionValues optionsOf(const Settings& settings) {
    OptionValues options = settings.options;
    const auto take = [&options](std::string_view key, const std::string& shown, const auto& value) {
        const std::vector<OptionInfo> known = formatOptions();
        const auto option = std::ranges::find(known, key, &OptionInfo::key);
        if (const auto problem = setOption(options, *option, value))
            throw core::optionError({std::string(key), shown}, *problem);
    };
    if (settings.rate)
        take("rate", fmt::format("{}", *settings.rate), *settings.rate);
    if (settings.scale)
        take("scale", fmt::format("{}", *settings.scale), *settings.scale);
    if (settings.weapon)
        take("weapon", *settings.weapon, std::string_view(*settings.weapon));
    if (settings.joints)
        take("joints", fmt::format("{}", *settings.joints), static_cast<double>(*settings.joints));
    return options;
}

void refuseUnknownOptions(const OptionValues& options) {
    const std::vector<OptionInfo> known = formatOptions();
    for (const auto& [key, value] : options.all())
        if (std::ranges::find(known, key, &OptionInfo::key) == known.end())
            throw core::optionError({key}, "no format has such an option");
}

namespace {

/// @throws core::DecodeError of the kind `option` for a member that setSetting() would refuse as text
void refuseWrongNumbers(const Settings& settings) {
    constexpr OptionInfo kFeetSlide{
        .key = "feet-slide", .type = Type::number, .argument = "F", .help = {}, .minimum = 0, .maximum = 1e9};
    const auto check = [](const OptionInfo& option, const std::string& text) {
        if (!text.empty())
            (void)checked(option, text);
    };
    check(kFeetSlide, textOf(settings.feetSlide));
    for (const SettingInfo& info : kSettings)
        if (info.option.type == Type::number)
            check(info.option, info.text(settings));
}

}  // namespace

void refuseWrongSettings(const Settings& settings) {
    refuseWrongNumbers(settings);
    if (settings.reduce && settings.interpolation == core::Interpolation::step)
        throw core::optionError({"reduce"}, "works with linear interpolation only");
    if (settings.keepMesh == true && settings.rigScale)
        throw core::optionError({"rig-scale"}, "can't scale the rig, because its own file is the base of the output");
    if (settings.keepMesh == true && settings.withMesh)
        throw core::optionError({"with-mesh"},
                                "can't add meshes, because the output keeps the rig's own file and meshes");
    if (settings.rig && settings.rest.source != RestPose::Source::standard)
        throw core::optionError({"rest"}, "can't change the rest pose of a rig");
}

void refuseWithoutRig(const Settings& settings) {
    if (settings.rig || !settings.skeleton.empty())
        return;
    for (const SettingInfo& info : kSettings)
        if (info.needsRig && (!info.text(settings).empty() || (info.set == addMap && settings.map != JointMap())))
            throw core::optionError({std::string(info.option.key)}, "needs a skeleton to bind to, but none is named");
}

std::string textOf(const Settings& settings) {
    std::string text;
    const OptionValues options = optionsOf(settings);
    for (const auto& [key, value] : options.all())
        text += std::visit([&name = key](const auto& v) { return fmt::format("{}={};", name, v); }, value);
    for (const SettingInfo& info : kSettings)
        if (const std::string value = info.text(settings); !value.empty())
            text += fmt::format("{}={};", info.option.key, value);
    return text;
}

}  // namespace reanima
