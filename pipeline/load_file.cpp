#include "archives/open_archives.h"
#include "core/file_system.h"
#include "formats/load.h"
#include "pipeline/cast.h"
#include "pipeline/foreign_motion.h"
#include "pipeline/linked_clips.h"
#include "pipeline/pipeline.h"

namespace reanima {

namespace fs = std::filesystem;

namespace {

/// @param files the source of the input; null if no files are beside the input
/// @param diagnostics warnings from files that were already read for this input
LoadedFile loaded(Input input, const Settings& settings, const Companions& given,
                  const std::shared_ptr<const archives::OpenArchives>& files, core::Diagnostics diagnostics = {}) {
    const OptionValues options = optionsOf(settings);
    refuseUnknownOptions(options);
    refuseWrongSettings(settings);
    refuseWithoutRig(settings);
    LoadedFile file;
    file.diagnostics = std::move(diagnostics);
    const core::Limits limits = settings.limits.holding(input.file.bytes.size());
    Context context{options, limits, file.diagnostics, {}};
    input.format = &formatOf(input);
    CharacterFiles characters(files, limits, options.text(kFieldsOption.key).value_or(""));
    LinkedAsset character = loadWithLinked(input, given, context, characters);
    refuseEmpty(character.asset, input);
    static_cast<FinishedAsset&>(file) =
        applySettings(std::move(character.asset), settings, input, character.companions, context);
    return file;
}

}  // namespace

Input openInput(const fs::path& path, const core::Limits& limits) {
    return readInput(std::make_shared<archives::OpenArchives>(), core::toUtf8(path), limits);
}

SettingFiles folderAccess(const core::Limits& limits) { return {std::make_shared<archives::OpenArchives>(), limits}; }

LoadedFile loadFile(const fs::path& path, const Settings& settings, const RigReader& readRig,
                    const MotionReader& readMotion, std::shared_ptr<const core::Files> host) {
    const auto files = std::make_shared<archives::OpenArchives>(std::move(host));
    const auto open = [&](const std::string& name, const Format* as) {
        return readInput(files, name, settings.limits, as);
    };
    const Cast cast(settings, open, {files, settings.limits});
    Input input = open(core::toUtf8(path), nullptr);
    asSource(input, readMotion);
    const Format& format = formatOf(input);
    const Input* rigFile = cast.rigFor(format);
    if (rigFile == nullptr)
        return loaded(std::move(input), settings, cast.companionsFor(format), files);
    Settings bound = settings;
    core::Diagnostics diagnostics;
    const OptionValues options = optionsOf(settings);
    CharacterFiles characters(files, settings.limits, options.text(kFieldsOption.key).value_or(""));
    bound.rig = std::make_shared<core::Rig>(readRigOf(*rigFile, settings, readRig, characters, diagnostics).rig);
    return loaded(std::move(input), bound, cast.companionsFor(format), files, std::move(diagnostics));
}

LoadedFile loadBytes(core::ByteVector bytes, const std::string& name, const Settings& settings,
                     const Companions& given) {
    Input input{{name, std::move(bytes)}, {}, nullptr, {}};
    asSource(input, {});
    return loaded(std::move(input), settings, given, nullptr);
}

}  // namespace reanima
