/// Files that fit a pattern (core/text_pattern.h), for shells that leave patterns alone and for job files.
#pragma once

#include <filesystem>
#include <vector>

namespace reanima::tool {

/// The folder in front of the first wildcard.
[[nodiscard]] std::filesystem::path folderOfPattern(const std::filesystem::path& pattern);

/// What exists and fits a pattern, sorted. A folder that is called `**` in the pattern stands for folders of any number
/// and depth, or none.
[[nodiscard]] std::vector<std::filesystem::path> matching(const std::filesystem::path& pattern);

}  // namespace reanima::tool
