/// What `reanima FILE` does, and what dropping a file on the program means.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/reanima/front/arguments.h"

namespace reanima::tool {

/// True for a command line that begins with a file, a folder or ARCHIVE:ENTRY instead of a verb.
[[nodiscard]] bool beginsWithInput(std::span<const std::string> words);

/// @throws UsageError if such a command line says where the page goes
void refuseOutput(std::span<const std::string> words);

/// Where the page of such a command line goes: into a folder that holds nothing else then.
/// @throws OutputError
[[nodiscard]] std::string pageToShow(const std::string& input);

/// Opens a page as the desktop does; where that can't be done, says where it is.
void showPage(const std::string& page, const Console& console);

}  // namespace reanima::tool
