#include "core/text_pattern.h"

#include <algorithm>
#include <vector>

#include "core/text.h"

namespace reanima::core {

namespace {

constexpr std::size_t kNothing = std::string_view::npos;

/// Matches one character with the set that begins at `pattern[0] == '['`.
/// @param length becomes the length of the set; 0 if the set has no end, which makes the bracket a plain character
bool isInSet(char c, std::string_view pattern, std::size_t& length) {
    const bool negated = pattern.size() > 1 && (pattern[1] == '!' || pattern[1] == '^');
    const std::size_t first = negated ? 2 : 1;
    const std::size_t end = pattern.find(']', first + 1);  // a bracket at the start is a member of the set
    length = end == kNothing ? 0 : end + 1;
    bool found = false;
    for (std::size_t i = first; length > 0 && i < end; ++i) {
        if (i + 2 < end && pattern[i + 1] == '-') {
            found = found || (lowerCase(pattern[i]) <= c && c <= lowerCase(pattern[i + 2]));
            i += 2;
        } else {
            found = found || lowerCase(pattern[i]) == c;
        }
    }
    return found != negated;
}

/// Matches one character with the first element of a pattern.
/// @param length becomes the length of this element
bool fitsOne(char c, std::string_view pattern, std::size_t& length) {
    if (pattern.empty())
        return false;
    if (pattern[0] == '[') {
        const bool isIn = isInSet(c, pattern, length);
        if (length > 0)
            return isIn;
    }
    length = 1;
    return pattern[0] == '?' || lowerCase(pattern[0]) == c;
}

bool fitsFrom(std::string_view name, std::string_view pattern) {
    // Where to continue if a `*` must match one more character.
    std::size_t n = 0;
    std::size_t p = 0;
    std::size_t starName = 0;
    std::size_t afterStar = kNothing;
    while (n < name.size()) {
        std::size_t length = 0;
        if (p < pattern.size() && pattern[p] == '*') {
            afterStar = ++p;
            starName = n;
        } else if (fitsOne(lowerCase(name[n]), pattern.substr(p), length)) {
            ++n;
            p += length;
        } else if (afterStar != kNothing) {
            n = ++starName;
            p = afterStar;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == kNothing;
}

std::vector<std::string_view> partsOf(std::string_view path) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        parts.push_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

}  // namespace

bool isPattern(std::string_view text) { return text.find_first_of("*?[") != kNothing; }

bool fits(std::string_view name, std::string_view pattern) {
    const bool hidden = name.starts_with('.') && !pattern.starts_with('.');
    return !hidden && fitsFrom(name, pattern);
}

bool fitsPath(std::string_view path, std::string_view pattern) {
    if (pattern.find('/') == kNothing)
        return fits(path.substr(path.rfind('/') + 1), pattern);
    const std::vector<std::string_view> names = partsOf(path);
    const std::vector<std::string_view> wanted = partsOf(pattern);
    std::size_t n = 0;
    std::size_t w = 0;
    std::size_t starName = 0;
    std::size_t afterStar = kNothing;
    while (n < names.size()) {
        if (w < wanted.size() && wanted[w] == "**") {
            afterStar = ++w;
            starName = n;
        } else if (w < wanted.size() && fits(names[n], wanted[w])) {
            ++n;
            ++w;
        } else if (afterStar != kNothing) {
            n = ++starName;
            w = afterStar;
        } else {
            return false;
        }
    }
    return std::all_of(wanted.begin() + static_cast<std::ptrdiff_t>(w), wanted.end(),
                       [](std::string_view part) { return part == "**"; });
}

}  // namespace reanima::core
