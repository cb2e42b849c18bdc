/// What differs between operating systems, but for the file system (core/file_system.h).
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
/// How many characters fit into a line of the terminal; 0 if it is none, or does not tell.
[[nodiscard]] std::size_t terminalColumns(StandardStream stream);
/// True for a terminal that obeys escape sequences.
[[nodiscard]] bool hasColours(StandardStream stream);

/// Writes UTF-8 to standard output or error, whole. @return false, with errno, if that can't be done
bool writeTo(StandardStream stream, std::string_view text);
/// Prints a line to standard error if that makes nobody wait. Signal handlers may call it.
void printAtOnce(std::string_view line);

/// Bytes pass standard input and output as they are; what can't be written is an error and no signal. A request to end
/// (SIGINT, SIGTERM, SIGHUP unless it was ignored; Ctrl+C, Ctrl+Break, a console that is closed) is remembered; after a
/// second, or when it is repeated, the process ends wherever it is, with status 130 and without temporary files.
void prepareProcess();

/// Gives the system what was freed between parts that are still in use, which the C library keeps.
void giveBackFreeMemory();

/// True once somebody asked for an end.
[[nodiscard]] bool interrupted();

/// How many processors this process may use, at least 1.
[[nodiscard]] unsigned processorsOfProcess();

/// Bytes of memory that the machine has, or the container that the process runs in; 0: unknown.
[[nodiscard]] std::uint64_t memoryOfMachine();

/// A number that nobody can foresee.
/// @throws std::system_error
[[nodiscard]] std::uint64_t randomNumber();

/// Does what no other thread and no request to end may come between; one thread at a time.
void undisturbed(const std::function<void()>& work);
/// The same for the end of the process, which a signal handler may have asked for: nobody is undisturbed afterwards.
void disturbOthers();
/// Ends the process and nothing else: no destructor runs.
[[noreturn]] void endAtOnce(int status);

/// Removes a file, or an empty folder, if that can be done. Signal handlers may call it.
/// @param path as core::systemPath() gives it
void removeFileAtOnce(const std::filesystem::path& path) noexcept;
void removeFolderAtOnce(const std::filesystem::path& path) noexcept;

/// Puts `from` in the place of `to` at once; a reader sees the old file, or empty folder, or the new one.
/// @throws std::system_error
void replaceFile(const std::filesystem::path& from, const std::filesystem::path& to);
/// Gives a file a name that is free; two processes never both succeed.
/// @throws std::system_error; `file_exists` if something has that name
void moveToFree(const std::filesystem::path& from, const std::filesystem::path& to);

/// A file that is open for writing, without a buffer in between. removeIfLeft() of other processes spares a new file as
/// long as it is open. Every function but the destructor throws std::system_error.
class FileWriter {
  public:
    /// Open to nothing.
    FileWriter() = default;
    /// Takes an open descriptor.
    explicit FileWriter(int descriptor) : descriptor_(descriptor) {}
    /// Opens what is there: a device, a pipe, or a file, which is emptied.
    explicit FileWriter(const std::filesystem::path& path);
    /// A new file of that name, which is free. Links are not followed.
    [[nodiscard]] static FileWriter create(const std::filesystem::path& path);
    FileWriter(FileWriter&& other) noexcept : descriptor_(std::exchange(other.descriptor_, kClosed)) {}
    FileWriter& operator=(FileWriter&& other) noexcept;
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;
    /// Closes the file; nobody learns of errors then.
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

/// Makes a folder where nothing is. @throws std::system_error
/// @return what keeps removeIfLeft() of other processes from it; nothing can be written to that
[[nodiscard]] FileWriter makeFolder(const std::filesystem::path& path);
/// Removes a file, or a folder with its files, that was made by FileWriter::create() or makeFolder() of a process that
/// has ended. Where nobody can tell whether it has, nothing is removed.
/// @param path as core::systemPath() gives it
void removeIfLeft(const std::filesystem::path& path);

/// How a trial ended: with its result or an exception, or before that.
enum class TrialEnd { own, outOfMemory, outOfTime, crash };

/// What a trial may take.
struct TrialLimits {
    unsigned seconds = 0;      ///< of CPU time
    std::uint64_t memory = 0;  ///< bytes of addresses, more than the process has
};

/// Does work that may crash or never end in a copy of the process, of which nothing stays, to see how that ends. To be
/// called while no other thread runs. On systems without such copies nothing is tried.
[[nodiscard]] TrialEnd tryInCopy(const TrialLimits& limits, const std::function<void()>& work);

/// A folder of this user's for what is shown and forgotten, below the system's for temporary files; it is there
/// afterwards. @throws std::system_error, also if somebody else has made it
[[nodiscard]] std::filesystem::path folderToShowFrom();

/// Lets the desktop open a file, as a double click would. @return false if there is no desktop, or it does not
bool openWithDesktop(const std::filesystem::path& path);

/// Where a window shows nothing but this program and goes with it: waits until somebody has read it.
void waitInOwnWindow();

/// A function of a module of ours, which lies beside the program or in ../lib/reanima, seen from there. Modules stay
/// loaded.
/// @throws std::runtime_error that gives the system's reason
[[nodiscard]] void* moduleFunction(const std::string& module, const char* function);

}  // namespace reanima::tool
