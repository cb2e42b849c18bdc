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
#include "own_names.h"

namespace reanima::archives {

/// A path taken apart. A colon counts only after a file that exists, and only if the whole path is none: `C:\x` is a
/// path.
struct EntryPath {
    std::string file;                  ///< the archive
    std::vector<std::string> entries;  ///< the name of an entry, of an entry in that one, ...; none: the file is meant
};
/// Splits ARCHIVE:ENTRY at the first colon that the name of a file stands before; a path that names a file, or has no
/// such colon, is the file.
[[nodiscard]] EntryPath parseEntryPath(const std::string& path, const core::Files& files);

/// The files of a host, and the entries of the archives among them, at any depth. What lies beside an entry are the
/// entries of its folder, then those of the archive. The table of each archive is read once. Any thread may use it.
class OpenArchives : public core::FilesThrough {
  public:
    /// @param host its files must not change while the object lives
    /// @param others archives in which what an entry names by an id is looked for where its own archive lacks it; what
    /// is no such archive is ignored
    explicit OpenArchives(std::shared_ptr<const core::Files> host = core::diskFiles(),
                          std::vector<std::string> others = {})
        : FilesThrough(std::move(host)), others_(std::move(others)) {}

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

    /// True if nothing in the archive is called like the last name of a path. @throws core::DecodeError likewise
    [[nodiscard]] bool holdsNone(const std::string& path, const core::Limits& limits) const;

    /// True if there is such an entry. @throws core::DecodeError if the archive can't be read
    [[nodiscard]] bool holds(const std::string& path, const core::Limits& limits) const;

    /// The paths of the entries that fit a path with wildcards (core/text_pattern.h) in the names of entries:
    /// `battle.lgp:*da`, `FF9.IMG:10/*:03/*`. Of what fits, only archives are looked into. An entry that is called like
    /// the pattern is meant alone.
    /// @return in the order of the archives; none: nothing fits
    /// @throws core::DecodeError if an archive can't be read
    [[nodiscard]] std::vector<std::string> matching(const std::string& path, const core::Limits& limits) const;

    /// Who the user's own files say the character of a file or an entry is, by its name alone: unknown where they say
    /// nothing. Files that are read carry the same name (kOwnNameKey).
    [[nodiscard]] core::Called ownNameOf(const std::string& path, const core::Limits& limits) const;

    /// The characters of an archive by the names of its files, see titlesOf() and ownNameOf().
    /// @param path of the archive; its entries outlive what is returned
    [[nodiscard]] std::map<const Entry*, std::string> titlesIn(const std::string& path, const Archive& archive,
                                                               const core::Limits& limits) const;

  protected:
    [[nodiscard]] std::optional<File> readBeside(const std::string& path, std::string_view name,
                                                 const core::Limits& limits) const override;

  private:
    struct Place;
    /// @param file the one on the disk, of the character or of its archive
    [[nodiscard]] core::Called ownNameIn(const std::string& file, std::string_view fileName,
                                         const core::Limits& limits) const;
    void tell(File& file, const std::string& where, const core::Limits& limits) const;
    /// An entry of an archive by who is in it; null where they are not one.
    [[nodiscard]] const Entry* onlyCalled(const Place& place, const core::Limits& limits) const;
    /// @throws core::DecodeError that lists the characters that are called so, if they are several
    void refuseSeveral(const Place& place, const core::Limits& limits) const;
    [[nodiscard]] std::vector<const Entry*> entriesCalledAt(const Place& place, const core::Limits& limits) const;
    [[nodiscard]] std::shared_ptr<const Archive> openFile(const std::string& file, const core::Limits& limits) const;
    [[nodiscard]] static bool enter(Place& place, const core::Limits& limits);
    void requireEntry(const Place& place, const core::Limits& limits) const;
    [[nodiscard]] Place locate(const EntryPath& path, const core::Limits& limits) const;
    /// A file by its id, of another archive of that kind.
    [[nodiscard]] std::optional<File> readFromOthers(const ArchiveFormat& format, std::string_view name,
                                                     const core::Limits& limits) const;

    std::vector<std::string> others_;

    mutable std::mutex mutex_;
    mutable std::map<std::string, std::shared_ptr<const Archive>> open_;
    mutable std::map<std::string, const ArchiveFormat*> formats_;
    mutable KnownNames names_;
};

}  // namespace reanima::archives
