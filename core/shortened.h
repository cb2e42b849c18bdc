/// Limits the length of file content in messages.
#pragma once

#include <cstddef>
#include <string>

namespace reanima::core {

/// Largest size of a message in bytes. Longer messages are hard to read, and they fill logs and terminals.
inline constexpr std::size_t kLongestMessage = 4000;
/// Largest size of a field path. Field paths contain text from files.
inline constexpr std::size_t kLongestField = 512;
/// Largest size of the found and the expected value.
inline constexpr std::size_t kLongestProblem = 2048;

/// `text`, or its beginning and end with `...` between them if it exceeds `most` bytes. UTF-8 characters stay whole.
[[nodiscard]] std::string shortened(std::string text, std::size_t most);

}  // namespace reanima::core
