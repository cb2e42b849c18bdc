/// What outputs were made from, for Make, Ninja and CMake.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace reanima::tool {

/// A rule without commands, in Make's syntax, with its line end: the outputs depend on the inputs.
[[nodiscard]] std::string makeRule(const std::vector<std::filesystem::path>& outputs,
                                   const std::vector<std::filesystem::path>& inputs);

}  // namespace reanima::tool
