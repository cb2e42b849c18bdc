/// Files and folders that are removed after an unfinished run.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "platform.h"

namespace reanima::tool {

struct TemporaryEntry;

/// A file or folder that this process made. This object or endProcess() removes it unless it was moved to its final
/// place. Files of killed processes are removed later, when another process creates its first file in that folder.
/// Every function but the destructor throws std::system_error.
class Temporary {
  public:
    /// Creates an empty file beside a target, named by temporaryName().
    [[nodiscard]] static Temporary fileBeside(const std::filesystem::path& target);
    [[nodiscard]] static Temporary folderBeside(const std::filesystem::path& target);
    /// Creates an empty file with a free name. Links are not followed.
    [[nodiscard]] static Temporary file(const std::filesystem::path& path);

    Temporary(Temporary&&) noexcept;
    Temporary& operator=(Temporary&&) = delete;
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary();

    [[nodiscard]] std::filesystem::path path() const;
    /// The open file.
    [[nodiscard]] FileWriter& writer() { return writer_; }
    /// Moves it to its place atomically. Readers see the whole old content or the whole new content.
    void moveTo(const std::filesystem::path& place);
    /// Moves a file to a free place. Throws `file_exists` if the place is taken.
    void moveToFree(const std::filesystem::path& place);
    /// Keeps it at its present place.
    void release();

  private:
    enum class Kind { file, folder };

    Temporary(Kind kind, const std::filesystem::path& path);
    static Temporary beside(const std::filesystem::path& target, Kind kind);

    std::unique_ptr<TemporaryEntry> entry_;
    FileWriter writer_;  ///< open until it is moved: other processes then do not remove it
};

/// A name for a temporary file or folder beside `name`: `.hero.glb.4hq7xk2wpa.reanima-tmp`. `name` is truncated at a
/// character boundary if the result would be longer than `name` and than 64 bytes.
[[nodiscard]] std::string temporaryName(std::string_view name);

/// True for names made by temporaryName(). Such leftovers of killed processes are never inputs.
[[nodiscard]] bool isTemporary(const std::filesystem::path& path);

/// Prints a line, removes all temporary files and folders, and ends the process. Signal handlers may call it.
[[noreturn]] void endProcess(int status, std::string_view line);

/// A terminate handler. If memory ran out for an exception or its handler, it prints a message and ends the process. It
/// aborts for any other exception.
[[noreturn]] void endOutOfMemory();

}  // namespace reanima::tool
