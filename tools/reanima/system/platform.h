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
/// The width of the terminal in characters. 0 if unknown, or if the stream is no terminal.
[[nodiscard]] std::size_t terminalColumns(StandardStream stream);
/// True for a terminal that supports escape sequences.
[[nodiscard]] bool hasColours(StandardStream stream);

/// Writes UTF-8 to standard output or error, completely. @return false on failure, with errno
bool writeTo(StandardStream stream, std::string_view text);
/// Prints a line to standard error unless that would block. May be called in signal handlers.
void printAtOnce(std::string_view line);

/// Sets standard input and output to binary mode. Failed writes become errors instead of signals. A request to end is
/// recorded: SIGINT, SIGTERM, SIGHUP unless ignored, Ctrl+C, Ctrl+Break, or a closed console. One second later, or at
/// another request, the process removes its temporary files and ends with status 130.
void prepareProcess();

/// Returns freed memory to the system; otherwise the C library would keep it.
void giveBackFreeMemory();

/// True after a request to end the process.
[[nodiscard]] bool interrupted();

/// The number of processors that this process may use. Never less than 1.
[[nodiscard]] unsigned processorsOfProcess();

/// The memory of the machine in bytes, or of the process's container. 0: unknown.
[[nodiscard]] std::uint64_t memoryOfMachine();

/// An unpredictable number.
/// @throws std::system_error
[[nodiscard]] std::uint64_t randomNumber();

/// Runs `work`. Until it returns, requests to end the process wait, and so do other threads that call this function.
void undisturbed(const std::function<void()>& work);
/// For the end of the process: waits for a running undisturbed(), and lets no other begin. Signal handlers may call it.
void disturbOthers();
/// Ends the process without running destructors.
[[noreturn]] void endAtOnce(int status);

/// Tries to remove a file or an empty folder. May be called in signal handlers.
/// @param path from core::systemPath()
void removeFileAtOnce(const std::filesystem::path& path) noexcept;
void removeFolderAtOnce(const std::filesystem::path& path) noexcept;

/// Replaces `to` by `from` atomically. Readers see either the old file or empty folder, or the new one.
/// @throws std::system_error
void replaceFile(const std::filesystem::path& from, const std::filesystem::path& to);
/// Renames a file to a free name. If two processes try, only one succeeds.
/// @throws std::system_error; `file_exists` if the name is taken
void moveToFree(const std::filesystem::path& from, const std::filesystem::path& to);

/// A file that is open for writing, without a buffer. While a new file is open, removeIfLeft() in other processes keeps
/// it. Every function but the destructor throws std::system_error.
class FileWriter {
  public:
    /// Opens no file.
    FileWriter() = default;
    /// Owns an open descriptor.
    explicit FileWriter(int descriptor) : descriptor_(descriptor) {}
    /// Opens an existing device, pipe or file. A file is truncated.
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
    /// Throws the errors that close() would throw. The file stays open.
    void finish();
    void close();

  private:
    static constexpr int kClosed = -1;
    int descriptor_ = kClosed;
};

/// Creates a folder at a free path. @throws std::system_error
/// @return an object that protects the folder from removeIfLeft() in other processes; can't be written to
[[nodiscard]] FileWriter makeFolder(const std::filesystem::path& path);
/// Removes a file, or a folder with its files, that a process made with FileWriter::create() or makeFolder(). Does
/// nothing unless that process has certainly ended.
/// @param path from core::systemPath()
void removeIfLeft(const std::filesystem::path& path);

/// How a trial ended: with its own result or exception (`own`), or earlier.
enum class TrialEnd { own, outOfMemory, outOfTime, crash };

/// The limits of a trial.
struct TrialLimits {
    unsigned seconds = 0;      ///< CPU time
    std::uint64_t memory = 0;  ///< bytes of address space, in addition to the process's own
};

/// In a temporary copy of the process, runs work that may crash or never end. Returns how the copy ended. Call it while
/// no other thread runs. Does nothing on systems without such copies.
[[nodiscard]] TrialEnd tryInCopy(const TrialLimits& limits, const std::function<void()>& work);

/// This user's folder for temporary pages, inside the system's temporary folder. Creates it if missing. @throws
/// std::system_error, also if the folder belongs to another user
[[nodiscard]] std::filesystem::path folderToShowFrom();

/// Opens a file with the desktop, like a double click. @return false on failure or without a desktop
bool openWithDesktop(const std::filesystem::path& path);

/// Waits for a key if this program has its own console window, which would close with the program.
void waitInOwnWindow();

/// Finds a function in a module of this project. Modules are beside the program, or in ../lib/reanima relative to it.
/// They stay loaded.
/// @throws std::runtime_error with the system's reason
[[nodiscard]] void* moduleFunction(const std::string& module, const char* function);

}  // namespace reanima::tool
