/// Inputs and outputs of the command.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "../../importers/format.h"

namespace reanima::tool {

/// What stands for standard input among inputs and for standard output among outputs.
inline constexpr const char* kStandardStream = "-";

/// Reads a file whole, or standard input. Errors carry the path as it was given. A named pipe is refused, since nobody
/// may ever write into it.
/// @throws core::DecodeError if it can't be read or is larger than the limit
[[nodiscard]] File readFile(const std::filesystem::path& path, const core::Limits& limits);

/// An input with the files of its folder as siblings.
[[nodiscard]] Input readInput(const std::filesystem::path& path, const Format* format, const core::Limits& limits);

/// What lies below a folder, at any depth.
struct FolderContent {
    std::vector<std::filesystem::path> files;  ///< all that is no folder, and no temporary file of this program; sorted
    std::vector<std::filesystem::path> links;  ///< links to folders; they are not followed
    std::vector<core::DecodeError> errors;     ///< folders that can't be read
};
[[nodiscard]] FolderContent contentOf(const std::filesystem::path& folder);

/// Where an input lies.
[[nodiscard]] std::filesystem::path pathOf(const Input& input);
/// Where it and what was found beside it lie; nothing for standard input.
[[nodiscard]] std::vector<std::filesystem::path> pathsOf(const Input& input, const Companions& companions);

/// Refuses outputs that exist (unless `force`), are inputs, or occur twice: before any work is done.
/// @throws UsageError
void checkOutputs(const std::vector<std::filesystem::path>& outputs, const std::vector<std::filesystem::path>& inputs,
                  bool force);

/// A file that appears whole or not at all: written to a temporary file in the same folder, which takes the target's
/// place at commit(). Missing folders are made. Devices and pipes, and standard output (`-`), are written directly.
/// Every function throws OutputError that names the path and the system's reason.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& target);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void append(core::Bytes bytes);
    void append(std::string_view text);
    /// Removes what stands at the target now: a reader finds nothing there until commit().
    void withdraw();
    void commit();

  private:
    [[noreturn]] void fail(const std::string& reason);

    std::filesystem::path target_;
    std::filesystem::path place_;      ///< the target, links followed
    std::filesystem::path temporary_;  ///< empty: written directly
    std::ofstream out_;
};

/// Writes a whole file as OutputFile does.
void writeOutput(const std::filesystem::path& target, core::Bytes bytes);
void writeOutput(const std::filesystem::path& target, const std::string& text);

/// The name of a temporary file or folder beside a target: `.hero.glb.4711.reanima-tmp`. One that a killed process left
/// is never read as an input.
[[nodiscard]] std::filesystem::path temporaryBeside(const std::filesystem::path& target);

/// True for what an output would destroy: a regular file, or a folder that is not empty.
[[nodiscard]] bool existsAsFile(const std::filesystem::path& path);

}  // namespace reanima::tool
