/// Finds files that match a pattern (core/text_pattern.h), for job files and for shells that don't expand patterns.
#pragma once

#include <filesystem>
#include <vector>

namespace reanima::tool {

/// The folder before the first wildcard.
[[nodiscard]] std::filesystem::path folderOfPattern(const std::filesystem::path& pattern);

/// The existing paths that match a pattern, sorted. `**` in the pattern matches nested folders of any depth, including
/// none.
[[nodiscard]] std::vector<std::filesystem::path> matching(const std::filesystem::path& pattern);

}  // namespace reanima::tool
