/// Names that every host accepts.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace reanima::core {

/// Hands out names that are used once: the second `walk` becomes `walk_2`.
class UniqueNames {
  public:
    [[nodiscard]] std::string unique(const std::string& wanted);

  private:
    std::unordered_set<std::string> used_;
    std::unordered_map<std::string, int> next_;  // number to try: a thousand equal names must not take a million steps
};

/// `name` with every character that is not a letter, a digit, `_` or `-` replaced by `_`: three.js strips others from
/// the names of bones. An empty name becomes `_`.
[[nodiscard]] std::string safeName(std::string_view name);

/// `text` with every byte that is no part of well-formed UTF-8 replaced by `_`: file names need not be UTF-8, JSON
/// must.
[[nodiscard]] std::string validUtf8(std::string_view text);

}  // namespace reanima::core
