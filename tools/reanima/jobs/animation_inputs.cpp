#include "tools/reanima/jobs/animation_inputs.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/text_pattern.h"
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

std::vector<std::string> matchesOf(const std::string& pattern, const InputOptions& options) {
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
        if (!core::isPattern(name) || options.files->exists(name)) {
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
