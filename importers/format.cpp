#include "importers/format.h"

#include <algorithm>

namespace reanima {

std::string_view stemOf(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

std::string inCaseOf(char sample, std::string_view text) {
    std::string result(text);
    if (sample >= 'A' && sample <= 'Z')
        std::transform(result.begin(), result.end(), result.begin(),
                       [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return result;
}

std::string extensionOf(std::string_view name) {
    std::string extension = lowerCase(name.substr(stemOf(name).size()));
    if (!extension.empty())
        extension.erase(0, 1);
    return extension;
}

std::vector<std::string> companionNames(std::string_view name, std::string_view extension) {
    const std::size_t dot = stemOf(name).size();
    const std::string own = inCaseOf(dot + 1 < name.size() ? name[dot + 1] : 'a', extension);
    const std::string lower(extension);
    const std::string other = own == lower ? inCaseOf('A', extension) : lower;
    std::vector<std::string> names;
    for (const std::string& stem : companionStems(name))
        for (const std::string& spelling : {own, other})
            names.push_back(stem + "." + spelling);
    return names;
}

std::vector<std::string> companionStems(std::string_view name) {
    const std::string stem(stemOf(name));
    std::vector<std::string> stems = {stem};
    const std::size_t underscore = stem.rfind('_');
    if (underscore != std::string::npos && underscore > 0)
        stems.push_back(stem.substr(0, underscore));
    return stems;
}

}  // namespace reanima
