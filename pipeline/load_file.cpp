#include "archives/open_archives.h"
#include "core/file_system.h"
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
    return readInput(std::make_shared<archives::OpenArchives>(), core::toUtf8(path), limits);
}

SettingFiles folderAccess(const core::Limits& limits) { return {std::make_shared<archives::OpenArchives>(), limits}; }

LoadedFile loadFile(const fs::path& path, const Settings& settings) {
    const auto files = std::make_shared<archives::OpenArchives>();
    Companions given;
    if (!settings.skeleton.empty())
        given.emplace(Role::skeleton, Companion{readInput(files, settings.skeleton, settings.limits), true});
    addNamedCompanions(given, settings, files);
    return loaded(readInput(files, core::toUtf8(path), settings.limits), settings, given);
}

LoadedFile loadBytes(core::ByteVector bytes, const std::string& name, const Settings& settings,
                     const Companions& given) {
    return loaded(Input{{name, std::move(bytes)}, {}, nullptr, {}}, settings, given);
}

}  // namespace reanima
