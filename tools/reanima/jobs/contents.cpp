#include "tools/reanima/jobs/contents.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/source.h"
#include "formats/common_options.h"
#include "formats/load.h"
#include "pipeline/linked_clips.h"
#include "pipeline/memoria_folder.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

HeldCharacter heldBy(const LinkedAsset& loaded) {
    const core::Asset& asset = loaded.asset;
    HeldCharacter held{.model = asset.model, .called = asset.called, .isVideo = asset.video.has_value()};
    held.linked = loaded.linked;
    held.joints = asset.skeleton ? asset.skeleton->joints.size() : 0;
    for (const core::Clip& clip : asset.clips)
        held.clips.push_back({clip.name, clip.fullName, clip.index, clip.id, clip.frames, clip.duration});
    if (asset.video)
        held.clips.push_back(
            {.name = {}, .frames = asset.video->count, .seconds = asset.video->count / asset.video->rate()});
    return held;
}

OptionValues withoutMeshes(const Format& format, const OptionValues& options) {
    OptionValues values = options;
    if (format.offers(kNoMeshOption.key))
        values.set(kNoMeshOption.key, 1.0);
    return values;
}

}  // namespace

std::vector<HeldCharacter> charactersIn(const Input& input, const Companions& given, Context& context,
                                        CharacterFiles& files) {
    const Format& format = formatOf(input);
    std::vector<HeldCharacter> held;
    if (isPart(format))
        return held;
    OptionValues options = withoutMeshes(format, context.options);
    core::Diagnostics repeated;
    Context survey{options, context.limits, repeated, context.cancelled};
    const std::vector<ModelSummary> models = convertedModels(modelsOf(input, given, survey));
    const auto add = [&] {
        Context own{options, context.limits, context.diagnostics, context.cancelled};
        const LinkedAsset loaded = loadWithLinked(input, given, own, files);
        if (loaded.asset.skeleton || loaded.asset.video)
            held.push_back(heldBy(loaded));
    };
    if (models.size() < 2) {
        try {
            add();
        } catch (const core::DecodeError& error) {
            if (error.kind() != core::DecodeError::Kind::nothing)
                throw;
        }
        return held;
    }
    requireWithinLimits(models, input, context.limits);
    for (const ModelSummary& model : models) {
        options.set(kModelOption.key, model.id);
        add();
    }
    return held;
}

std::vector<std::string> filesBelow(const InputOptions& options, const std::string& path,
                                    const std::function<void()>& report) {
    std::vector<std::string> files;
    try {
        if (isFolder(fromUtf8(path)) && !isMemoriaCharacter(fromUtf8(path))) {
            for (const std::filesystem::path& file : options.inputsAmong(contentOf(fromUtf8(path)).files)) {
                const std::string below = toUtf8(file.lexically_normal());
                const std::vector<std::string> inside =
                    isFolder(file) ? std::vector<std::string>{below} : filesBelow(options, below, report);
                files.insert(files.end(), inside.begin(), inside.end());
            }
        } else if (!options.isFolderOfFiles(path)) {
            files.push_back(path);
        } else {
            for (archives::FoundEntry& found : options.files->entriesIn(path, options.limits))
                if (found.mayBeCharacter())
                    files.push_back(std::move(found.path));
        }
    } catch (const core::DecodeError&) {
        report();
    }
    return files;
}

namespace {

/// The format of files with such names. Null if several formats use them.
const Format* formatByName(std::string_view name) {
    const Format* found = nullptr;
    const std::string extension = extensionOf(name);
    for (const Format* format : formats())
        if (std::ranges::find(format->extensions, extension) != format->extensions.end()) {
            if (found != nullptr)
                return nullptr;
            found = format;
        }
    return found;
}

class Insides {
  public:
    Insides(const InputOptions& options, const std::function<void(const InsideFile&)>& use)
        : options_(options),
          use_(use),
          given_(options.givenWithoutRig()),
          files_(options.files, options.limits, options.values.text(kFieldsOption.key).value_or("")) {}

    /// Adds a container and its content.
    void addContainer(const std::string& path) {
        const auto source = options_.files->open(path);
        InsideFile inside{.path = path, .size = source ? source->size() : 0};
        read(inside);
    }

    void addFolder(const std::string& path) {
        for (const std::filesystem::path& file : contentOf(fromUtf8(path)).files) {
            std::error_code unknown;
            InsideFile inside{.path = toUtf8(file), .size = core::fileSize(file, unknown)};
            read(inside);
        }
    }

    void addArchive(const archives::Archive& archive, const std::string& path, std::size_t depth) {
        const archives::ArchiveFormat& format = archive.format();
        const bool isRead = !format.holdsCharacters;  // read as a whole
        archivesLeft_ -= format.holdsArchives ? 1 : 0;
        for (const archives::Entry& entry : archive.entriesToRead()) {
            if (interrupted())
                return;
            InsideFile inside{.path = fmt::format("{}:{}", path, entry.name), .size = entry.size, .depth = depth};
            if (format.types != archives::ArchiveFormat::Types::none)
                inside.type = archives::typeText(format, entry.type);
            inside.isDamaged = entry.damaged;
            if (isRead) {
                inside.format = formatByName(entry.fileName());
                use_(inside);
            } else {
                const bool isDiscs = format.holdsArchives && !archive.mayBeCharacter(entry);
                read(inside, isDiscs ? What::archives : What::all);
            }
        }
    }

  private:
    /// What to look for. On a disc, sounds and videos are not opened.
    enum class What { all, archives };

    void read(InsideFile& inside, What what = What::all) {
        std::shared_ptr<const archives::Archive> archive;
        if (!inside.isDamaged)
            try {
                archive = options_.files->openIfArchive(inside.path, options_.limits);
                if (archive)
                    inside.archive = archive->format().id;
                else
                    options_.refuseBlankArchive(inside.path);
                if (std::optional<Input> input =
                        what == What::all ? options_.readFromFolder(inside.path) : std::nullopt) {
                    inside.format = input->format;
                    core::Diagnostics unsaid;
                    Context context{options_.values, options_.limits, unsaid, interrupted};
                    inside.characters = charactersIn(*input, given_, context, files_);
                    inside.isDamaged = isDamaged(unsaid, input->shownName());
                }
            } catch (const core::DecodeError&) {
                inside.isDamaged = true;
            }
        use_(inside);
        constexpr std::size_t kDeepest = 8;  // a malicious disc may contain itself
        if (archive && inside.depth < kDeepest && archivesLeft_ > 0)
            addArchive(*archive, inside.path, inside.depth + 1);
    }

    const InputOptions& options_;
    const std::function<void(const InsideFile&)>& use_;
    Companions given_;
    CharacterFiles files_;
    int archivesLeft_ = 1024;  ///< how many more archives may be opened for their nested archives
};

}  // namespace

void eachInside(const InputOptions& options, const std::string& path,
                const std::function<void(const InsideFile&)>& use) {
    Insides insides(options, use);
    if (isFolder(fromUtf8(path))) {
        insides.addFolder(path);
        return;
    }
    const auto archive = options.files->openArchive(path, options.limits);
    if (archive->format().holdsCharacters)
        insides.addArchive(*archive, path, 0);
    else
        insides.addContainer(path);
}

bool isDamaged(const core::Diagnostics& diagnostics, std::string_view file) {
    return std::ranges::any_of(diagnostics.warnings(), [file](const core::Warning& warning) {
        const bool isOfDamage = warning.code == core::Code::truncated || warning.code == core::Code::damaged;
        return isOfDamage && warning.severity == core::Warning::Severity::warning && warning.file == file;
    });
}

std::string countsOf(const std::vector<HeldCharacter>& characters) {
    std::string text;
    const auto add = [&text](std::size_t count, const char* what) {
        if (count > 0)
            text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, what, count == 1 ? "" : "s");
    };
    std::size_t joints = 0;
    std::size_t clips = 0;
    std::size_t frames = 0;
    for (const HeldCharacter& held : characters) {
        joints += held.joints;
        clips += held.isVideo ? 0 : held.clips.size();
        frames += held.isVideo ? held.clips.front().frames : 0;
    }
    add(characters.size() > 1 ? characters.size() : 0, "character");
    add(joints, "joint");
    add(clips, "clip");
    add(frames, "frame");
    return text;
}

}  // namespace reanima::tool
