/// Names with wildcards: `*` (any characters), `?` (any one), `[a-z]`, `[!a-z]`. Case is ignored.
#pragma once

#include <string_view>

namespace reanima::core {

/// True if `text` has a wildcard.
[[nodiscard]] bool isPattern(std::string_view text);

/// True if a name matches a pattern. A leading dot must be written out.
[[nodiscard]] bool fits(std::string_view name, std::string_view pattern);

/// True if a name of several parts, with `/` between them, matches a pattern. A pattern without `/` matches the last
/// part, in any folder. With `/`, each part of the pattern matches one part of the name; `**` matches 0 or more parts.
[[nodiscard]] bool fitsPath(std::string_view path, std::string_view pattern);

}  // namespace reanima::core
