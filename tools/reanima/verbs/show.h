/// Handles `reanima FILE`, and files dropped on the program.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/reanima/front/arguments.h"

namespace reanima::tool {

/// True for a command line that begins with a file, a folder or ARCHIVE:ENTRY instead of a verb.
[[nodiscard]] bool beginsWithInput(std::span<const std::string> words);

/// @throws UsageError if a command line that begins with an input has -o
void refuseOutput(std::span<const std::string> words);

/// The path of the page for an input. The page's folder contains no other files.
/// @throws OutputError
[[nodiscard]] std::string pageToShow(const std::string& input);

/// Opens a page with the desktop. Without a desktop, prints its path.
void showPage(const std::string& page, const Console& console);

}  // namespace reanima::tool
