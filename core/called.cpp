#include "core/called.h"

#include <array>

#include "core/text.h"

namespace reanima::core {

std::string_view nameOf(NamedBy named) {
    constexpr std::array<std::string_view, 3> kNames = {"file", "game", "table"};
    return kNames.at(static_cast<std::size_t>(named));
}

std::string_view nameOf(LinkedBy linked) {
    constexpr std::array<std::string_view, 6> kNames = {"", "script", "field", "name", "bones", "given"};
    return kNames.at(static_cast<std::size_t>(linked));
}

std::string titleOf(std::string_view label) {
    std::string title;
    for (const char c : label) {
        const bool isKept = isLetter(c) || isDigit(c);
        if (isKept)
            title += lowerCase(c);
        else if (!title.empty() && title.back() != '_')
            title += '_';
    }
    if (title.ends_with('_'))
        title.pop_back();
    return title;
}

}  // namespace reanima::core
