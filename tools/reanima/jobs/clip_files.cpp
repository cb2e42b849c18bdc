#include "tools/reanima/jobs/clip_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "archives/characters.h"
#include "core/text.h"
#include "gltf_export/gltf_file.h"
#include "tools/reanima/front/content_key.h"
#include "tools/reanima/jobs/existing_output.h"
#include "tools/reanima/system/console.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// The output with more at the end of its stem.
fs::path withSuffix(const fs::path& output, const std::string& suffix) {
    const std::string name = toUtf8(output.filename());
    const std::string stem(core::stemOf(name));
    return output.parent_path() / fromUtf8(stem + "_" + suffix + name.substr(stem.size()));
}

/// Memoria's name of a clip: `ANH_` and more, or a number.
bool isMemoriaName(std::string_view name) {
    return name.starts_with("ANH_") || (!name.empty() && std::ranges::all_of(name, core::isDigit));
}

/// `ANH_SUB_F0_BAK_WALK` for `ANH_MAIN_F0_ZDN_WALK` on the model `GEO_SUB_F0_BAK`: the engine takes the model of a clip
/// from these three words. Other names stay.
std::string memoriaNameOn(const std::string& model, const std::string& name) {
    constexpr int kWordsOfModel = 4;  // with `ANH` or `GEO`
    constexpr std::size_t kPrefix = 4;
    std::size_t end = 0;
    for (int word = 0; word < kWordsOfModel && end != std::string::npos; ++word)
        end = name.find('_', end + 1);
    const bool isNamed = name.starts_with("ANH_") && end != std::string::npos;
    return isNamed && !model.empty() ? "ANH_" + model.substr(kPrefix) + name.substr(end) : name;
}

/// The path at which Memoria expects a clip of Final Fantasy IX that stays on its own model, or that is named after
/// one; empty for others.
/// @param model the game's name of the model that clips were bound to; empty: none
fs::path memoriaPlace(const core::Asset& asset, const core::Clip& clip, const std::string& model) {
    if (isMemoriaName(clip.name) && !clip.format.starts_with("ff9"))
        return fromUtf8(core::portableName(memoriaNameOn(model, clip.name)));
    if (!asset.called.number || clip.id == 0 || !clip.format.starts_with("ff9"))
        return {};
    return fs::path("Animations") / std::to_string(*asset.called.number) / std::to_string(clip.id);
}

bool isThere(const fs::path& path, core::Bytes bytes) {
    std::error_code error;
    if (path == kStandardStream || !isFile(path) || core::fileSize(path, error) != bytes.size())
        return false;
    const File file = commandFiles()->read(toUtf8(path), {});
    return std::ranges::equal(file.bytes, bytes);
}

}  // namespace

ClaimedOutputs::ClaimedOutputs(const std::vector<fs::path>& others) {
    for (const fs::path& path : others)
        if (path != kStandardStream)
            others_.insert(comparablePath(path));
}

void ClaimedOutputs::claim(const std::vector<fs::path>& paths) {
    const std::lock_guard lock(mutex_);
    for (const fs::path& path : paths) {
        if (path == kStandardStream)
            continue;
        const fs::path place = comparablePath(path);
        if (others_.contains(place))
            throw UsageError(fmt::format("{}: the output is an input", toUtf8(path)));
        if (!claimed_.insert(place).second)
            throw UsageError(fmt::format("{}: two outputs would be written there", toUtf8(path)));
    }
}

fs::path patternOfOutputs(const Job& job) { return job.isPerClip ? withSuffix(job.output, "*") : job.output; }

std::vector<fs::path> clipOutputs(const Job& job, const core::Asset& asset) {
    const std::string extension = toUtf8(job.output.extension());
    if (!asset.skeleton || asset.skeleton->joints.empty() || asset.clips.empty())
        throw core::DecodeError(fmt::format("has no clip with joints, but a {} contains nothing else", extension));
    if (!job.isPerClip && asset.clips.size() > 1)
        throw UsageError(fmt::format(
            "-o {}: such a file contains one clip, and there are {}. Choose one with --clip, or use -o FOLDER/ for all",
            toUtf8(job.output), asset.clips.size()));
    if (!job.isPerClip)
        return {job.output};
    const std::string model = archives::modelCalledAs(job.recipe->rigPath());
    std::vector<fs::path> paths;
    UniqueFileNames names;
    for (const core::Clip& clip : asset.clips) {
        const fs::path place = extension == ".anim" ? memoriaPlace(asset, clip, model) : fs::path();
        const std::string name = place.empty() ? core::portableName(clip.name) : toUtf8(place);
        const std::string unique = names.unique(name);
        paths.push_back(place.empty() ? withSuffix(job.output, unique)
                                      : job.output.parent_path() / fromUtf8(unique + extension));
    }
    return paths;
}

ClipFiles::ClipFiles(const core::Asset& asset, std::string_view form, const std::optional<StandingPose>& standing,
                     std::string contentKey, core::Diagnostics& diagnostics)
    : asset_(asset), contentKey_(std::move(contentKey)) {
    if (form == "anim")
        memoria_.emplace(*asset.skeleton, asset.clips);
    else if (standing)
        bvh_.emplace(*asset.skeleton, asset.clips, standing->pose, standing->hips, diagnostics);
}

ClipFiles::Made ClipFiles::make(const core::Clip& clip, core::Asset& alone, const core::Limits& limits) const {
    if (bvh_ || memoria_) {
        const std::string text = bvh_ ? bvh_->textOf(clip, limits) : memoria_->textOf(clip, limits);
        core::ByteVector bytes(text.begin(), text.end());
        std::string hash = gltf::bufferHash(bytes);
        return {std::move(bytes), std::move(hash)};
    }
    alone.clips = {clip};
    gltf::GltfOptions options;
    options.contentKey = contentKey_;
    options.vrmAnimation = true;
    gltf::GltfFile file = gltf::makeGlbFile(alone, options, limits);
    return {std::move(file.bytes).joined(), std::move(file.hash)};
}

core::Asset ClipFiles::withoutClips() const {
    core::Asset alone{asset_.skeleton, {}};
    alone.character = asset_.character;
    alone.called = asset_.called;
    return alone;
}

void ClipFiles::refuseEdited(const std::vector<fs::path>& paths, const LeftOvers& earlier,
                             const core::Limits& limits) const {
    core::Asset alone = withoutClips();
    for (std::size_t i = 0; i < asset_.clips.size(); ++i)
        if (isFile(paths[i]) && !isThere(paths[i], make(asset_.clips[i], alone, limits).bytes))
            tool::refuseEdited(paths[i], earlier.reportedHash(paths[i]));
}

std::vector<ClipOutput> ClipFiles::write(const std::vector<fs::path>& paths, Existing existing,
                                         const core::Limits& limits) const {
    core::Asset alone = withoutClips();
    std::vector<ClipOutput> outputs;
    for (std::size_t i = 0; i < asset_.clips.size(); ++i) {
        if (interrupted())
            throw core::DecodeError({}, "was cancelled", core::DecodeError::Kind::cancelled);
        const core::Clip& clip = asset_.clips[i];
        const auto [bytes, hash] = make(clip, alone, limits);
        const bool stays = existing == Existing::keepEqual && isThere(paths[i], bytes);
        if (!stays)
            writeOutput(paths[i], core::Bytes(bytes));
        outputs.push_back(
            {paths[i], clip.frames, bytes.size(), bvh_ || memoria_ ? keyOfBytes(bytes) : contentKey_, hash, stays});
    }
    return outputs;
}

}  // namespace reanima::tool
