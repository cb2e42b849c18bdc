/// Shell completions and the manual page, from the same lists as the help.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace reanima::tool {

struct Verb;

/// A script that completes command lines.
/// @param shell `bash`, `zsh` or `fish`
/// @throws UsageError for another shell
[[nodiscard]] std::string completionFor(std::string_view shell, std::span<const Verb> verbs);

/// The manual page, section 1, for `man -l`.
[[nodiscard]] std::string manPage(std::span<const Verb> verbs);

}  // namespace reanima::tool
