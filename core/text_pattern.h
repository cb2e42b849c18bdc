/// Names with wildcards: `*` (any characters), `?` (any one), `[a-z]`, `[!a-z]`. Upper and lower case are the same.
#pragma once

#include <string_view>

namespace reanima::core {

/// True if `text` has a wildcard.
[[nodiscard]] bool isPattern(std::string_view text);

/// True if a name fits a pattern. A dot in front must be written.
[[nodiscard]] bool fits(std::string_view name, std::string_view pattern);

/// The same for names of several parts, with `/` between them. A pattern without `/` stands for the last part, in any
/// folder; in one with `/`, each part stands for a part, and `**` for any number of parts, or none.
[[nodiscard]] bool fitsPath(std::string_view path, std::string_view pattern);

}  // namespace reanima::core
