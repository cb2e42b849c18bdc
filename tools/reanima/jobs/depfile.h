/// Dependencies of outputs, for Make, Ninja and CMake.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace reanima::tool {

/// A rule without commands, in Make's syntax, with a line end: the outputs depend on the inputs.
/// @throws UsageError as refuseLineEnds() does
[[nodiscard]] std::string makeRule(const std::vector<std::filesystem::path>& outputs,
                                   const std::vector<std::filesystem::path>& inputs);

/// Rejects an existing file that contains anything but rules of makeRule(), even with --force.
/// @throws UsageError
void refuseOtherThanDepfile(const std::filesystem::path& path);

/// @throws UsageError for a path with a line end, which rules can't contain
void refuseLineEnds(const std::vector<std::filesystem::path>& paths);

}  // namespace reanima::tool
