/// Texts of files can have any length; what is said about them has not.
#pragma once

#include <cstddef>
#include <string>

namespace reanima::core {

/// Bytes that a message has at most: what is longer hides what it is about, and fills logs and terminals.
inline constexpr std::size_t kLongestMessage = 4000;
/// Bytes of a message's part that stem from a file: the path of a field.
inline constexpr std::size_t kLongestField = 512;
/// The same for what was found and what was expected.
inline constexpr std::size_t kLongestProblem = 2048;

/// `text`, or its beginning and its end with `...` between them where it has more than `most` bytes; characters of
/// UTF-8 stay whole.
[[nodiscard]] std::string shortened(std::string text, std::size_t most);

}  // namespace reanima::core
