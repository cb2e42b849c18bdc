#include "tools/reanima/front/recipe.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/load.h"
#include "tools/reanima/front/content_key.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// The help text of a setting.
std::string helpOf(const OptionInfo& option) {
    return option.byDefault.empty() ? std::string(option.help)
                                    : fmt::format("{}. Default: {}", option.help, option.byDefault);
}

/// The problem with a setting's text, as far as it can be found without reading a file.
std::optional<std::string> problemOf(const SettingInfo& info, const std::string& text) {
    if (info.namesFile)
        return std::nullopt;
    Settings unused;
    try {
        info.set(unused, info.option, text, {});
    } catch (const core::DecodeError& error) {
        return error.problem();
    }
    return std::nullopt;
}

void addSetting(Arguments& arguments, const SettingInfo& info, std::vector<std::string>& texts) {
    const std::string flag = "--" + std::string(info.option.key);
    const std::string help = helpOf(info.option);
    const std::string argument = info.option.choices.empty() ? std::string(info.option.argument)
                                                             : fmt::format("{}", fmt::join(info.option.choices, "|"));
    arguments.heading(std::string(info.heading));
    if (info.option.type == OptionInfo::Type::flag) {
        arguments.flag(
            flag, [&texts] { texts = {"1"}; }, help);
    } else if (info.hasOptionalValue) {
        arguments.optionalText(flag, texts, argument, help);
    } else if (info.isRepeatable) {
        arguments.list(flag, texts, argument, help);
    } else {
        const auto store = [&info, &texts](const std::string& text) {
            texts = {text};
            return problemOf(info, text);
        };
        arguments.checked(flag, store, argument, help);
    }
    arguments.heading({});
}

std::string asText(const InputOptions& options) {
    return fmt::format("format={};skeleton-format={};companion={};", options.format, options.skeletonFormat,
                       !options.noCompanion);
}

}  // namespace

bool ConversionOptions::has(std::string_view key) const {
    const auto texts = settings.find(key);
    return texts != settings.end() && !texts->second.empty();
}

void ConversionOptions::clear() {
    auto places = std::move(settings);  // arguments store into the elements of this map
    *this = {};
    settings = std::move(places);
    for (auto& [key, texts] : settings)
        texts.clear();
}

void addConversionOptions(Arguments& arguments, ConversionOptions& options) {
    arguments.list("--animations", options.animations, "FILE",
                   "animations to add to each output: a file, a folder, an archive, or a pattern in quotes; "
                   "repeatable. A pattern may match entries of an archive ('char.lgp:aaf?.a'). Files found through a "
                   "folder or pattern are skipped if their number of bones differs from the skeleton's");
    arguments.list("--model", options.models, "ID",
                   std::string(kModelOption.help) + "; repeatable. To convert several models, use -o FOLDER/");
    for (const SettingInfo& info : settingInfos())
        addSetting(arguments, info, options.settings[std::string(info.option.key)]);
    addInputOptions(arguments, options.input, "the game's skeleton, or another program's rig to bind the motion to");
    addFormatOptions(arguments, OptionInfo::Use::looks, options.input.values);
}

void addSettings(Arguments& arguments, std::span<const std::string_view> keys,
                 std::map<std::string, std::vector<std::string>, std::less<>>& texts) {
    for (const SettingInfo& info : settingInfos())
        if (std::ranges::find(keys, info.option.key) != keys.end())
            addSetting(arguments, info, texts[std::string(info.option.key)]);
}

void applySettingTexts(const std::map<std::string, std::vector<std::string>, std::less<>>& texts,
                       const SettingFiles& files, Settings& settings) {
    for (const SettingInfo& info : settingInfos())
        if (const auto given = texts.find(info.option.key); given != texts.end())
            for (const std::string& text : given->second)
                info.set(settings, info.option, text, files);
}

void addOutputForm(Arguments& arguments, ConversionOptions& options) {
    arguments.choice(
        "--as", outputForms(), [&options](const std::string& word) { options.as = word; },
        "format of the outputs (see -o). Default: from the output's name, otherwise glb");
}

Recipe::Recipe(ConversionOptions conversionOptions, Outputs outputs) : options(std::move(conversionOptions)) {
    cast_ = options.input.cast();
    ContentKey key;
    const auto uses = [&](const fs::path& path, const File& file) {
        files.push_back(path);
        key.add(file);
    };
    for (const auto& [role, companion] : cast_.companions())
        uses(pathOf(companion.input), companion.input.file);
    // A file named by a setting may read its siblings later, when the recipe is complete.
    const auto isReading = std::make_shared<bool>(true);
    const auto note = [&uses, reading = std::weak_ptr(isReading)](const File& file) {
        if (!reading.expired())
            uses(fileOf(fromUtf8(file.path)), file);
    };
    const SettingFiles named{std::make_shared<core::RecordedFiles>(options.input.files, note),
                             options.input.limits,
                             {},
                             InputOptions::formatFor(options.input.format)};
    applySettingTexts(options.settings, named, settings);
    static_cast<NamedPaths&>(settings) = static_cast<const NamedPaths&>(options.input);
    settings.options = options.input.values;
    settings.limits = options.input.limits;
    refuseWrongSettings(settings);
    settings.body = options.form->body;
    if (options.form->clipWriter != nullptr) {
        refuseForForm();
        key.add(options.form->ending);
    }
    if (std::optional<Input> rig = cast_.takeRig()) {
        refuseRest();
        uses(fileOf(fromUtf8(options.input.skeleton)), rig->file);
        readRig(*std::move(rig), outputs);
    }
    key.add(asText(options.input) + textOf(settings));
    contentKey = key.text();
}

bool Recipe::mayKeepMesh() const {
    return !settings.keepMesh && options.form->clipWriter == nullptr && !settings.rigScale && !settings.withMesh;
}

void Recipe::readRig(Input input, Outputs outputs) {
    const bool isAsked = settings.keepMesh == true;
    const bool isOpen = mayKeepMesh();
    if (options.form->clipWriter != nullptr)
        settings.keepMesh = false;
    if (!settings.keepMesh)  // changed lengths and added meshes need a new file
        settings.keepMesh = outputs == Outputs::one && !settings.rigScale && !settings.withMesh;
    target_ = readTarget(options.input, std::move(input),
                         outputs == Outputs::drawn ? RigFile::drawn
                         : keepsMesh()             ? RigFile::kept
                                                   : RigFile::read);
    if (isAsked || (!target_->file.bytes.empty() && target_->rig->hasMesh))
        return;
    settings.keepMesh = false;
    target_->file.bytes = {};
    leavesMesh_ = isOpen && target_->rig->hasMesh;
}

Settings Recipe::settingsFor(const Format& format) const {
    Settings bound = settings;
    if (const Target* target = targetFor(format))
        bound.rig = target->rig;
    return bound;
}

void Recipe::refuseForForm() const {
    for (const char* key : {"rig-mesh", "with-mesh", "proxy-mesh", "compact"})
        if (options.has(key) && (key != std::string_view("rig-mesh") || keepsMesh()))
            throw UsageError(
                fmt::format("--{}: has no effect on a .{}, which contains only motion", key, options.form->ending));
}

void Recipe::refuseRest() const {
    if (options.has("rest"))
        throw UsageError(
            "--rest: can't change the rest pose of a rig. Use --source-rest to choose the source's pose that matches "
            "it");
}

void Recipe::refuseWithoutRig() const {
    try {
        reanima::refuseWithoutRig(settings);
    } catch (const core::DecodeError& error) {
        throw UsageError(fmt::format("--{}: needs a rig. Add -s RIG", error.hint().key));
    }
}

const Target* Recipe::targetFor(const Format& format) const {
    if (target_)
        return &*target_;
    const Input* rig = cast_.rigFor(format);
    if (rig == nullptr)
        return nullptr;
    refuseRest();
    const std::lock_guard lock(otherGameMutex_);
    if (otherGameError_)
        std::rethrow_exception(otherGameError_);
    try {
        if (!otherGame_) {
            otherGame_ = readTarget(options.input, *rig, RigFile::read);
            if (otherGame_->leavesOwnMesh && mayKeepMesh()) {
                const auto about = otherGame_->diagnostics.about(otherGame_->path);
                otherGame_->diagnostics.note(core::Code::ignored, {},
                                             "as a rig, this file provides only joints. To keep its meshes, convert it "
                                             "with `reanima convert` and use the .glb with -s");
            }
        }
    } catch (...) {
        otherGameError_ = std::current_exception();
        throw;
    }
    return &*otherGame_;
}

}  // namespace reanima::tool
