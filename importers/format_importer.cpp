#include "importers/format_importer.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <assimp/DefaultLogger.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/ProgressHandler.hpp>
#include <assimp/config.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formats/aliases.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/own_names.h"
#include "formats/registry.h"
#include "importers/importer_settings.h"
#include "importers/io_files.h"
#include "importers/scene_builder.h"
#include "importers/target_rig.h"
#include "pipeline/cast.h"
#include "pipeline/linked_clips.h"
#include "pipeline/pipeline.h"

namespace reanima {

std::string propertyWording(const core::OptionHint& hint) {
    return fmt::format("{}{}{}", propertyName(hint.key), hint.value.empty() ? "" : "=", hint.value);
}

// ---------------------------------------------------------------------------------------------------------------------
// Recognition

namespace {

/// Logs why a file that looks like a known format can't be read. Assimp only reports that no loader reads the file.
void logDamage(const Input& input) {
    if (Assimp::DefaultLogger::isNullLogger())
        return;
    core::Diagnostics unsaid;
    const OptionValues options;
    const core::Limits limits;
    Context context{options, limits, unsaid, {}};
    try {
        (void)load(input, withFoundCompanions(input, {}), context);
    } catch (const core::DecodeError& error) {
        ASSIMP_LOG_INFO(fmt::format("reanima can't read a file that looks like {}: {}", input.format->label,
                                    error.message(propertyWording)));
    }
}

}  // namespace

const Format* SharedRecognition::formatOf(const Question& question, const std::string& path, Assimp::IOSystem& io) {
    const bool isKnown = path == path_ && &io == io_ && std::ranges::find(asked_, question) == asked_.end();
    if (!isKnown) {
        path_ = path;
        io_ = &io;
        format_ = nullptr;
        file_.reset();
        asked_.clear();
        try {
            Input input = readInput(ioFilesAndArchives(io), path, core::Limits{});
            input.file.name = withoutAlias(input.file.name);
            input.format = findFormat(input);
            if (input.format != nullptr && input.format->isWhole(input.file.bytes)) {
                format_ = input.format;
                file_ = std::move(input.file);
            } else if (input.format != nullptr) {
                logDamage(input);
            }
        } catch (const core::DecodeError&) {  // unreadable files have no format
        }
    }
    asked_.push_back(question);
    return format_;
}

std::optional<File> SharedRecognition::takeFile(const std::string& path, const Assimp::IOSystem& io) {
    std::optional<File> file = std::exchange(file_, std::nullopt);
    return path == path_ && &io == io_ ? std::move(file) : std::nullopt;
}

FormatImporter::FormatImporter(const Format& format, std::shared_ptr<SharedRecognition> recognition,
                               Extensions extensions)
    : format_(format),
      recognition_(recognition ? std::move(recognition) : std::make_shared<SharedRecognition>()),
      extensions_(extensions) {}

namespace {

const Format& loadableFormat(std::string_view id) {
    const Format* format = formatNamed(id);
    if (format == nullptr || !format->traits.isConverted)
        throw core::DecodeError(fmt::format("{} is not the id of a format that can be converted", id));
    return *format;
}

}  // namespace

FormatImporter::FormatImporter(std::string_view formatId) : FormatImporter(loadableFormat(formatId)) {}

bool FormatImporter::CanRead(const std::string& path, Assimp::IOSystem* io, bool checkSignature) const {
    return io != nullptr && recognition_->formatOf({this, checkSignature}, path, *io) == &format_;
}

const aiImporterDesc* FormatImporter::GetInfo() const {
    struct Description {
        std::string name;
        std::string extensions;
        aiImporterDesc info{};
    };
    using Key = std::pair<const Format*, Extensions>;
    static const std::map<Key, std::unique_ptr<Description>> kDescriptions = [] {
        std::map<Key, std::unique_ptr<Description>> all;
        const auto add = [&all](const Format* format, Extensions listed) {
            auto description = std::make_unique<Description>();
            description->name = "reanima: " + std::string(format->label);
            description->extensions = fmt::format("{}", fmt::join(format->extensions, " "));
            if (listed == Extensions::withAliases)
                description->extensions += fmt::format(" {}", fmt::join(kAliases, " "));
            description->info.mName = description->name.c_str();
            description->info.mAuthor = description->info.mMaintainer = "the reanima authors";
            description->info.mComments = "";
            description->info.mFlags = aiImporterFlags_SupportBinaryFlavour;
            description->info.mFileExtensions = description->extensions.c_str();
            all.emplace(Key{format, listed}, std::move(description));
        };
        for (const Format* format : formats())
            for (const Extensions listed : {Extensions::own, Extensions::withAliases})
                add(format, listed);
        return all;
    }();
    return &kDescriptions.at({&format_, extensions_})->info;
}

void FormatImporter::SetupProperties(const Assimp::Importer* importer) {
    properties_ = propertiesOf(*importer);
    skeletonBytes_ = importer->GetPropertyString(propertyName("skeleton-bytes").c_str(), "");
    fileName_ = importer->GetPropertyString(propertyName("file-name").c_str(), "");
    canCancel_ = !importer->IsDefaultProgressHandler();  // Assimp's own handler always returns false
    onlyPicture_ = importer->GetPropertyInteger(AI_CONFIG_IMPORT_GLOBAL_KEYFRAME, -1);
    skeletonMesh_ = !importer->GetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, false);
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading

namespace {

/// The game's own skeleton, in memory.
Companion skeletonOf(std::string_view bytes) {
    return {{{"skeleton", {bytes.begin(), bytes.end()}}, {}, nullptr, {}}, true};
}

/// The path that a host states for a file in memory. Empty if the host only states a name.
std::string placeNamed(const std::string& fileName) {
    constexpr std::string_view kHere = "./";
    if (core::folderOf(fileName).empty())
        return {};
    return fileName.starts_with(kHere) ? fileName.substr(kHere.size()) : fileName;
}

/// Forwards requests to another core::Files, except for one file that was already read.
class ReadOnce : public core::FilesThrough {
  public:
    /// @param file the content of `path`; empty if it must be read
    ReadOnce(std::shared_ptr<const core::Files> files, std::string path, std::optional<File> file)
        : FilesThrough(std::move(files)), path_(std::move(path)), file_(std::move(file)) {}

    [[nodiscard]] File read(const std::string& path, const core::Limits& limits) const override {
        if (!file_ || path != path_)
            return FilesThrough::read(path, limits);
        core::requireRoomForFile(file_->bytes.size(), path, limits);
        return *std::exchange(file_, std::nullopt);
    }

  private:
    std::string path_;
    mutable std::optional<File> file_;
};

void log(const core::Diagnostics& diagnostics) {
    for (const core::Warning& warning : diagnostics.warnings())
        if (warning.severity == core::Warning::Severity::warning)
            ASSIMP_LOG_WARN(warning.message(propertyWording));
        else
            ASSIMP_LOG_INFO(warning.message(propertyWording));
}

}  // namespace

/// Reports the progress to a host and asks it whether to continue.
class FormatImporter::HostProgress {
  public:
    // The progress after each step. Assimp counts reading as the first half of an import.
    static constexpr double kRead = 0.1;
    static constexpr double kLoaded = 0.4;
    static constexpr double kApplied = 0.6;

    enum class Answers { heeded, ignored };

    /// @param handler receives the progress; may be null
    HostProgress(Assimp::ProgressHandler* handler, Answers answers) : handler_(handler), answers_(answers) {}

    /// @param share finished part of the reading, 0 to 1
    void reach(double share) {
        share_ = share;
        (void)isCancelled();
    }

    [[nodiscard]] bool isCancelled() {
        const bool goesOn =
            handler_ == nullptr || handler_->Update(static_cast<float>(share_ / 2)) || answers_ == Answers::ignored;
        isCancelled_ = isCancelled_ || !goesOn;
        return isCancelled_;
    }

  private:
    Assimp::ProgressHandler* handler_;
    Answers answers_;
    double share_ = 0;
    bool isCancelled_ = false;
};

core::Asset FormatImporter::assetOf(const Input& input, Settings settings, Assimp::IOSystem& io,
                                    core::Diagnostics& diagnostics, HostProgress& progress) const {
    const auto files = ioFilesAndArchives(io);
    const core::Limits& limits = settings.limits;
    const auto open = [&](const std::string& name, const Format* as) { return readInput(files, name, limits, as); };
    const Cast cast(settings, open, {files, limits});
    Companions given = cast.companionsFor(format_);
    if (!skeletonBytes_.empty() && !given.contains(Role::skeleton))
        given.emplace(Role::skeleton, skeletonOf(skeletonBytes_));
    const OptionValues options = optionsOf(settings);
    // Null, since an IOSystem can't list folders.
    CharacterFiles characters(files, limits, options.text(kFieldsOption.key).value_or(""), nullptr);
    if (const Input* rig = cast.rigFor(format_))
        settings.rig = readTargetRig(io, *rig, settings, characters, diagnostics);
    refuseWithoutRig(settings);
    progress.reach(HostProgress::kRead);
    Context context{options, limits, diagnostics, [&progress] { return progress.isCancelled(); }};
    LinkedAsset character = loadWithLinked(input, given, context, characters);
    refuseEmpty(character.asset, input);
    progress.reach(HostProgress::kLoaded);
    return applySettings(std::move(character.asset), settings, input, character.companions, context).asset;
}

void FormatImporter::InternReadFile(const std::string& path, aiScene* scene, Assimp::IOSystem* io) {
    try {
        core::Diagnostics diagnostics;
        const auto files = ioFilesAndArchives(*io);
        const std::string place = isMemory(path) ? placeNamed(fileName_) : path;
        const Siblings beside = place.empty() ? Siblings() : Siblings(files, place);
        ImporterSettings request = settingsFor(beside, format_, withoutAlias(place), properties_, files);
        core::Limits& limits = request.settings.limits;
        Input input =
            readInput(std::make_shared<ReadOnce>(files, path, recognition_->takeFile(path, *io)), path, limits);
        input.format = &format_;
        input.file.name = withoutAlias(input.file.name);
        if (isMemory(path)) {
            input.siblings = beside.within(limits);
            if (!fileName_.empty()) {
                input.file.name = withoutAlias(std::string(core::fileNameOf(fileName_)));
                input.shownAs = fileName_;
            }
        }
        if (!request.looksForCompanions) {
            input.siblings = {};
            input.file.told.erase(std::string(kOwnNameKey));
            input.file.toldBy.clear();
        }
        limits.held += input.file.bytes.size();
        HostProgress progress(m_progress, canCancel_ ? HostProgress::Answers::heeded : HostProgress::Answers::ignored);
        core::Asset asset;
        try {
            asset = assetOf(input, request.settings, *io, diagnostics, progress);
        } catch (const core::DecodeError& error) {
            if (!request.hasSkeletonOfEnvironment || progress.isCancelled())
                throw;
            diagnostics = {};
            const auto about = diagnostics.about(input.shownName());
            diagnostics.warn(core::Code::skeletonMismatch, {},
                             fmt::format("the skeleton named by the environment variable is not used: {}",
                                         error.message(propertyWording)));
            request.settings.skeleton.clear();
            asset = assetOf(input, request.settings, *io, diagnostics, progress);
        }
        progress.reach(HostProgress::kApplied);
        log(diagnostics);
        const auto sceneReaches = [&progress](double share) {
            progress.reach(HostProgress::kApplied + share * (1 - HostProgress::kApplied));
        };
        const auto cancelled = [&progress] { return progress.isCancelled(); };
        core::inFile(input.shownName(), [&] {
            fillScene(*scene, asset, {skeletonMesh_, onlyPicture_, limits, cancelled, sceneReaches}, diagnostics);
        });
    } catch (const core::DecodeError& error) {
        // Not DeadlyImportError: Debian's Assimp does not export its constructor.
        throw std::runtime_error(error.message(propertyWording));
    }
}

}  // namespace reanima
