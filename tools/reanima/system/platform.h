/// Differences between operating systems, except for the file system (core/file_system.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "core/file_system.h"

namespace reanima::tool {

using core::fromUtf8;
using core::isFile;
using core::isFolder;
using core::toUtf8;

enum class StandardStream { input, output, error };
[[nodiscard]] bool isTerminal(StandardStream stream);
/// The width of the terminal in characters; 0 if it is not a terminal, or unknown.
[[nodiscard]] std::size_t terminalColumns(StandardStream stream);
/// True for a terminal that supports escape sequences.
[[nodiscard]] bool hasColours(StandardStream stream);

/// Writes UTF-8 to standard output or error, whole. @return false, with errno, if that can't be done
bool writeTo(StandardStream stream, std::string_view text);
/// Prints a line to standard error unless that would block. May be called in signal handlers.
void printAtOnce(std::string_view line);

/// Sets standard input and output to binary mode, and makes failed writes errors instead of signals. A request to end
/// (SIGINT, SIGTERM, SIGHUP unless it was ignored; Ctrl+C, Ctrl+Break, a closed console) is recorded; after a second,
/// or on a second request, the process ends immediately with status 130 and removes its temporary files.
void prepareProcess();

/// Returns freed memory to the system that the C library would keep.
void giveBackFreeMemory();

/// True after a request to end.
[[nodiscard]] bool interrupted();

/// How many processors this process may use, at least 1.
[[nodiscard]] unsigned processorsOfProcess();

/// Bytes of memory that the machine has, or the container that the process runs in; 0: unknown.
[[nodiscard]] std::uint64_t memoryOfMachine();

/// An unpredictable number.
/// @throws std::system_error
[[nodiscard]] std::uint64_t randomNumber();

/// Runs `work` so that neither another thread nor a request to end can interrupt it; one thread at a time.
void undisturbed(const std::function<void()>& work);
/// The same for the end of the process, also requested by a signal handler: undisturbed() is blocked afterwards.
void disturbOthers();
/// Ends the process without running destructors.
[[noreturn]] void endAtOnce(int status);

/// Tries to remove a file or an empty folder. May be called in signal handlers.
/// @param path from core::systemPath()
void removeFileAtOnce(const std::filesystem::path& path) noexcept;
void removeFolderAtOnce(const std::filesystem::path& path) noexcept;

/// Replaces `to` by `from` atomically; readers see either the old file or empty folder, or the new one.
/// @throws std::system_error
void replaceFile(const std::filesystem::path& from, const std::filesystem::path& to);
/// Renames a file to a free name; of two processes at most one succeeds.
/// @throws std::system_error; `file_exists` if something has that name
void moveToFree(const std::filesystem::path& from, const std::filesystem::path& to);

/// A file open for writing, unbuffered. removeIfLeft() in other processes keeps a new file while it is open. Every
/// function but the destructor throws std::system_error.
class FileWriter {
  public:
    /// No file.
    FileWriter() = default;
    /// Takes an open descriptor.
    explicit FileWriter(int descriptor) : descriptor_(descriptor) {}
    /// Opens an existing device, pipe, or file, which is truncated.
    explicit FileWriter(const std::filesystem::path& path);
    /// Creates a file under a free name. Links are not followed.
    [[nodiscard]] static FileWriter create(const std::filesystem::path& path);
    FileWriter(FileWriter&& other) noexcept : descriptor_(std::exchange(other.descriptor_, kClosed)) {}
    FileWriter& operator=(FileWriter&& other) noexcept;
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;
    /// Closes the file and ignores errors.
    ~FileWriter();

    void append(std::string_view bytes);
    void setPermissions(std::filesystem::perms permissions);
    /// Throws what close() would throw; the file stays open.
    void finish();
    void close();

  private:
    static constexpr int kClosed = -1;
    int descriptor_ = kClosed;
};

/// Creates a folder at a free path. @throws std::system_error
/// @return a guard against removeIfLeft() in other processes; it can't be written to
[[nodiscard]] FileWriter makeFolder(const std::filesystem::path& path);
/// Removes a file, or a folder with its files, that was made by FileWriter::create() or makeFolder() of a process that
/// has ended. If that is unknown, nothing is removed.
/// @param path from core::systemPath()
void removeIfLeft(const std::filesystem::path& path);

/// How a trial ended: with its result or an exception, or before that.
enum class TrialEnd { own, outOfMemory, outOfTime, crash };

/// The limits of a trial.
struct TrialLimits {
    unsigned seconds = 0;      ///< of CPU time
    std::uint64_t memory = 0;  ///< bytes of address space beyond the process's own
};

/// Runs work that may crash or never end in a temporary copy of the process, and returns how it ended. To be called
/// while no other thread runs. Does nothing on systems without such copies.
[[nodiscard]] TrialEnd tryInCopy(const TrialLimits& limits, const std::function<void()>& work);

/// This user's folder for temporary pages, below the system's temporary folder; created if missing. @throws
/// std::system_error, also if it belongs to another user
[[nodiscard]] std::filesystem::path folderToShowFrom();

/// Opens a file with the desktop, like a double click. @return false without a desktop or if that fails
bool openWithDesktop(const std::filesystem::path& path);

/// If the console window belongs only to this program and would close with it: waits for a key.
void waitInOwnWindow();

/// A function of one of this project's modules, beside the program or in ../lib/reanima relative to it. Modules stay
/// loaded.
/// @throws std::runtime_error with the system's reason
[[nodiscard]] void* moduleFunction(const std::string& module, const char* function);

}  // namespace reanima::tool
