#include "archives/open_archives.h"
#include "core/file_system.h"
#include "formats/load.h"
#include "pipeline/cast.h"
#include "pipeline/pipeline.h"

namespace reanima {

namespace fs = std::filesystem;

namespace {

/// @param diagnostics of what was read for it before
LoadedFile loaded(Input input, const Settings& settings, const Companions& given, core::Diagnostics diagnostics = {}) {
    refuseUnknownOptions(settings.options);
    refuseContradictions(settings);
    refuseWithoutRig(settings);
    LoadedFile file;
    file.diagnostics = std::move(diagnostics);
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

LoadedFile loadFile(const fs::path& path, const Settings& settings, const RigReader& readRig) {
    const auto files = std::make_shared<archives::OpenArchives>();
    const auto open = [&](const std::string& name, const Format* as) {
        return readInput(files, name, settings.limits, as);
    };
    const Cast cast(settings, open, {files, settings.limits});
    Input input = open(core::toUtf8(path), nullptr);
    const Format& format = formatOf(input);
    const Input* rigFile = cast.rigFor(format);
    if (rigFile == nullptr)
        return loaded(std::move(input), settings, cast.companionsFor(format));
    Settings bound = settings;
    core::Diagnostics diagnostics;
    bound.rig = std::make_shared<core::Rig>(readRigOf(*rigFile, settings, readRig, diagnostics).rig);
    return loaded(std::move(input), bound, cast.companionsFor(format), std::move(diagnostics));
}

LoadedFile loadBytes(core::ByteVector bytes, const std::string& name, const Settings& settings,
                     const Companions& given) {
    return loaded(Input{{name, std::move(bytes)}, {}, nullptr, {}}, settings, given);
}

}  // namespace reanima
