/// Files and folders that do not outlive an unfinished run.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "platform.h"

namespace reanima::tool {

struct TemporaryEntry;

/// A file or folder that this process made. It is removed with this object or by endProcess(), unless it was moved to
/// its final place. Files of killed processes are removed when another process creates its first one in that folder.
/// Every function but the destructor throws std::system_error.
class Temporary {
  public:
    /// An empty file beside a target, named by temporaryName().
    [[nodiscard]] static Temporary fileBeside(const std::filesystem::path& target);
    [[nodiscard]] static Temporary folderBeside(const std::filesystem::path& target);
    /// An empty file under a free name. Links are not followed.
    [[nodiscard]] static Temporary file(const std::filesystem::path& path);

    Temporary(Temporary&&) noexcept;
    Temporary& operator=(Temporary&&) = delete;
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary();

    [[nodiscard]] std::filesystem::path path() const;
    /// The open file.
    [[nodiscard]] FileWriter& writer() { return writer_; }
    /// Moves it to its place atomically; readers see the old content or all of the new.
    void moveTo(const std::filesystem::path& place);
    /// The same for a file and a free place; throws `file_exists` otherwise.
    void moveToFree(const std::filesystem::path& place);
    /// Keeps it where it is.
    void release();

  private:
    enum class Kind { file, folder };

    Temporary(Kind kind, const std::filesystem::path& path);
    static Temporary beside(const std::filesystem::path& target, Kind kind);

    std::unique_ptr<TemporaryEntry> entry_;
    FileWriter writer_;  ///< open until it is moved, which keeps other processes from removing it
};

/// A name for a temporary file or folder beside `name`: `.hero.glb.4hq7xk2wpa.reanima-tmp`. It is truncated at a
/// character boundary if it is longer than `name` and than all file systems support.
[[nodiscard]] std::string temporaryName(std::string_view name);

/// True for such a name: leftovers of killed processes are never read as inputs.
[[nodiscard]] bool isTemporary(const std::filesystem::path& path);

/// Prints a line, removes all temporary files and folders and ends the process. Signal handlers may call it.
[[noreturn]] void endProcess(int status, std::string_view line);

/// A terminate handler: ends the process with a message if memory ran out for an exception or its handler; aborts for
/// any other exception.
[[noreturn]] void endOutOfMemory();

}  // namespace reanima::tool
