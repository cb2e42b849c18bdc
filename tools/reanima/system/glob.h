/// Finds files that match a pattern (core/text_pattern.h), for shells that don't expand patterns and for job files.
#pragma once

#include <filesystem>
#include <vector>

namespace reanima::tool {

/// The folder before the first wildcard.
[[nodiscard]] std::filesystem::path folderOfPattern(const std::filesystem::path& pattern);

/// The existing paths that match a pattern, sorted. `**` in the pattern matches any number of nested folders, or none.
[[nodiscard]] std::vector<std::filesystem::path> matching(const std::filesystem::path& pattern);

}  // namespace reanima::tool
