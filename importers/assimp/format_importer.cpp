#include "importers/assimp/format_importer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>

#include <assimp/DefaultLogger.hpp>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/ProgressHandler.hpp>
#include <assimp/config.h>
#include <fmt/format.h>

#include "importers/assimp/scene_builder.h"
#include "importers/common_options.h"
#include "importers/load.h"
#include "importers/naming.h"
#include "importers/registry.h"

namespace reanima {

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Files, through Assimp's IOSystem alone

/// Reads from memory have names like this, and every sibling name made from them "exists" with the same bytes.
constexpr std::string_view kMemoryName = "$$$___magic___$$$";

bool isMemory(std::string_view path) { return path.find(kMemoryName) != std::string_view::npos; }

std::string nameOf(std::string_view path) {
    if (!isMemory(path))
        return std::string(core::fileNameOf(path));
    const std::string extension = extensionOf(path);
    return extension.empty() ? "memory" : "memory." + extension;
}

/// One Open, FileSize, Read and Close: some engines' streams can do no more.
std::optional<core::ByteVector> readThrough(Assimp::IOSystem& io, const std::string& path, const core::Limits& limits) {
    const auto close = [&io](Assimp::IOStream* stream) { io.Close(stream); };
    const std::unique_ptr<Assimp::IOStream, decltype(close)> stream(io.Open(path, "rb"), close);
    if (!stream)
        return std::nullopt;
    const std::size_t size = stream->FileSize();
    if (size > limits.fileSize)
        throw core::DecodeError({}, fmt::format("has {} bytes, the limit is {}", size, limits.fileSize),
                                core::DecodeError::Kind::limit)
            .inFile(path);
    try {
        core::requireMemory(size, limits, {});
    } catch (const core::DecodeError& error) {
        throw error.inFile(path);
    }
    core::ByteVector bytes(size);
    if (size > 0)
        bytes.resize(stream->Read(bytes.data(), 1, size));
    return bytes;
}

/// An input whose bytes are not read.
Input inputAt(Assimp::IOSystem& io, const std::string& path, const core::Limits& limits) {
    Input input{{nameOf(path), {}}, {}, nullptr, isMemory(path) ? nameOf(path) : path};
    if (!isMemory(path))
        input.siblings = [&io, limits,
                          folder = std::string(core::folderOf(path))](std::string_view name) -> std::optional<File> {
            const std::string sibling = folder + std::string(name);
            if (!io.Exists(sibling))
                return std::nullopt;
            std::optional<core::ByteVector> siblingBytes = readThrough(io, sibling, limits);
            return siblingBytes ? std::optional(File{std::string(name), std::move(*siblingBytes)}) : std::nullopt;
        };
    return input;
}

Input readInput(Assimp::IOSystem& io, const std::string& path, const core::Limits& limits) {
    std::optional<core::ByteVector> bytes = readThrough(io, path, limits);
    if (!bytes)
        throw core::DecodeError("can't be opened").inFile(path);
    Input input = inputAt(io, path, limits.holding(bytes->size()));
    input.file.bytes = *std::move(bytes);
    return input;
}

// ---------------------------------------------------------------------------------------------------------------------
// Options

/// `color-key` -> `COLOR_KEY`
std::string upperCase(std::string_view text) {
    std::string upper(text);
    for (char& c : upper)
        c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c == '-' ? '_' : c;
    return upper;
}

/// The names of an option's property, without the prefix.
std::vector<std::string> propertyNames(std::string_view key) {
    if (key == "rate")
        return {"RATE", "FPS"};
    return {upperCase(key)};
}

/// The number that somebody wrote: 29.97F stands for 29.97.
double asWritten(ai_real real) {
    const std::string text = fmt::format("{}", real);
    double number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// A property of an importer, of whatever type it was set.
std::optional<std::variant<double, std::string>> property(const Assimp::Importer& importer, const std::string& name) {
    constexpr int kUnset = -0x7FFFFFFF;
    const int integer = importer.GetPropertyInteger(name.c_str(), kUnset);
    if (integer != kUnset)
        return static_cast<double>(integer);
    const ai_real real = importer.GetPropertyFloat(name.c_str(), std::nanf(""));
    if (!std::isnan(real))
        return asWritten(real);
    const std::string text = importer.GetPropertyString(name.c_str(), "");
    return text.empty() ? std::nullopt : std::optional<std::variant<double, std::string>>(text);
}

/// @param source what names the option where it was set
template <typename Value>
void requireOption(OptionValues& values, const OptionInfo& option, const Value& value, const std::string& source) {
    if (const auto problem = setOption(values, option, value))
        throw core::DecodeError({source, std::nullopt}, *problem);
}

std::vector<const OptionInfo*> optionsOf(const Format& format) {
    std::vector<const OptionInfo*> options = {&kLimitSamplesOption, &kLimitMemoryOption};
    for (const OptionInfo& option : format.options)
        options.push_back(&option);
    return options;
}

std::optional<std::string> environment(const std::string& name) {
    const char* value = std::getenv(("REANIMA_" + name).c_str());
    return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

/// The first job for an input in the job file beside it; an empty one if there is none.
JobFile jobBeside(const Input& input, const std::string& name) {
    const std::optional<File> file = input.siblings ? input.siblings(name) : std::nullopt;
    for (JobFile& job : file ? parseJobFile(file->bytes) : std::vector<JobFile>())
        if (job.inputs.empty() || std::ranges::find(job.inputs, input.file.name) != job.inputs.end())
            return std::move(job);
    return {};
}

/// What a job file says of an option, or nothing.
const JobFile::Argument* find(const JobFile& job, std::string_view key) {
    const auto argument = std::ranges::find(job.options, key, &JobFile::Argument::key);
    return argument == job.options.end() ? nullptr : &*argument;
}

}  // namespace

bool FormatImporter::CanRead(const std::string& path, Assimp::IOSystem* io, bool) const {
    if (io == nullptr)
        return false;
    try {
        const Input input = readInput(*io, path, core::Limits{});
        return format_.claim(input.file.bytes) == Claim::exactly && findFormat(input) == &format_;
    } catch (const core::DecodeError&) {
        return false;
    }
}

const aiImporterDesc* FormatImporter::GetInfo() const {
    struct Description {
        std::string name;
        std::string extensions;
        aiImporterDesc info{};
    };
    static const std::map<const Format*, std::unique_ptr<Description>> kDescriptions = [] {
        std::map<const Format*, std::unique_ptr<Description>> all;
        for (const Format* format : formats()) {
            auto description = std::make_unique<Description>();
            description->name = "reanima: " + std::string(format->label);
            description->extensions = fmt::format("{}", fmt::join(format->extensions, " "));
            description->info.mName = description->name.c_str();
            description->info.mAuthor = description->info.mMaintainer = "the reanima authors";
            description->info.mComments = "";
            description->info.mFlags = aiImporterFlags_SupportBinaryFlavour;
            description->info.mFileExtensions = description->extensions.c_str();
            all.emplace(format, std::move(description));
        }
        return all;
    }();
    return &kDescriptions.at(&format_)->info;
}

void FormatImporter::SetupProperties(const Assimp::Importer* importer) {
    properties_.clear();
    for (const OptionInfo* option : optionsOf(format_))
        for (const std::string& name : propertyNames(option->key))
            if (auto value = property(*importer, "IMPORT_REANIMA_" + name))
                properties_.push_back({option, "IMPORT_REANIMA_" + name, std::move(*value)});
    skeletonPath_ = importer->GetPropertyString("IMPORT_REANIMA_SKELETON", "");
    skeletonBytes_ = importer->GetPropertyString("IMPORT_REANIMA_SKELETON_BYTES", "");
    eventsPath_ = importer->GetPropertyString("IMPORT_REANIMA_EVENTS", "");
    canCancel_ = !importer->IsDefaultProgressHandler();  // Assimp's own always answers false
    onlyPicture_ = importer->GetPropertyInteger(AI_CONFIG_IMPORT_GLOBAL_KEYFRAME, -1);
    skeletonMesh_ = !importer->GetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, false);
}

void FormatImporter::InternReadFile(const std::string& path, aiScene* scene, Assimp::IOSystem* io) {
    core::Diagnostics diagnostics;
    Input input = inputAt(*io, path, core::Limits{});  // for the job file beside it
    input.format = &format_;
    const Settings settings = settingsFor(input, path);
    core::Limits limits = limitsFrom(settings.options);
    const std::string folder(core::folderOf(path));
    input = readInput(*io, path, limits);
    input.format = &format_;
    limits.held += input.file.bytes.size();

    Companions given;
    if (!skeletonBytes_.empty())
        given.emplace(Role::skeleton,
                      Companion{{{"skeleton", {skeletonBytes_.begin(), skeletonBytes_.end()}}, {}, nullptr, {}}, true});
    else if (!settings.skeleton.empty())
        given.emplace(Role::skeleton, Companion{readInput(*io, settings.skeleton, limits), true});
    if (!settings.events.empty())
        given.emplace(Role::events, Companion{readInput(*io, settings.events, limits), true});

    const auto cancelled = [this] { return canCancel_ && m_progress != nullptr && !m_progress->Update(0); };
    Context context{settings.options, limits, diagnostics, cancelled};
    core::Asset asset = loadWithRest(input, given, context);
    const auto about = diagnostics.about(input.shownName());
    if (!asset.models.empty() && !settings.options.has(kModelOption.key))
        diagnostics.note(
            core::Code::ignored, {},
            "IMPORT_REANIMA_MODEL chooses another model: " + fmt::format("{}", fmt::join(asset.models, ", ")));
    if (!settings.names.empty()) {
        const Input csv = readInput(*io, folder + settings.names, limits);
        (void)applyNames(
            asset, parseNames({reinterpret_cast<const char*>(csv.file.bytes.data()), csv.file.bytes.size()}),  // NOLINT
            diagnostics);
    }
    for (const core::Warning& warning : diagnostics.warnings())
        if (warning.severity == core::Warning::Severity::warning)
            ASSIMP_LOG_WARN(warning.message());
        else
            ASSIMP_LOG_INFO(warning.message());
    try {
        fillScene(*scene, asset, {skeletonMesh_, onlyPicture_, limits, cancelled}, diagnostics);
    } catch (const core::DecodeError& error) {
        throw error.inFile(input.shownName());
    }
}

FormatImporter::Settings FormatImporter::settingsFor(const Input& input, const std::string& path) const {
    Settings settings{{}, skeletonPath_, eventsPath_, {}};
    for (const Property& property : properties_)
        std::visit([&](const auto& value) { requireOption(settings.options, *property.option, value, property.name); },
                   property.value);
    const std::string jobName = input.file.name + std::string(kJobFileSuffix);
    try {
        const JobFile job = jobBeside(input, jobName);
        settings.names = job.names;
        const auto fillIn = [&](std::string& file, const std::string& inJob) {
            if (file.empty() && !inJob.empty())
                file = std::string(core::folderOf(path)) + inJob;
        };
        fillIn(settings.skeleton, job.skeleton);
        if (const JobFile::Argument* events = find(job, "events"))
            fillIn(settings.events, events->value.value_or(""));
        for (const OptionInfo* option : optionsOf(format_)) {
            const JobFile::Argument* said = settings.options.has(option->key) ? nullptr : find(job, option->key);
            if (said != nullptr)
                requireOption(settings.options, *option, std::string_view(said->value ? *said->value : "1"),
                              "options." + said->key);
        }
    } catch (const core::DecodeError& error) {
        throw error.inFile(std::string(core::folderOf(path)) + jobName);
    }
    fillInFromEnvironment(settings);
    return settings;
}

void FormatImporter::fillInFromEnvironment(Settings& settings) const {
    if (settings.skeleton.empty())
        settings.skeleton = environment("SKELETON").value_or("");
    if (settings.events.empty())
        settings.events = environment("EVENTS").value_or("");
    for (const OptionInfo* option : optionsOf(format_))
        for (const std::string& name : propertyNames(option->key)) {
            const auto value = settings.options.has(option->key) ? std::nullopt : environment(name);
            if (value)
                requireOption(settings.options, *option, std::string_view(*value), "REANIMA_" + name);
        }
}

}  // namespace reanima
