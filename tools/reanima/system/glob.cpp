#include "tools/reanima/system/glob.h"

#include <algorithm>

#include "core/text_pattern.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> childrenOf(const fs::path& folder) {
    std::vector<fs::path> children;
    std::error_code error;
    for (const fs::path& name : core::namesIn(folder, error))
        children.push_back(folder / name);
    std::sort(children.begin(), children.end());
    return children;
}

using Parts = std::vector<fs::path>;

void match(const fs::path& folder, Parts::const_iterator part, Parts::const_iterator end,
           std::vector<fs::path>& found) {
    if (part == end) {
        if (core::isLink(folder) || core::exists(folder))
            found.push_back(folder);
        return;
    }
    const std::string pattern = toUtf8(*part);
    if (!core::isPattern(pattern)) {
        match(folder / *part, part + 1, end, found);
        return;
    }
    if (pattern == "**")
        match(folder, part + 1, end, found);
    for (const fs::path& child : childrenOf(folder)) {
        if (pattern == "**" && isFolder(child) && !core::isLink(child) && core::fits(toUtf8(child.filename()), "*"))
            match(child, part, end, found);
        else if (pattern != "**" && core::fits(toUtf8(child.filename()), pattern))
            match(child, part + 1, end, found);
    }
}

}  // namespace

fs::path folderOfPattern(const fs::path& pattern) {
    fs::path folder;
    for (const fs::path& part : pattern) {
        if (core::isPattern(toUtf8(part)))
            break;
        folder /= part;
    }
    return folder;
}

std::vector<fs::path> matching(const fs::path& pattern) {
    const Parts parts(pattern.begin(), pattern.end());
    std::vector<fs::path> found;
    match({}, parts.begin(), parts.end(), found);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace reanima::tool
