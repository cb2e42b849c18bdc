#include "tools/reanima/jobs/animation_inputs.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/text.h"
#include "tools/reanima/system/glob.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> filesLike(const std::string& pattern) {
    const fs::path path = fromUtf8(pattern);
    const std::string wanted = lowerCase(toUtf8(path.filename()));
    std::vector<std::string> found;
    std::error_code error;
    for (const fs::path& name : core::namesIn(path.parent_path(), error))
        if (fits(lowerCase(toUtf8(name)), wanted) && isFile(path.parent_path() / name))
            found.push_back(toUtf8(path.parent_path() / name));
    return found;
}

std::vector<std::string> entriesLike(const std::string& archive, const std::string& pattern,
                                     const InputOptions& options) {
    const std::string wanted = lowerCase(pattern);
    std::vector<std::string> found;
    const auto opened = options.files->openArchive(archive, options.limits);
    for (const archives::Entry& entry : opened->entries())
        if (fits(lowerCase(entry.name), wanted))
            found.push_back(fmt::format("{}:{}", archive, entry.name));
    return found;
}

std::vector<std::string> matchesOf(const std::string& pattern, const InputOptions& options) {
    const std::size_t colon = pattern.rfind(':');
    const bool isInArchive = colon != std::string::npos && isFile(fromUtf8(pattern.substr(0, colon)));
    std::vector<std::string> found =
        isInArchive ? entriesLike(pattern.substr(0, colon), pattern.substr(colon + 1), options) : filesLike(pattern);
    if (found.empty())
        throw UsageError(fmt::format("--animations {}: there is no such file", pattern));
    std::ranges::sort(found);
    return found;
}

}  // namespace

std::vector<JobInput> animationInputs(const std::vector<std::string>& names, const InputOptions& options) {
    std::vector<JobInput> inputs;
    for (const std::string& name : names) {
        if (!isPattern(name)) {
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
