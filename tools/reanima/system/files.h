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

/// What stands for standard input among inputs and for standard output among outputs.
inline constexpr const char* kStandardStream = "-";

/// What messages call standard input.
inline constexpr const char* kShownStandardInput = "standard input";

/// The file system, and standard input as `-`, which can be read once.
[[nodiscard]] std::shared_ptr<const core::Files> commandFiles();
/// The same for the inputs of a command, which don't change while it runs: small ones are read once.
[[nodiscard]] std::shared_ptr<const core::Files> inputFiles();

/// The first bytes of a file, at most `size`.
/// @throws core::DecodeError if it can't be read
[[nodiscard]] core::ByteVector readHead(const std::filesystem::path& path, std::size_t size);

/// A file that was read before the jobs that it is for: standard input can be read only once.
class HeldFile {
  public:
    explicit HeldFile(File file) : file_(std::move(file)) {}

    /// To be called once for every take() that will follow.
    void addUser() { ++users_; }
    /// The file; the last user gets it without a copy. Any thread may call.
    [[nodiscard]] File take();

  private:
    std::mutex mutex_;
    std::size_t users_ = 0;
    File file_;
};

/// What lies below a folder, at any depth.
struct FolderContent {
    /// Regular files but temporary ones of this program, and links that lead nowhere: reading them gives the reason.
    /// Sorted.
    std::vector<std::filesystem::path> files;
    std::vector<std::filesystem::path> devices;  ///< and pipes, sockets, links to them: nothing that a tree stores
    std::vector<std::filesystem::path> links;    ///< links to folders; they are not followed
    std::vector<core::DecodeError> errors;       ///< folders that can't be read
};
[[nodiscard]] FolderContent contentOf(const std::filesystem::path& folder);

/// True for a path that does not fit on a line.
[[nodiscard]] bool hasLineEnd(const std::filesystem::path& path);

/// The file that an input's name needs: for ARCHIVE:ENTRY the archive.
[[nodiscard]] std::filesystem::path fileOf(const std::filesystem::path& input);
/// What an input is called, without folder: for ARCHIVE:ENTRY the last part of the entry's name.
[[nodiscard]] std::string nameOf(const std::filesystem::path& input);

/// What an output is called that is made of an input and named by nobody, without extension: the stem of nameOf(); for
/// a folder its name, for standard input `stdin`.
[[nodiscard]] std::string stemOfOutput(const std::string& input);

/// The file in which an input lies.
[[nodiscard]] std::filesystem::path pathOf(const Input& input);
/// The files in which it and what was found beside it lie; nothing for standard input.
[[nodiscard]] std::vector<std::filesystem::path> pathsOf(const Input& input, const Companions& companions);

/// Names for the files of one folder, none of which a file system takes for another one.
class UniqueFileNames {
  public:
    /// @return `wanted`, or if that is taken but for the case of letters, with `_2` or the next number that is free
    [[nodiscard]] std::string unique(const std::string& wanted);

  private:
    std::set<std::string> taken_;  // in lower case
};

/// True for what -o says where it names a folder: by a slash at its end, or since there is one.
[[nodiscard]] bool namesFolder(const std::string& output);

/// Refuses outputs that are inputs or folders, or occur twice: before any work is done.
/// @throws UsageError
void refuseClashes(const std::vector<std::filesystem::path>& outputs, const std::vector<std::filesystem::path>& inputs);
/// Refuses standard output as an output where it is a terminal.
/// @param what is written, with its verb: `pictures are`
/// @throws UsageError
void refuseTerminal(const std::string& output, std::string_view what);
/// Refuses names of other programs' files, such as .glb, for files of a game.
/// @param input whose extension is right in any case
/// @throws UsageError
void refuseOthersName(const std::string& output, const std::string& input);
/// Refuses outputs that exist. The others are new from then on: if something else stands there once they are written,
/// it stays, and writing fails.
/// @throws UsageError; OutputError if one of them was free when this was called for it before
void refuseExisting(const std::vector<std::filesystem::path>& outputs);

/// Refuses a file that is not what an option replaces; an empty one, and none, may be replaced.
/// @param option without dashes, which is also what such a file is called: `report`
/// @param isLike is asked about the content; of large files about the first 16 MiB
/// @throws UsageError
void refuseUnlike(const std::filesystem::path& path, std::string_view option,
                  bool (*isLike)(const std::string& content));

/// Throws OutputError that names the path and the system's reason; FullDisk where there is no room.
[[noreturn]] void failToWrite(const std::filesystem::path& path, const std::error_code& error);

/// Makes the folders of an output that are missing. @throws OutputError
void makeFolderOf(const std::filesystem::path& target);

/// As core::comparable(); a path is looked up once.
[[nodiscard]] std::filesystem::path comparablePath(const std::filesystem::path& path);

/// True if two paths lead to the same place in the file system, whether something is there or not.
[[nodiscard]] bool isSamePlace(const std::filesystem::path& a, const std::filesystem::path& b);

/// A file that appears whole or not at all: written to a temporary file in the same folder, which takes the target's
/// place at commit(), where nothing may stand of what refuseExisting() has called new. Missing folders are made.
/// Devices and pipes, and standard output (`-`), are written directly. Every function throws OutputError that names the
/// path and the system's reason.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& target);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void append(core::Bytes bytes);
    void append(std::string_view text);
    /// Removes what stands at the target now, unless it is new: a reader finds nothing there until commit().
    void withdraw();
    void commit();

  private:
    void open();
    void writePending();

    std::filesystem::path target_;
    std::filesystem::path place_;         ///< the target, links followed
    bool isNew_;                          ///< nothing is replaced
    std::optional<Temporary> temporary_;  ///< none: written directly
    std::string pending_;                 ///< for the temporary file: short pieces are written together
    FileWriter direct_;
};

/// Writes a whole file as OutputFile does.
void writeOutput(const std::filesystem::path& target, core::Bytes bytes);
void writeOutput(const std::filesystem::path& target, std::string_view text);

/// A folder that appears whole: its files are written to a temporary folder that takes its place at commit(). A folder
/// that exists and is not empty gets file by file, unless refuseExisting() has called it new; what else lies there is
/// nobody's business.
/// Every function throws OutputError that names the path and the system's reason.
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
    std::optional<Temporary> temporary_;  ///< none: files are written into the target
    std::mutex mutex_;
    std::vector<Temporary> files_;  ///< in the temporary folder
};

/// True for what an output would destroy: a regular file, or a folder that is not empty.
[[nodiscard]] bool existsAsFile(const std::filesystem::path& path);

}  // namespace reanima::tool
