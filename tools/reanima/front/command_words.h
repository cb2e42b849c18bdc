/// Command lines in messages.
#pragma once

#include <string>
#include <string_view>

namespace reanima::tool {

/// A word of a command line, in quotes if a shell would split it.
[[nodiscard]] std::string asWord(std::string_view text);

/// The same for a path. A path that looks like an option gets a `./`.
[[nodiscard]] std::string asPath(std::string_view path);

}  // namespace reanima::tool
