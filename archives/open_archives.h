/// `ARCHIVE:ENTRY` as the name of an input: `battle.lgp:rtda`, `FF9.IMG:7/428:1b/0/03/7655`.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "../core/files.h"
#include "../formats/input.h"
#include "archive.h"

namespace reanima::archives {

/// A path taken apart. A colon counts only after a file that exists, and only if the whole path is none: `C:\x` is a
/// path.
struct EntryPath {
    std::string file;                  ///< the archive
    std::vector<std::string> entries;  ///< the name of an entry, of an entry in that one, ...; none: the file is meant
};
[[nodiscard]] EntryPath parseEntryPath(const std::string& path, const core::Files& files);

/// The files of a host, and the entries of the archives among them, at any depth. What lies beside an entry are the
/// entries of its folder, then those of the archive. The table of each archive is read once. Any thread may use it.
class OpenArchives : public core::FilesThrough {
  public:
    /// @param host its files must not change while the object lives
    explicit OpenArchives(std::shared_ptr<const core::Files> host = core::diskFiles())
        : FilesThrough(std::move(host)) {}

    [[nodiscard]] bool exists(const std::string& path) const override;
    [[nodiscard]] File read(const std::string& path, const core::Limits& limits) const override;
    [[nodiscard]] std::shared_ptr<const core::Source> open(const std::string& path) const override;

    [[nodiscard]] EntryPath parse(const std::string& path) const { return parseEntryPath(path, files()); }
    [[nodiscard]] bool namesEntry(const std::string& path) const { return !parse(path).entries.empty(); }
    /// The format of a file by its first bytes; null if it is no archive, or no file.
    [[nodiscard]] const ArchiveFormat* formatOf(const std::string& file) const;

    /// The archive that a path names, be it a file or an entry.
    /// @throws core::DecodeError that names the file
    [[nodiscard]] std::shared_ptr<const Archive> openArchive(const std::string& path, const core::Limits& limits) const;

    /// The same; null if what the path names is no archive.
    [[nodiscard]] std::shared_ptr<const Archive> openIfArchive(const std::string& path,
                                                               const core::Limits& limits) const;

    /// True if there is such an entry. @throws core::DecodeError if the archive can't be read
    [[nodiscard]] bool holds(const std::string& path, const core::Limits& limits) const;

  protected:
    [[nodiscard]] std::optional<File> readBeside(const std::string& path, std::string_view name,
                                                 const core::Limits& limits) const override;

  private:
    struct Place;
    [[nodiscard]] std::shared_ptr<const Archive> openFile(const std::string& file, const core::Limits& limits) const;
    [[nodiscard]] static bool enter(Place& place, const core::Limits& limits);
    static void requireEntry(const Place& place);
    [[nodiscard]] Place locate(const EntryPath& path, const core::Limits& limits) const;

    mutable std::mutex mutex_;
    mutable std::map<std::string, std::shared_ptr<const Archive>> open_;
};

}  // namespace reanima::archives
