/// What is in a folder or an archive that a user names.
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
    std::vector<core::DecodeError> errors;  ///< of what can't be looked into
    std::size_t skipped = 0;                ///< links to folders, devices
    core::Diagnostics doubts{};             ///< about the list of an archive
};

/// @return nothing for a single file
/// @throws core::DecodeError if an archive can't be read
[[nodiscard]] std::optional<Walk> walkOf(const InputOptions& options, const std::string& path);

/// What a command line names, with files and entries in place of the patterns that they fit. A pattern that nothing
/// fits stays: whoever reads it says so.
[[nodiscard]] std::vector<std::string> namedBy(const std::vector<std::string>& words, const InputOptions& options);

/// The name of a file of a walk, seen from the folder or the archive.
[[nodiscard]] std::string nameBelow(const std::string& walked, const std::string& file);

}  // namespace reanima::tool
