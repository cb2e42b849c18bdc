/// Inputs and outputs of the command.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "formats/format.h"
#include "temporary.h"

namespace reanima::tool {

/// The name of standard input among inputs and of standard output among outputs.
inline constexpr const char* kStandardStream = "-";

/// The name of standard input in messages.
inline constexpr const char* kShownStandardInput = "standard input";

/// The file system, and standard input as `-`, which can be read once.
[[nodiscard]] std::shared_ptr<const core::Files> commandFiles();
/// The same with a cache for small files, since inputs don't change during a command.
[[nodiscard]] std::shared_ptr<const core::Files> inputFiles();

/// The first bytes of a file, at most `size`.
/// @throws core::DecodeError if it can't be read
[[nodiscard]] core::ByteVector readHead(const std::filesystem::path& path, std::size_t size);

/// A file that was read in advance for several jobs: standard input can be read only once.
class HeldFile {
  public:
    explicit HeldFile(File file) : file_(std::move(file)) {}

    /// To be called once per later take().
    void addUser() { ++users_; }
    /// The file; the last user gets it without a copy. Thread-safe.
    [[nodiscard]] File take();

  private:
    std::mutex mutex_;
    std::size_t users_ = 0;
    File file_;
};

/// The content of a folder, at any depth.
struct FolderContent {
    /// Regular files, except this program's temporary ones, and broken links, which give an error when read. Sorted.
    std::vector<std::filesystem::path> files;
    std::vector<std::filesystem::path> devices;  ///< devices, pipes, sockets and links to them
    std::vector<std::filesystem::path> links;    ///< links to folders; they are not followed
    std::vector<core::DecodeError> errors;       ///< folders that can't be read
};
[[nodiscard]] FolderContent contentOf(const std::filesystem::path& folder);

/// True for a path that contains a line end.
[[nodiscard]] bool hasLineEnd(const std::filesystem::path& path);

/// The file of an input: for ARCHIVE:ENTRY the archive.
[[nodiscard]] std::filesystem::path fileOf(const std::filesystem::path& input);
/// The name of an input without folder: for ARCHIVE:ENTRY the last part of the entry's name.
[[nodiscard]] std::string nameOf(const std::filesystem::path& input);

/// The default name of an input's output, without extension: the stem of nameOf(); for a folder its name, for standard
/// input `stdin`.
[[nodiscard]] std::string stemOfOutput(const std::string& input);

/// The file of an input.
[[nodiscard]] std::filesystem::path pathOf(const Input& input);
/// The files of an input and of what was found beside it; empty for standard input.
[[nodiscard]] std::vector<std::filesystem::path> pathsOf(const Input& input, const Companions& companions);

/// Makes file names in a folder unique for all file systems.
class UniqueFileNames {
  public:
    /// @return `wanted`, or, if it is taken (ignoring case), with `_2` or the next free number
    [[nodiscard]] std::string unique(const std::string& wanted);

  private:
    std::set<std::string> taken_;  // in lower case
};

/// True if the value of -o is a folder: it ends with a slash or exists as one.
[[nodiscard]] bool namesFolder(const std::string& output);

/// Refuses outputs that are inputs or folders, or occur twice. To be called before any work.
/// @throws UsageError
void refuseClashes(const std::vector<std::filesystem::path>& outputs, const std::vector<std::filesystem::path>& inputs);
/// Refuses standard output as an output if it is a terminal.
/// @param the subject and verb for the message: `pictures are`
/// @throws UsageError
void refuseTerminal(const std::string& output, std::string_view what);
/// Refuses names of other programs' files, such as .glb, for files of a game.
/// @param input its extension is always allowed
/// @throws UsageError
void refuseOthersName(const std::string& output, const std::string& input);
/// Refuses outputs that exist. The others are then treated as new: if a file appears in the meantime, it is kept and
/// writing fails.
/// @throws UsageError; OutputError if one of them was free in an earlier call
void refuseExisting(const std::vector<std::filesystem::path>& outputs);

/// Refuses to replace a file that an option did not write; empty and missing files are accepted.
/// @param option without dashes, also used as the name of such files: `report`
/// @param isLike checks the content; of large files the first 16 MiB
/// @throws UsageError
void refuseUnlike(const std::filesystem::path& path, std::string_view option,
                  bool (*isLike)(const std::string& content));

/// Throws OutputError that names the path and the system's reason; FullDisk if there is no space.
[[noreturn]] void failToWrite(const std::filesystem::path& path, const std::error_code& error);

/// Creates the missing folders of an output. @throws OutputError
void makeFolderOf(const std::filesystem::path& target);

/// Like core::comparable(), but cached.
[[nodiscard]] std::filesystem::path comparablePath(const std::filesystem::path& path);

/// True if two paths lead to the same place in the file system, which need not exist.
[[nodiscard]] bool isSamePlace(const std::filesystem::path& a, const std::filesystem::path& b);

/// A file that appears whole or not at all: written to a temporary file in the same folder, which replaces the target
/// at commit(). If refuseExisting() found the target free, it must still be. Missing folders are created. Devices and
/// pipes, and standard output (`-`), are written directly. Every function throws OutputError that names the path and
/// the system's reason.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& target);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void append(core::Bytes bytes);
    void append(std::string_view text);
    /// Removes the existing target, unless it is new, so that readers find nothing until commit().
    void withdraw();
    void commit();

  private:
    void open();
    void writePending();

    std::filesystem::path target_;
    std::filesystem::path place_;         ///< the target, links followed
    bool isNew_;                          ///< nothing is replaced
    std::optional<Temporary> temporary_;  ///< unset: written directly
    std::string pending_;                 ///< collects short pieces for the temporary file
    FileWriter direct_;
};

/// Writes a whole file through OutputFile.
void writeOutput(const std::filesystem::path& target, core::Bytes bytes);
void writeOutput(const std::filesystem::path& target, std::string_view text);

/// A folder that appears whole: its files are written to a temporary folder that replaces it at commit(). Into a folder
/// that exists and is not empty, files are written one by one, unless refuseExisting() found it free; other files there
/// are ignored. Every function throws OutputError that names the path and the system's reason.
class OutputFolder {
  public:
    explicit OutputFolder(const std::filesystem::path& target);

    /// Writes a whole file. Any thread may call it.
    void write(const std::string& name, core::Bytes bytes);
    void write(const std::string& name, std::string_view text);
    void commit();

  private:
    std::filesystem::path target_;
    bool isNew_;
    std::optional<Temporary> temporary_;  ///< unset: files are written into the target
    std::mutex mutex_;
    std::vector<Temporary> files_;  ///< in the temporary folder
};

/// True if an output would destroy something: a regular file, or a folder that is not empty.
[[nodiscard]] bool existsAsFile(const std::filesystem::path& path);

}  // namespace reanima::tool
