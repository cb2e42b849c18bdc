#include "tools/reanima/jobs/animation_inputs.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/text_pattern.h"
#include "formats/format.h"
#include "tools/reanima/system/glob.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> filesLike(const std::string& pattern) {
    std::vector<std::string> found;
    for (const fs::path& path : matching(fromUtf8(pattern)))
        if (isFile(path))
            found.push_back(toUtf8(path));
    return found;
}

/// The game animations and archives below a folder. Unreadable files are skipped.
std::vector<std::string> animationsBelow(const std::string& folder, const InputOptions& options) {
    std::vector<std::string> found;
    for (const fs::path& file : contentOf(fromUtf8(folder)).files)
        try {
            const bool isArchive = options.folderFormatOf(toUtf8(file)) != nullptr;
            const std::optional<Input> input = isArchive ? std::nullopt : options.readFromFolder(toUtf8(file));
            if (isArchive || (input && input->format->kind == Kind::animation))
                found.push_back(toUtf8(file));
        } catch (const core::DecodeError&) {  // NOLINT: unreadable files are skipped
        }
    if (found.empty())
        throw UsageError(fmt::format("--animations {}: contains no animation of a game", folder));
    return found;
}

std::vector<std::string> matchesOf(const std::string& pattern, const InputOptions& options) {
    if (isFolder(fromUtf8(pattern)))
        return animationsBelow(pattern, options);
    std::vector<std::string> found =
        options.files->namesEntry(pattern) ? options.files->matching(pattern, options.limits) : filesLike(pattern);
    if (found.empty())
        throw UsageError(fmt::format("--animations {}: there is no such file", pattern));
    std::ranges::sort(found);
    return found;
}

}  // namespace

std::vector<JobInput> animationInputs(const std::vector<std::string>& names, const InputOptions& options) {
    std::vector<JobInput> inputs;
    for (const std::string& name : names) {
        const bool isOne = options.files->exists(name) || !(core::isPattern(name) || isFolder(fromUtf8(name)));
        if (isOne) {
            options.requireKnownInput(name);
            inputs.push_back({fromUtf8(name)});
            continue;
        }
        for (const std::string& found : matchesOf(name, options)) {
            inputs.push_back({fromUtf8(found)});
            inputs.back().mustFit = true;
        }
    }
    return inputs;
}

}  // namespace reanima::tool
