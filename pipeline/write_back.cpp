#include "pipeline/write_back.h"

#include <algorithm>
#include <utility>

#include "archives/open_archives.h"
#include "core/file_system.h"
#include "core/renamed_joints.h"
#include "core/text.h"
#include "formats/load.h"
#include "formats/options.h"
#include "pipeline/cast.h"
#include "pipeline/encode_asset.h"
#include "pipeline/pipeline.h"

namespace reanima {

namespace {

/// Removes clips that come from other files. For each remaining clip that is not a copy, finds its index in the
/// original.
EncodeSettings settingsFor(core::MovingScene& edited, const core::File& original, const WriteBackSettings& settings) {
    EncodeSettings encode;
    encode.rest = settings.original.rest;
    encode.allChanged = settings.allChanged;
    encode.allowLoss = settings.allowLoss;
    for (const auto& [clip, source] : edited.sources) {
        if (core::lowerCase(source.file) != core::lowerCase(original.name))
            std::erase_if(edited.motions,
                          [&name = clip](const core::SceneMotion& motion) { return motion.name == name; });
        else if (source.isNamed && source.index)
            encode.search.known.emplace(clip, *source.index);
    }
    return encode;
}

}  // namespace

WrittenBack writeBack(const std::filesystem::path& edited, const std::filesystem::path& original,
                      const MotionReader& readMotion, const WriteBackSettings& settings,
                      const std::shared_ptr<const core::Files>& files) {
    WrittenBack back;
    const core::Limits& limits = settings.original.limits;
    const OptionValues options = optionsOf(settings.original);
    refuseUnknownOptions(options);
    const auto archives = std::make_shared<archives::OpenArchives>(files);
    const auto open = [&](const std::string& name, const Format* as) { return readInput(archives, name, limits, as); };

    const Input scene = open(core::toUtf8(edited), nullptr);
    const std::string& name = scene.shownName();
    core::MovingScene moving =
        core::inFile(name, [&] { return readMotion(scene.file, scene.siblings, limits, back.diagnostics); });

    const Input input = open(core::toUtf8(original), nullptr);
    const Cast cast(settings.original, open, {archives, limits});
    Context context{options, limits, back.diagnostics, {}};
    OriginalFile file(input, cast.companionsFor(formatOf(input)), context);
    if (const std::optional<core::Skeleton>& skeleton = file.motion().skeleton)
        core::restoreJointNames(moving.scene, *skeleton, back.diagnostics);
    const EncodeSettings encode = settingsFor(moving, input.file, settings);
    EncodedAsset encoded = encodeAsset(moving, name, file, encode, context);
    for (const core::ClipEdit& edit : encoded.found.clips)
        if (edit.isEdited(encoded.original.clips[edit.clip].frames))
            back.changed.push_back(edit.name);
    back.bytes = std::move(encoded.bytes);
    back.losses = std::move(encoded.losses);
    return back;
}

}  // namespace reanima
