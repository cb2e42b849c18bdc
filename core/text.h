/// Names and paths: characters that every host accepts, and the parts of a path. Only ASCII's letters and digits count
/// as such, whatever the locale.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace reanima::core {

[[nodiscard]] constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool isLower(char c) { return c >= 'a' && c <= 'z'; }
[[nodiscard]] constexpr bool isLetter(char c) { return isUpper(c) || isLower(c); }
/// A letter in lower case. Other characters are unchanged.
[[nodiscard]] constexpr char lowerCase(char c) { return isUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
/// Every letter in lower case.
[[nodiscard]] std::string lowerCase(std::string_view text);

/// A path up to and including its last `/` or `\`; empty if there is none.
[[nodiscard]] std::string_view folderOf(std::string_view path);
/// The part after folderOf().
[[nodiscard]] std::string_view fileNameOf(std::string_view path);
/// A file's name, without folder, up to its last dot; a leading dot is ignored.
[[nodiscard]] std::string_view stemOf(std::string_view name);
/// The part after the last dot of a file's name, in lower case; empty if there is none.
[[nodiscard]] std::string extensionOf(std::string_view name);

/// Makes names unique: the second `walk` becomes `walk_2`.
class UniqueNames {
  public:
    [[nodiscard]] std::string unique(const std::string& wanted);

  private:
    std::unordered_set<std::string> used_;
    std::unordered_map<std::string, int>
        next_;  // next number to try, so that a thousand equal names do not need a million attempts
};

/// `name` with only letters, digits, `_` and `-`, since three.js removes others from the names of bones. Every other
/// character becomes `_`. An empty name becomes `_`.
[[nodiscard]] std::string safeName(std::string_view name);

/// `name` as a file name for all systems. Control characters and `<>:"/\|?*` become `_`, as do dots and spaces at the
/// end. Names of devices get a `_` before the first dot: `con_`, `NUL_.glb`, `com1_`. An empty name becomes `_`.
[[nodiscard]] std::string portableName(std::string_view name);

/// True for a name of a file in a given folder: without `/`, `\` and `:`, not `.` or `..`, and not a Windows device.
[[nodiscard]] bool isPlainName(std::string_view name);

/// `text` as well-formed UTF-8, which JSON must be: every invalid byte becomes `_`.
[[nodiscard]] std::string validUtf8(std::string_view text);

/// `text` for a terminal, as one line. Control characters (of ASCII and of Latin-1) and bytes outside well-formed UTF-8
/// become `\n`, `\r`, `\t` or `\x1b`. Names come from files and may contain control sequences for terminals.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace reanima::core
