/// Command lines that the command proposes.
#pragma once

#include <string>
#include <string_view>

namespace reanima::tool {

/// A word of a command line, in quotes where a shell would take it apart.
[[nodiscard]] std::string asWord(std::string_view text);

}  // namespace reanima::tool
