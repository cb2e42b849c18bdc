/// The few things that differ between operating systems.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace reanima::tool {

/// Paths are UTF-8 wherever they are text.
[[nodiscard]] std::filesystem::path fromUtf8(std::string_view text);
[[nodiscard]] std::string toUtf8(const std::filesystem::path& path);

enum class StandardStream { output, error };
[[nodiscard]] bool isTerminal(StandardStream stream);

/// Bytes go to standard output as they are; an interrupt is remembered instead of ending the process.
void prepareProcess();

/// True once the user asked to stop (Ctrl-C).
[[nodiscard]] bool interrupted();

/// A number that no other running process has.
[[nodiscard]] std::uint64_t processId();

/// Puts `from` in the place of `to` at once; a reader sees the old file or the new one.
/// @throws std::filesystem::filesystem_error
void replaceFile(const std::filesystem::path& from, const std::filesystem::path& to);

/// A function of a module of ours, which lies beside the program or in ../lib/reanima, seen from there. Modules stay
/// loaded.
/// @throws std::runtime_error that gives the system's reason
[[nodiscard]] void* moduleFunction(const std::string& module, const char* function);

}  // namespace reanima::tool
