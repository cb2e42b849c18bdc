/// `ARCHIVE:ENTRY` as the name of an input: `battle.lgp:rtda`, `FF9.IMG:7/428:1b/0/03/7655`.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "../formats/input.h"
#include "archive.h"

namespace reanima::archives {

/// How a host looks for files. Paths are as the host takes them.
struct FileAccess {
    std::function<bool(const std::string& path)> isFile;
    /// Null if there is no such file. @throws core::DecodeError if it can't be opened
    std::function<std::shared_ptr<const Source>(const std::string& path)> open;
};

/// The file system.
[[nodiscard]] FileAccess fileSystem();

/// A path taken apart. A colon counts only after a file that exists, and only if the whole path is none: `C:\x` is a
/// path.
struct EntryPath {
    std::string file;                  ///< the archive
    std::vector<std::string> entries;  ///< the name of an entry, of an entry in that one, ...; none: the file is meant
};
[[nodiscard]] EntryPath parseEntryPath(const std::string& path, const std::function<bool(const std::string&)>& isFile);

/// Archives by their path; the table of each is read once. Any thread may use it.
class OpenArchives {
  public:
    /// Files must not change while the object lives.
    explicit OpenArchives(FileAccess access = fileSystem()) : access_(std::move(access)) {}

    [[nodiscard]] EntryPath parse(const std::string& path) const { return parseEntryPath(path, access_.isFile); }
    [[nodiscard]] bool namesEntry(const std::string& path) const { return !parse(path).entries.empty(); }
    /// The format of a file by its first bytes; null if it is no archive, or no file.
    [[nodiscard]] const ArchiveFormat* formatOf(const std::string& file) const;

    /// The archive that a path names, be it a file or an entry.
    /// @throws core::DecodeError that names the file
    [[nodiscard]] std::shared_ptr<const Archive> open(const std::string& path, const core::Limits& limits);

    /// The same; null if what the path names is no archive.
    [[nodiscard]] std::shared_ptr<const Archive> openIfArchive(const std::string& path, const core::Limits& limits);

    /// True if there is such an entry. @throws core::DecodeError if the archive can't be read
    [[nodiscard]] bool holds(const EntryPath& path, const core::Limits& limits);
    [[nodiscard]] bool holds(const std::string& path, const core::Limits& limits) { return holds(parse(path), limits); }

    /// An entry as an input: what lies beside it in the same archive are its siblings.
    /// @throws core::DecodeError that names the file or the entry
    [[nodiscard]] Input input(const EntryPath& path, const core::Limits& limits);
    [[nodiscard]] Input input(const std::string& path, const core::Limits& limits) {
        return input(parse(path), limits);
    }

  private:
    struct Place;
    [[nodiscard]] std::shared_ptr<const Archive> openFile(const std::string& file, const core::Limits& limits);
    [[nodiscard]] static bool enter(Place& place, const core::Limits& limits);
    static void requireEntry(const Place& place);
    [[nodiscard]] Place locate(const EntryPath& path, const core::Limits& limits);

    FileAccess access_;
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const Archive>> open_;
};

}  // namespace reanima::archives
