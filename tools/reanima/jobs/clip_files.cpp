#include "tools/reanima/jobs/clip_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "archives/characters.h"
#include "core/text.h"
#include "tools/reanima/jobs/existing_output.h"
#include "tools/reanima/system/console.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// The output with a suffix after its stem.
fs::path withSuffix(const fs::path& output, const std::string& suffix) {
    const std::string name = toUtf8(output.filename());
    const std::string stem(core::stemOf(name));
    return output.parent_path() / fromUtf8(stem + "_" + suffix + name.substr(stem.size()));
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

void ClaimedOutputs::claim(const std::vector<fs::path>& paths, const std::string& input) {
    const std::lock_guard lock(mutex_);
    for (const fs::path& path : paths) {
        if (path == kStandardStream)
            continue;
        const fs::path place = comparablePath(path);
        if (others_.contains(place))
            throw UsageError(fmt::format("{}: the output is an input", toUtf8(path)));
        if (const auto [known, isNew] = claimed_.emplace(place, input); !isNew)
            throw UsageError(twoOutputsAt(path, known->second, input));
    }
}

fs::path patternOfOutputs(const Job& job) { return job.isPerClip ? withSuffix(job.output, "*") : job.output; }

std::vector<fs::path> clipOutputs(const Job& job, const core::Asset& asset) {
    const std::string extension = toUtf8(job.output.extension());
    const auto place = job.recipe->options.form->place;
    if (!asset.skeleton || asset.skeleton->joints.empty() || asset.clips.empty())
        throw core::DecodeError(
            fmt::format("contains no clip with joints, so there is nothing to write into a {}", extension));
    if (!job.isPerClip && asset.clips.size() > 1)
        throw UsageError(
            fmt::format("-o {}: a file of this format contains one clip, but there are {}. Choose one with --clip, or "
                        "use -o FOLDER/ for all",
                        toUtf8(job.output), asset.clips.size()));
    if (!job.isPerClip)
        return {job.output};
    const std::string model = archives::modelCalledAs(job.recipe->rigPath());
    std::vector<fs::path> paths;
    UniqueFileNames names;
    for (const core::Clip& clip : asset.clips) {
        const fs::path placed = place == nullptr ? fs::path() : place(asset, clip, model);
        const std::string unique = names.unique(placed.empty() ? core::portableName(clip.name) : toUtf8(placed));
        paths.push_back(placed.empty() ? withSuffix(job.output, unique)
                                       : job.output.parent_path() / fromUtf8(unique + extension));
    }
    return paths;
}

void refuseEditedClips(const std::vector<core::Clip>& clips, const ClipWriter& writer,
                       const std::vector<fs::path>& paths, const LeftOvers& earlier, const core::Limits& limits) {
    for (std::size_t i = 0; i < clips.size(); ++i)
        if (isFile(paths[i]) && !isThere(paths[i], writer(clips[i], limits).bytes))
            refuseEdited(paths[i], earlier.reportedHash(paths[i]));
}

std::vector<ClipOutput> writeClips(const std::vector<core::Clip>& clips, const ClipWriter& writer,
                                   const std::vector<fs::path>& paths, Existing existing, const core::Limits& limits) {
    std::vector<ClipOutput> outputs;
    for (std::size_t i = 0; i < clips.size(); ++i) {
        if (interrupted())
            throw core::DecodeError({}, "was cancelled", core::DecodeError::Kind::cancelled);
        const ClipFile file = writer(clips[i], limits);
        const bool stays = existing == Existing::keepEqual && isThere(paths[i], file.bytes);
        if (!stays)
            writeOutput(paths[i], core::Bytes(file.bytes));
        outputs.push_back({paths[i], clips[i].frames, file.bytes.size(), file.key, file.hash, stays});
    }
    return outputs;
}

}  // namespace reanima::tool
