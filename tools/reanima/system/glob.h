/// File names with wildcards, for shells that leave them alone and for job files.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace reanima::tool {

/// True if `text` has a wildcard: `*` (any characters), `?` (any one), `[a-z]`, `[!a-z]`.
[[nodiscard]] bool isPattern(std::string_view text);

/// True if a file name fits a pattern. A dot in front must be written.
[[nodiscard]] bool fits(std::string_view name, std::string_view pattern);

/// The folder in front of the first wildcard.
[[nodiscard]] std::filesystem::path folderOfPattern(const std::filesystem::path& pattern);

/// What exists and fits a pattern, sorted. A folder that is called `**` in the pattern stands for folders of any number
/// and depth, or none.
[[nodiscard]] std::vector<std::filesystem::path> matching(const std::filesystem::path& pattern);

}  // namespace reanima::tool
