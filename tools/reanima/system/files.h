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

/// The name of standard input and standard output.
inline constexpr const char* kStandardStream = "-";

/// The name of standard input in messages.
inline constexpr const char* kShownStandardInput = "standard input";

/// The file system, with `-` for standard input, which can be read once.
[[nodiscard]] std::shared_ptr<const core::Files> commandFiles();
/// commandFiles() with a cache for small files, since inputs must not change during a command.
[[nodiscard]] std::shared_ptr<const core::Files> inputFiles();

/// Messages about files that could not be read so far, because of a fault (core::isFault()) or because they changed,
/// and about unreadable folders. The work may have been done without them.
[[nodiscard]] std::vector<std::string> unreadFiles();
/// Adds a file to unreadFiles() if core::isFault() is true for the error.
void noteUnread(const std::filesystem::path& path, const std::error_code& error);

/// The first bytes of a file, up to `size`.
/// @throws core::DecodeError if it can't be read
[[nodiscard]] core::ByteVector readHead(const std::filesystem::path& path, std::size_t size);

/// A file that was read in advance and serves several jobs, since standard input can be read only once.
class HeldFile {
  public:
    explicit HeldFile(File file) : file_(std::move(file)) {}

    /// To be called once for each later take().
    void addUser() { ++users_; }
    /// Returns the file. The last call returns it without copying. Thread-safe.
    [[nodiscard]] File take();

  private:
    std::mutex mutex_;
    std::size_t users_ = 0;
    File file_;
};

/// The content of a folder, at any depth.
struct FolderContent {
    /// Regular files and broken links, sorted. Broken links cause an error when read. This program's temporary files
    /// are left out.
    std::vector<std::filesystem::path> files;
    std::vector<std::filesystem::path> devices;  ///< devices, pipes, sockets and links to them
    std::vector<std::filesystem::path> links;    ///< links to folders, not followed
    std::vector<core::DecodeError> errors;       ///< folders that can't be read
};
[[nodiscard]] FolderContent contentOf(const std::filesystem::path& folder);

/// True for a path that contains a line end.
[[nodiscard]] bool hasLineEnd(const std::filesystem::path& path);

/// The file of an input; for ARCHIVE:ENTRY, the archive.
[[nodiscard]] std::filesystem::path fileOf(const std::filesystem::path& input);
/// The file name of an input; for ARCHIVE:ENTRY, the last part of the entry's name.
[[nodiscard]] std::string nameOf(const std::filesystem::path& input);

/// The default output name for an input, without extension: the stem of nameOf(). For a folder, its name; for standard
/// input, `stdin`.
[[nodiscard]] std::string stemOfOutput(const std::string& input);

/// The file of an input.
[[nodiscard]] std::filesystem::path pathOf(const Input& input);
/// The files of an input and of its companions. Empty for standard input.
[[nodiscard]] std::vector<std::filesystem::path> pathsOf(const Input& input, const Companions& companions);

/// Makes file names in a folder unique for all file systems.
class UniqueFileNames {
  public:
    /// @return `wanted`; if that name is taken (ignoring case), with `_2` or the next free number appended
    [[nodiscard]] std::string unique(const std::string& wanted);

  private:
    std::set<std::string> taken_;  // in lower case
};

/// True if the value of -o is a folder: it ends with a slash, or it is an existing folder.
[[nodiscard]] bool namesFolder(const std::string& output);

/// Refuses outputs that are inputs or folders, or that are named twice. Call it before any work.
/// @throws UsageError
void refuseClashes(const std::vector<std::filesystem::path>& outputs, const std::vector<std::filesystem::path>& inputs);
/// The message about an output of two inputs.
[[nodiscard]] std::string twoOutputsAt(const std::filesystem::path& output, const std::string& first,
                                       const std::string& second);
/// Refuses standard output as an output if it is a terminal.
/// @param what subject and verb for the message: `pictures are`
/// @throws UsageError
void refuseTerminal(const std::string& output, std::string_view what);
/// Refuses names of other programs' files, such as .glb, for a game's file.
/// @param input the extension of this file is always allowed
/// @throws UsageError
void refuseOthersName(const std::string& output, const std::string& input);
/// Refuses outputs that exist. The other outputs are then treated as new: if one of them appears later, it is kept, and
/// writing fails.
/// @throws UsageError; OutputError for an existing output that an earlier call found missing
void refuseExisting(const std::vector<std::filesystem::path>& outputs);

/// Refuses to replace a file that the option did not write. Empty and missing files are accepted.
/// @param option without dashes; messages also call the file by this word: `report`
/// @param isLike checks the content, or the first 16 MiB of a large file
/// @throws UsageError
void refuseUnlike(const std::filesystem::path& path, std::string_view option,
                  bool (*isLike)(const std::string& content));

/// Throws OutputError that names the path and the system's reason; UnwritableDisk if it is full or read-only.
[[noreturn]] void failToWrite(const std::filesystem::path& path, const std::error_code& error);

/// Creates the missing folders of an output. @throws OutputError
void makeFolderOf(const std::filesystem::path& target);

/// Like core::comparable(), but cached.
[[nodiscard]] std::filesystem::path comparablePath(const std::filesystem::path& path);

/// True if two paths lead to the same place in the file system. The place need not exist.
[[nodiscard]] bool isSamePlace(const std::filesystem::path& a, const std::filesystem::path& b);

/// A file that appears whole or not at all. It is written to a temporary file in the same folder, which replaces the
/// target at commit(). If refuseExisting() found the target free, it must still be free. Missing folders are created.
/// Devices, pipes and standard output (`-`) are written directly. Every function throws OutputError that names the path
/// and the system's reason.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& target);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void append(core::Bytes bytes);
    void append(std::string_view text);
    /// Removes the existing target, so that readers find no file until commit(). Keeps a new target.
    void withdraw();
    void commit();

  private:
    void open();
    void writePending();

    std::filesystem::path target_;
    std::filesystem::path place_;         ///< the target after following links
    bool isNew_;                          ///< no existing file is replaced
    std::optional<Temporary> temporary_;  ///< unset: the target is written directly
    std::string pending_;                 ///< collects short pieces for the temporary file
    FileWriter direct_;
};

/// Writes a whole file through OutputFile.
void writeOutput(const std::filesystem::path& target, core::Bytes bytes);
void writeOutput(const std::filesystem::path& target, std::string_view text);

/// A folder that appears whole. Its files are written to a temporary folder, which replaces the target at commit(). If
/// the target is not empty and refuseExisting() did not find it free, files are written into it one by one; its other
/// files are ignored. Every function throws OutputError that names the path and the system's reason.
class OutputFolder {
  public:
    explicit OutputFolder(const std::filesystem::path& target);

    /// Writes a whole file. Thread-safe.
    void write(const std::string& name, core::Bytes bytes);
    void write(const std::string& name, std::string_view text);
    void commit();

  private:
    std::filesystem::path target_;
    bool isNew_;
    std::optional<Temporary> temporary_;  ///< unset: files are written directly into the target
    std::mutex mutex_;
    std::vector<Temporary> files_;  ///< files in the temporary folder
};

/// True if an output would destroy data: a regular file, or a folder that is not empty.
[[nodiscard]] bool existsAsFile(const std::filesystem::path& path);

}  // namespace reanima::tool
