#include "importers/importer_settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/registry.h"
#include "importers/importers.h"
#include "pipeline/job.h"

namespace reanima {

namespace {

/// Paths of other files. They are not settings of the pipeline.
constexpr std::array<std::string_view, 6> kPaths = {"skeleton", "source-skeleton", "events", "materials",
                                                    "skin",     "textures"};
/// Entries of a job file that only the command uses.
constexpr std::array<std::string_view, 2> kOfCommand = {"format", "skeleton-format"};

/// `color-key` -> `COLOR_KEY`
std::string upperCase(std::string_view text) {
    std::string upper(text);
    for (char& c : upper)
        c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c == '-' ? '_' : c;
    return upper;
}

/// The shortest decimal number that a float stands for: 29.97 for 29.97F.
std::string asWritten(ai_real real) { return fmt::format("{}", real); }

bool isColor(std::string_view key) {
    const std::vector<OptionInfo> options = formatOptions();
    const auto option = std::ranges::find(options, key, &OptionInfo::key);
    return option != options.end() && option->type == OptionInfo::Type::color;
}

/// The base of the number in an integer property.
enum class Digits { decimal, hexadecimal };

/// Marks an integer property that is not set. Importers can't remove properties.
constexpr int kUnset = -0x7FFFFFFF;

/// The value of an importer's property of any type, as text.
std::optional<std::string> property(const Assimp::Importer& importer, const std::string& name,
                                    Digits digits = Digits::decimal) {
    const int integer = importer.GetPropertyInteger(name.c_str(), kUnset);
    if (integer != kUnset)
        return digits == Digits::hexadecimal ? fmt::format("{:x}", integer) : std::to_string(integer);
    const ai_real real = importer.GetPropertyFloat(name.c_str(), std::nanf(""));
    if (!std::isnan(real))
        return asWritten(real);
    const std::string text = importer.GetPropertyString(name.c_str(), "");
    return text.empty() ? std::nullopt : std::optional(text);
}

/// Every key that applies to any file.
std::vector<std::string> allKeys() {
    std::vector<std::string> keys(kPaths.begin(), kPaths.end());
    for (const OptionInfo* limit : {&kLimitSamplesOption, &kLimitMemoryOption})
        keys.emplace_back(limit->key);
    for (const SettingInfo& info : settingInfos())
        keys.emplace_back(info.option.key);
    for (const OptionInfo& option : formatOptions())
        keys.emplace_back(option.key);
    return keys;
}

/// The names of an option, its key first.
std::vector<std::string_view> namesOf(std::string_view key) {
    std::vector<std::string_view> names = {key};
    for (const SecondName& second : kSecondNames)
        if (second.key == key)
            names.push_back(second.name);
    return names;
}

/// The text of an option, by the first of its names that `find` knows.
template <typename Find>
std::optional<std::string> textNamed(const std::string& key, const Find& find) {
    for (const std::string_view name : namesOf(key))
        if (const std::optional<std::string> text = find(name))
            if (std::optional<OptionText> option = byFirstName(name, *text))
                return std::move(option->text);
    return std::nullopt;
}

bool isKnown(std::string_view key) {
    const std::vector<std::string> keys = allKeys();
    return std::ranges::find(keys, key) != keys.end();
}

/// The first job for a file in the job file beside it. Empty if there is none.
JobFile jobFor(const std::string& file, const Siblings& siblings) {
    const std::optional<File> found = siblings ? siblings(file + std::string(kJobFileSuffix)) : std::nullopt;
    for (JobFile& job : found ? parseJobFile(found->bytes) : std::vector<JobFile>())
        if (job.inputs.empty() || std::ranges::find(job.inputs, file) != job.inputs.end())
            return std::move(job);
    return {};
}

/// Settings from several sources. The first source that states a key takes precedence.
class Collector {
  public:
    Collector(ImporterSettings& result, const Format& format, std::shared_ptr<const core::Files> files)
        : result_(result), format_(format), files_(std::move(files)) {}

    [[nodiscard]] bool isStated(std::string_view key) const { return std::ranges::find(stated_, key) != stated_.end(); }

    /// Records that a setting has no value.
    void leaveOut(const std::string& key) { stated_.push_back(key); }

    /// @param besides the file that states the setting; paths are relative to it
    void set(const std::string& key, const std::string& text, const std::string& besides) {
        stated_.push_back(key);
        const auto path = [&] { return std::string(core::folderOf(besides)) + text; };
        if (key == "skeleton")
            result_.settings.skeleton = path();
        else if (key == "source-skeleton")
            result_.settings.sourceSkeleton = path();
        else if (key == "events")
            result_.settings.events = path();
        else if (key == "materials")
            result_.settings.materials = path();
        else if (key == "skin")
            result_.settings.skin = path();
        else if (key == "textures")
            addTextures(text, besides);
        else if (isForAnother(key))
            return;
        else
            setSetting(result_.settings, key, text, {files_, result_.settings.limits, besides});
    }

  private:
    /// True for an option of other formats.
    [[nodiscard]] bool isForAnother(const std::string& key) const {
        if (findSetting(key) != nullptr || key == kLimitSamplesOption.key || key == kLimitMemoryOption.key)
            return false;
        return std::ranges::find(format_.options, key, &OptionInfo::key) == format_.options.end();
    }

    /// @param text one path if it is from a job file; otherwise paths separated by `;`
    void addTextures(const std::string& text, const std::string& besides) {
        std::istringstream paths(text);
        std::string path;
        while (std::getline(paths, path, besides.empty() ? ';' : '\0'))
            result_.settings.textures.push_back(std::string(core::folderOf(besides)) + path);
    }

    ImporterSettings& result_;
    const Format& format_;
    std::shared_ptr<const core::Files> files_;
    std::vector<std::string> stated_;
};

/// Calls `set`. An error about the value names this place instead of the property.
template <typename Set>
void setFrom(const std::string& place, const Set& set) {
    try {
        set();
    } catch (const core::DecodeError& error) {
        if (error.kind() != core::DecodeError::Kind::option)
            throw;
        throw core::DecodeError({place, std::nullopt}, error.problem());
    }
}

/// Adds the settings of a job in their order.
void addJob(const JobFile& job, const std::string& jobPath, ImporterSettings& result, Collector& collector) {
    std::vector<JobFile::Argument> arguments;
    const auto addPath = [&](const char* key, const std::string& path) {
        if (!path.empty())
            arguments.push_back({key, path});
    };
    addPath("skeleton", job.skeleton);
    addPath("source-skeleton", job.sourceSkeleton);
    addPath("names", job.names);
    addPath("map", job.map);
    arguments.insert(arguments.end(), job.options.begin(), job.options.end());
    std::erase_if(arguments, [&](const JobFile::Argument& argument) { return collector.isStated(argument.key); });
    for (const JobFile::Argument& argument : arguments) {
        if (argument.key == "no-companion")
            result.looksForCompanions = false;
        else if (isKnown(argument.key)) {
            const SettingInfo* info = findSetting(argument.key);
            const bool isFlag = info == nullptr || !info->hasOptionalValue;
            setFrom("options." + argument.key,
                    [&] { collector.set(argument.key, argument.value.value_or(isFlag ? "1" : ""), jobPath); });
        } else if (std::ranges::find(kOfCommand, argument.key) == kOfCommand.end()) {
            throw core::DecodeError({"options." + argument.key, std::nullopt}, "there is no such option");
        }
    }
}

/// The text of a property or an environment variable for a setting. 1 means a setting without a value.
std::string textFor(const std::string& key, const std::string& text) {
    const SettingInfo* info = findSetting(key);
    return info != nullptr && info->hasOptionalValue && text == "1" ? std::string() : text;
}

/// `color-key` -> `REANIMA_COLOR_KEY`
std::string variableName(std::string_view key) { return "REANIMA_" + upperCase(key); }

/// The value of an environment variable. Empty without one.
std::optional<std::string> variable(std::string_view key) {
    const char* found = std::getenv(variableName(key).c_str());
    return found != nullptr && *found != '\0' ? std::optional<std::string>(found) : std::nullopt;
}

/// True if a setting with an optional value is the integer 0 (off). As a text, `0` is a value: the first clip.
bool isOff(const Assimp::Importer& importer, const std::string& key) {
    const SettingInfo* info = findSetting(key);
    return info != nullptr && info->hasOptionalValue &&
           importer.GetPropertyInteger(propertyName(key).c_str(), kUnset) == 0;
}

}  // namespace

std::string propertyName(std::string_view key) { return "IMPORT_REANIMA_" + upperCase(key); }

SettingTexts propertiesOf(const Assimp::Importer& importer) {
    SettingTexts texts;
    for (const std::string& key : allKeys()) {
        const Digits digits = isColor(key) ? Digits::hexadecimal : Digits::decimal;
        const auto find = [&](std::string_view name) { return property(importer, propertyName(name), digits); };
        if (isOff(importer, key))
            texts.emplace(key, std::nullopt);
        else if (auto text = textNamed(key, find))
            texts.emplace(key, std::move(text));
    }
    return texts;
}

ImporterSettings settingsFor(const Siblings& siblings, const Format& format, const std::string& path,
                             const SettingTexts& properties, const std::shared_ptr<const core::Files>& files) {
    ImporterSettings result;
    Collector collector(result, format, files);
    for (const auto& [key, text] : properties)
        if (text)
            collector.set(key, textFor(key, *text), {});
        else
            collector.leaveOut(key);
    const std::string jobPath = path + std::string(kJobFileSuffix);
    core::inFile(jobPath,
                 [&] { addJob(jobFor(std::string(core::fileNameOf(path)), siblings), jobPath, result, collector); });
    for (const std::string& key : allKeys()) {
        const std::optional<std::string> value = textNamed(key, variable);
        if (value && !collector.isStated(key)) {
            setFrom(fmt::format("{}={}", variableName(key), *value),
                    [&] { collector.set(key, textFor(key, *value), {}); });
            result.hasSkeletonOfEnvironment = result.hasSkeletonOfEnvironment || key == "skeleton";
        }
    }
    refuseWrongSettings(result.settings);
    return result;
}

void setProperty(Assimp::Importer& importer, std::string_view key, const std::string& value) {
    const bool isOfFile = key == "skeleton-bytes" || key == "file-name";
    if (!isKnown(key) && findSecondName(key) == nullptr && !isOfFile)
        throw core::optionError({std::string(key)}, "there is no such option");
    const SettingInfo* info = findSetting(key);
    if (std::ranges::find(kPaths, key) == kPaths.end() && !isOfFile && (info == nullptr || !info->namesFile)) {
        Settings unused;
        setSetting(unused, key, textFor(std::string(key), value));
    }
    const SecondName* second = findSecondName(key);
    for (const std::string_view name : namesOf(second != nullptr ? second->key : key)) {
        const std::string property = propertyName(name);
        importer.SetPropertyInteger(property.c_str(), kUnset);
        importer.SetPropertyFloat(property.c_str(), std::nanf(""));
        importer.SetPropertyString(property.c_str(), name == key ? value : "");
    }
}

}  // namespace reanima
