#include "tools/reanima/system/glob.h"

#include <algorithm>

#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// Matches one character with the set that begins at `pattern[0] == '['`.
/// @param length becomes the length of the set; 0 if it has no end and the bracket stands for itself
bool isInSet(char c, std::string_view pattern, std::size_t& length) {
    const bool negated = pattern.size() > 1 && (pattern[1] == '!' || pattern[1] == '^');
    const std::size_t first = negated ? 2 : 1;
    const std::size_t end = pattern.find(']', first + 1);  // a bracket in front is a member
    length = end == std::string_view::npos ? 0 : end + 1;
    bool found = false;
    for (std::size_t i = first; length > 0 && i < end; ++i) {
        if (i + 2 < end && pattern[i + 1] == '-') {
            found = found || (pattern[i] <= c && c <= pattern[i + 2]);
            i += 2;
        } else {
            found = found || pattern[i] == c;
        }
    }
    return found != negated;
}

bool fitsFrom(std::string_view name, std::string_view pattern) {
    // Where to go on when a `*` has to take one character more.
    std::size_t n = 0;
    std::size_t p = 0;
    std::size_t starName = 0;
    std::size_t afterStar = std::string_view::npos;
    while (n < name.size()) {
        std::size_t length = 1;
        bool same = false;
        if (p < pattern.size() && pattern[p] == '*') {
            afterStar = ++p;
            starName = n;
            continue;
        }
        if (p < pattern.size() && pattern[p] == '[')
            same = isInSet(name[n], pattern.substr(p), length);
        if (p < pattern.size() && (pattern[p] != '[' || length == 0)) {
            same = pattern[p] == '?' || pattern[p] == name[n];
            length = 1;
        }
        if (same) {
            ++n;
            p += length;
        } else if (afterStar != std::string_view::npos) {
            n = ++starName;
            p = afterStar;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

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
    if (!isPattern(pattern)) {
        match(folder / *part, part + 1, end, found);
        return;
    }
    if (pattern == "**")
        match(folder, part + 1, end, found);
    for (const fs::path& child : childrenOf(folder)) {
        if (pattern == "**" && isFolder(child) && !core::isLink(child) && fits(toUtf8(child.filename()), "*"))
            match(child, part, end, found);
        else if (pattern != "**" && fits(toUtf8(child.filename()), pattern))
            match(child, part + 1, end, found);
    }
}

}  // namespace

bool isPattern(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

bool fits(std::string_view name, std::string_view pattern) {
    const bool hidden = name.starts_with('.') && !pattern.starts_with('.');
    return !hidden && fitsFrom(name, pattern);
}

fs::path folderOfPattern(const fs::path& pattern) {
    fs::path folder;
    for (const fs::path& part : pattern) {
        if (isPattern(toUtf8(part)))
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
