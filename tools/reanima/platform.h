/// The few things that differ between operating systems.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace reanima::tool {

/// Paths are UTF-8 wherever they are text.
[[nodiscard]] std::filesystem::path fromUtf8(std::string_view text);
[[nodiscard]] std::string toUtf8(const std::filesystem::path& path);

enum class StandardStream { input, output, error };
[[nodiscard]] bool isTerminal(StandardStream stream);

/// Bytes pass standard input and output as they are; what can't be written is an error and no signal. A request to end
/// (SIGINT, SIGTERM, SIGHUP unless it was ignored) is remembered; after a second, or when it is repeated, the process
/// ends wherever it is, with status 130 and without temporary files. Memory that runs out where no exception can be
/// thrown ends it with status 4.
void prepareProcess();

/// True once somebody asked for an end.
[[nodiscard]] bool interrupted();

/// A number that nobody can foresee.
/// @throws std::system_error
[[nodiscard]] std::uint64_t randomNumber();

/// Puts `from` in the place of `to` at once; a reader sees the old file or the new one.
/// @throws std::filesystem::filesystem_error
void replaceFile(const std::filesystem::path& from, const std::filesystem::path& to);

/// A file that is open for writing, without a buffer in between. Every function but the destructor throws
/// std::system_error.
class FileWriter {
  public:
    /// Open to nothing.
    FileWriter() = default;
    /// Takes an open descriptor.
    explicit FileWriter(int descriptor) : descriptor_(descriptor) {}
    /// Opens what is there: a device, a pipe, or a file, which is emptied.
    explicit FileWriter(const std::filesystem::path& path);
    FileWriter(FileWriter&& other) noexcept : descriptor_(std::exchange(other.descriptor_, kClosed)) {}
    FileWriter& operator=(FileWriter&& other) noexcept;
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;
    /// Closes the file; nobody learns of errors then.
    ~FileWriter();

    void append(std::string_view bytes);
    void setPermissions(std::filesystem::perms permissions);
    void close();

  private:
    static constexpr int kClosed = -1;
    int descriptor_ = kClosed;
};

/// A function of a module of ours, which lies beside the program or in ../lib/reanima, seen from there. Modules stay
/// loaded.
/// @throws std::runtime_error that gives the system's reason
[[nodiscard]] void* moduleFunction(const std::string& module, const char* function);

}  // namespace reanima::tool
