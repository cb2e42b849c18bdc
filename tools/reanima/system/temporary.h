/// Files and folders that do not outlive an unfinished run.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "platform.h"

namespace reanima::tool {

struct TemporaryEntry;

/// A file or folder that this process made. It goes with this object, or when endProcess() is called, unless it was
/// moved to its final place before. What a killed process left goes when another one makes the first in that folder.
/// Every function but the destructor throws std::system_error.
class Temporary {
  public:
    /// An empty file beside a target, called as temporaryName() says.
    [[nodiscard]] static Temporary fileBeside(const std::filesystem::path& target);
    [[nodiscard]] static Temporary folderBeside(const std::filesystem::path& target);
    /// An empty file of that name, which is free. Links are not followed.
    [[nodiscard]] static Temporary file(const std::filesystem::path& path);

    Temporary(Temporary&&) noexcept;
    Temporary& operator=(Temporary&&) = delete;
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary();

    [[nodiscard]] std::filesystem::path path() const;
    /// Into a file.
    [[nodiscard]] FileWriter& writer() { return writer_; }
    /// Gives it a place, where a reader sees what was there before or all of this.
    void moveTo(const std::filesystem::path& place);
    /// The same for a file and a place that is free; throws `file_exists` if it is not.
    void moveToFree(const std::filesystem::path& place);
    /// It stays where it is.
    void release();

  private:
    enum class Kind { file, folder };

    Temporary(Kind kind, const std::filesystem::path& path);
    static Temporary beside(const std::filesystem::path& target, Kind kind);

    std::unique_ptr<TemporaryEntry> entry_;
    FileWriter writer_;  ///< open until it has its place: it keeps other processes from removing it
};

/// A name for a temporary file or folder beside `name`: `.hero.glb.4hq7xk2wpa.reanima-tmp`. It is cut, between
/// characters, where it would be longer than `name` and longer than what every file system takes.
[[nodiscard]] std::string temporaryName(std::string_view name);

/// True for such a name: what a killed process left is never read as an input.
[[nodiscard]] bool isTemporary(const std::filesystem::path& path);

/// Prints a line, removes all temporary files and folders and ends the process. Signal handlers may call it.
[[noreturn]] void endProcess(int status, std::string_view line);

/// A terminate handler: ends the process with a message where an exception found no memory, or none that a handler
/// could be called with; aborts it for any other exception.
[[noreturn]] void endOutOfMemory();

}  // namespace reanima::tool
