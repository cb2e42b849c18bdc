/// `ARCHIVE:ENTRY` as the name of an input: `battle.lgp:rtda`, `FF9.IMG:7/428:1b/0/03/7655`.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/files.h"
#include "../formats/input.h"
#include "archive.h"
#include "own_names.h"

namespace reanima::archives {

/// The parts of a path. A colon separates parts only after the name of an existing file, and only if the whole path is
/// not a file. So `C:\x` is one part.
struct EntryPath {
    std::string file;  ///< the archive
    std::vector<std::string>
        entries;  ///< the name of an entry, then of an entry within it, and so on; empty: the file itself
};
/// Splits ARCHIVE:ENTRY at the first colon after the name of a file. If the whole path names a file, or there is no
/// such colon, the path is the file.
[[nodiscard]] EntryPath parseEntryPath(const std::string& path,
                                       const std::function<bool(const std::string& path)>& isFile);

/// An entry, and where it was found.
struct FoundEntry {
    std::string path;
    std::string folder;  ///< output folder, relative to the searched archive's; empty, or ends with `/`
    std::shared_ptr<const Archive> archive;
    const Entry* entry = nullptr;

    /// True if the entry may get a separate output.
    [[nodiscard]] bool mayBeCharacter() const {
        return archive->format().holdsArchives || archive->mayBeCharacter(*entry);
    }
};

/// The files of a host, with the entries of the archives among them, at any depth. The siblings of an entry are the
/// entries of its folder, then other entries of the archive. Each archive's table is read once. Thread-safe.
class OpenArchives : public core::FilesThrough {
  public:
    /// @param host its files must not change while the object lives
    /// @param others further archives to search for ids that an entry's own archive lacks; other files are ignored
    explicit OpenArchives(std::shared_ptr<const core::Files> host = core::diskFiles(),
                          std::vector<std::string> others = {})
        : FilesThrough(std::move(host)), others_(std::move(others)) {}

    [[nodiscard]] bool exists(const std::string& path) const override;
    [[nodiscard]] File read(const std::string& path, const core::Limits& limits) const override;
    [[nodiscard]] std::shared_ptr<const core::Source> open(const std::string& path) const override;

    /// See parseEntryPath(). A file that was opened as an archive stays an archive, even if it is removed meanwhile.
    [[nodiscard]] EntryPath parse(const std::string& path) const;
    [[nodiscard]] bool namesEntry(const std::string& path) const { return !parse(path).entries.empty(); }
    /// The format of a file by its first bytes. Null if it is not an archive or does not exist.
    [[nodiscard]] const ArchiveFormat* formatOf(const std::string& file) const;

    /// The names of the files that belong to an archive and are beside it, such as the image of a description. Empty
    /// unless the archive was opened.
    [[nodiscard]] std::vector<std::string> partsOf(const std::string& file) const;

    /// The archive that a path names, as a file or as an entry.
    /// @throws core::DecodeError that names the file
    [[nodiscard]] std::shared_ptr<const Archive> openArchive(const std::string& path, const core::Limits& limits) const;

    /// Like openArchive(); null if the path does not name an archive.
    [[nodiscard]] std::shared_ptr<const Archive> openIfArchive(const std::string& path,
                                                               const core::Limits& limits) const;

    /// The entries that may contain characters. For an archive these are its entries. For a disc these are the entries
    /// of the games' archives on it, and files on it with names that are usual for characters. Unreadable archives of
    /// games are listed, too, so that reading them reports the reason.
    /// @throws core::DecodeError that names the archive if it can't be read, or has too many entries
    [[nodiscard]] std::vector<FoundEntry> entriesIn(const std::string& path, const core::Limits& limits) const;

    /// True if the last name in a path matches no entry. @throws core::DecodeError as entriesIn() does
    [[nodiscard]] bool holdsNone(const std::string& path, const core::Limits& limits) const;

    /// True if a path names an existing entry. @throws core::DecodeError if the archive can't be read
    [[nodiscard]] bool holds(const std::string& path, const core::Limits& limits) const;

    /// The paths of the entries that match a path with wildcards (core/text_pattern.h) in the names of entries:
    /// `battle.lgp:*da`, `FF9.IMG:10/*:03/*`. Of the matches, only archives are searched further. If an entry's name
    /// equals the pattern itself, only that entry is returned.
    /// @return in the order of the archives; empty if nothing matches
    /// @throws core::DecodeError if an archive can't be read
    [[nodiscard]] std::vector<std::string> matching(const std::string& path, const core::Limits& limits) const;

    /// The character of a file or an entry, by its file name, from the user's own name files. Unknown if they don't
    /// list it. Files that are read get the same name (kOwnNameKey).
    [[nodiscard]] core::Called ownNameOf(const std::string& path, const core::Limits& limits) const;

    /// The characters of an archive by its file names, see titlesOf() and ownNameOf().
    /// @param path the archive's path; its entries must outlive the result
    [[nodiscard]] std::map<const Entry*, std::string> titlesIn(const std::string& path, const Archive& archive,
                                                               const core::Limits& limits) const;

  protected:
    [[nodiscard]] std::optional<File> readBeside(const std::string& path, std::string_view name,
                                                 const core::Limits& limits) const override;

  private:
    struct Place;
    class Parts;
    /// @param file the character's file on disk, or its archive
    [[nodiscard]] core::Called ownNameIn(const std::string& file, std::string_view fileName,
                                         const core::Limits& limits) const;
    void tell(File& file, const std::string& where, const core::Limits& limits) const;
    /// The only entry for a character's name. Null if there is none or more than one.
    [[nodiscard]] const Entry* onlyCalled(const Place& place, const core::Limits& limits) const;
    /// @throws core::DecodeError that lists the characters, if several have this name
    void refuseSeveral(const Place& place, const core::Limits& limits) const;
    [[nodiscard]] std::vector<const Entry*> entriesCalledAt(const Place& place, const core::Limits& limits) const;
    [[nodiscard]] ArchiveFile fileAt(const std::string& file) const;
    /// Null if this file was not opened as an archive.
    [[nodiscard]] std::shared_ptr<const Archive> opened(const std::string& file) const;
    [[nodiscard]] std::shared_ptr<const Archive> openFile(const std::string& file, const core::Limits& limits) const;
    [[nodiscard]] bool enter(Place& place, const core::Limits& limits) const;
    [[nodiscard]] std::shared_ptr<const Archive> keptInner(const std::string& path) const;
    void keepInner(const std::string& path, const std::shared_ptr<const Archive>& archive) const;
    [[nodiscard]] std::vector<std::uint32_t> gameArchivesIn(const std::shared_ptr<const Archive>& archive,
                                                            const std::string& path, const core::Limits& limits) const;
    struct Search;
    void addEntriesIn(const std::shared_ptr<const Archive>& archive, const FoundEntry& place, Search& search) const;
    void findByName(Place& place, const std::string& name, Search& search) const;
    void findInArchives(Place& place, Search& search) const;
    void requireEntry(const Place& place, const core::Limits& limits) const;
    [[nodiscard]] Place locate(const EntryPath& path, const core::Limits& limits) const;
    /// A file by its id, from another archive of the same kind.
    [[nodiscard]] std::optional<File> readFromOthers(const ArchiveFormat& format, std::string_view name,
                                                     const core::Limits& limits) const;

    std::vector<std::string> others_;

    mutable std::mutex mutex_;
    mutable std::map<std::string, std::shared_ptr<const Archive>> open_;
    mutable std::map<std::string, std::shared_ptr<const Parts>> parts_;
    mutable std::map<std::string, const ArchiveFormat*> formats_;
    mutable std::deque<std::pair<std::string, std::shared_ptr<const Archive>>> inner_;  // most recently used first
    mutable std::map<std::string, std::vector<std::uint32_t>> gameArchives_;
    mutable KnownNames names_;
};

}  // namespace reanima::archives
