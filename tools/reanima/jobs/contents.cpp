#include "tools/reanima/jobs/contents.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/source.h"
#include "formats/common_options.h"
#include "formats/load.h"
#include "pipeline/memoria_folder.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

HeldCharacter heldBy(const core::Asset& asset) {
    HeldCharacter held{.model = asset.model, .called = asset.called, .isVideo = asset.video.has_value()};
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
    if (std::ranges::find(format.options, kNoMeshOption.key, &OptionInfo::key) != format.options.end())
        values.set(kNoMeshOption.key, 1.0);
    return values;
}

}  // namespace

std::vector<HeldCharacter> charactersIn(const Input& input, const Companions& given, Context& context) {
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
        const core::Asset asset = load(input, given, own);
        if (asset.skeleton || asset.video)
            held.push_back(heldBy(asset));
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
        if (isFolder(fromUtf8(path)) && memoriaClipsIn(fromUtf8(path)).empty()) {
            for (const std::filesystem::path& file : withCharacters(contentOf(fromUtf8(path)).files)) {
                const std::vector<std::string> inside = filesBelow(options, toUtf8(file.lexically_normal()), report);
                files.insert(files.end(), inside.begin(), inside.end());
            }
        } else if (!options.format.empty() || options.folderFormatOf(path) == nullptr) {
            files.push_back(path);
        } else {
            const auto archive = options.files->openArchive(path, options.limits);
            core::inFile(path, [&] {
                for (const archives::Entry& entry : archive->entriesToRead())
                    if (archive->mayBeCharacter(entry))
                        files.push_back(fmt::format("{}:{}", path, entry.name));
            });
        }
    } catch (const core::DecodeError&) {
        report();
    }
    return files;
}

namespace {

/// The format whose files have such names, if one alone has.
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
        : options_(options), use_(use), given_(options.givenWithoutRig()) {}

    /// A container, and what it holds.
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
        const bool isRead = !format.holdsCharacters;  // as a whole
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
                read(inside);
            }
        }
    }

  private:
    void read(InsideFile& inside) {
        std::shared_ptr<const archives::Archive> archive;
        if (!inside.isDamaged)
            try {
                archive = options_.files->openIfArchive(inside.path, options_.limits);
                if (archive)
                    inside.archive = archive->format().id;
                if (std::optional<Input> input = options_.readFromFolder(inside.path)) {
                    inside.format = input->format;
                    core::Diagnostics unsaid;
                    Context context{options_.values, options_.limits, unsaid, interrupted};
                    inside.characters = charactersIn(*input, given_, context);
                    inside.isDamaged = isDamaged(unsaid, input->shownName());
                }
            } catch (const core::DecodeError&) {
                inside.isDamaged = true;
            }
        use_(inside);
        if (archive)
            addArchive(*archive, inside.path, inside.depth + 1);
    }

    const InputOptions& options_;
    const std::function<void(const InsideFile&)>& use_;
    Companions given_;
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
