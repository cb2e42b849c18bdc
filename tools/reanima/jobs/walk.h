/// Lists the files of a folder or an archive that the user named.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/decode_error.h"
#include "core/diagnostics.h"
#include "tools/reanima/front/options.h"

namespace reanima::tool {

/// The files below a folder or in an archive.
struct Walk {
    std::vector<std::string> files;
    std::vector<core::DecodeError> errors;  ///< for unreadable folders and archives
    std::size_t skipped = 0;                ///< number of links to folders, and devices
    core::Diagnostics doubts{};             ///< warnings about an archive's list of entries
};

/// @return empty for a single file
/// @throws core::DecodeError if an archive can't be read
[[nodiscard]] std::optional<Walk> walkOf(const InputOptions& options, const std::string& path);

/// The paths of a command line, with patterns replaced by matching files and entries. Patterns without a match stay
/// unchanged; reading them fails later.
[[nodiscard]] std::vector<std::string> namedBy(const std::vector<std::string>& words, const InputOptions& options);

/// The name of a file relative to its folder or archive.
[[nodiscard]] std::string nameBelow(const std::string& walked, const std::string& file);

}  // namespace reanima::tool
