#include "tools/reanima/animation_inputs.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/text.h"
#include "tools/reanima/glob.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> filesLike(const std::string& pattern) {
    const fs::path path = fromUtf8(pattern);
    const std::string wanted = lowerCase(toUtf8(path.filename()));
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    std::vector<std::string> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.is_regular_file(error) && fits(lowerCase(toUtf8(entry.path().filename())), wanted))
            found.push_back(toUtf8(path.parent_path() / entry.path().filename()));
    return found;
}

std::vector<std::string> entriesLike(const std::string& archive, const std::string& pattern,
                                     const InputOptions& options) {
    const std::string wanted = lowerCase(pattern);
    std::vector<std::string> found;
    const auto opened = options.archives->open(archive, options.limits);
    for (const archives::Entry& entry : opened->entries())
        if (fits(lowerCase(entry.name), wanted))
            found.push_back(fmt::format("{}:{}", archive, entry.name));
    return found;
}

std::vector<std::string> matchesOf(const std::string& pattern, const InputOptions& options) {
    const std::size_t colon = pattern.rfind(':');
    std::error_code error;
    const bool isInArchive =
        colon != std::string::npos && fs::is_regular_file(fromUtf8(pattern.substr(0, colon)), error);
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
