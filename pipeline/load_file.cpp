#include "archives/open_archives.h"
#include "core/read_file.h"
#include "formats/load.h"
#include "pipeline/named_files.h"
#include "pipeline/pipeline.h"

namespace reanima {

namespace fs = std::filesystem;

namespace {

LoadedFile loaded(Input input, const Settings& settings, const Companions& given) {
    refuseUnknownOptions(settings.options);
    LoadedFile file;
    const core::Limits limits = settings.limits.holding(input.file.bytes.size());
    Context context{settings.options, limits, file.diagnostics, {}};
    input.format = &formatOf(input);
    const Companions companions = withFoundCompanions(input, given);
    core::Asset asset = load(input, companions, context);
    refuseEmpty(asset, input);
    static_cast<FinishedAsset&>(file) = applySettings(std::move(asset), settings, input, companions, context);
    return file;
}

}  // namespace

Input openInput(const fs::path& path, const core::Limits& limits) {
    archives::OpenArchives archives;
    if (archives.namesEntry(core::toUtf8(path)))
        return archives.input(core::toUtf8(path), limits);
    Input input{{core::toUtf8(path.filename()), core::readFile(path, limits)}, {}, nullptr, core::toUtf8(path)};
    input.siblings = [folder = path.parent_path(), limits](std::string_view name) -> std::optional<File> {
        const fs::path sibling = folder / core::fromUtf8(name);
        if (!core::isFileOfThatName(sibling))
            return std::nullopt;
        return File{std::string(name), core::readFile(sibling, limits)};
    };
    return input;
}

OpenFile folderAccess(const core::Limits& limits) {
    return [limits](const std::string& path, const std::string& besides, IfMissing missing) -> std::optional<Input> {
        const fs::path file = core::fromUtf8(besides).parent_path() / core::fromUtf8(path);
        if (missing == IfMissing::nothing && !core::isFile(file) &&
            !archives::OpenArchives().holds(core::toUtf8(file), limits))
            return std::nullopt;
        return openInput(file, limits);
    };
}

LoadedFile loadFile(const fs::path& path, const Settings& settings) {
    Companions given;
    if (!settings.skeleton.empty())
        given.emplace(Role::skeleton, Companion{openInput(core::fromUtf8(settings.skeleton), settings.limits), true});
    archives::OpenArchives archives;
    addNamedCompanions(given, settings, archives, filesBelow,
                       [&](const std::string& name) { return openInput(core::fromUtf8(name), settings.limits); });
    return loaded(openInput(path, settings.limits), settings, given);
}

LoadedFile loadBytes(core::ByteVector bytes, const std::string& name, const Settings& settings,
                     const Companions& given) {
    return loaded(Input{{name, std::move(bytes)}, {}, nullptr, {}}, settings, given);
}

}  // namespace reanima
