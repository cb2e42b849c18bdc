#include "tools/reanima/front/command_words.h"

#include <algorithm>

#include "core/text.h"

namespace reanima::tool {

std::string asWord(std::string_view text) {
    const bool isPlain = std::ranges::all_of(text, [](char c) {
        return core::isLetter(c) || core::isDigit(c) ||
               std::string_view("_-./\\:+,=@%~").find(c) != std::string_view::npos;
    });
    return isPlain && !text.empty() ? std::string(text) : '"' + std::string(text) + '"';
}

std::string asPath(std::string_view path) { return asWord((path.starts_with('-') ? "./" : "") + std::string(path)); }

}  // namespace reanima::tool
