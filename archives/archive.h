/// Archives of the games. They list their entries and read them by ranges. Only requested entries are unpacked.
///
/// Layouts and evidence: docs/formats, one page per format.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "../core/bytes.h"
#include "../core/diagnostics.h"
#include "../core/files.h"
#include "../core/limits.h"
#include "../formats/options.h"

namespace reanima::core {
class Source;
}

namespace reanima::archives {

using core::Source;

/// An entry of an archive.
struct Entry {
    std::string name;  ///< safe as a path below any folder; unique even if case is ignored; parts are separated by `/`
    std::uint32_t id = 0;
    std::uint32_t type = 0;                 ///< see ArchiveFormat::types
    std::uint64_t offset = 0;               ///< offset of the data in the archive
    std::uint64_t storedSize = 0;           ///< size of the data in the archive
    std::uint64_t size = 0;                 ///< size of the data that read() returns
    std::optional<std::uint32_t> detail{};  ///< see ArchiveFormat::detail
    bool packed = false;                    ///< the stored bytes are not those that read() returns
    bool padded = false;                    ///< see File::padded
    bool damaged = false;                   ///< the data can't be read; a warning in the listing has the reason

    /// The last part of the name.
    [[nodiscard]] std::string_view fileName() const;
    /// The parts before the last, including the final `/`; empty if there are none.
    [[nodiscard]] std::string_view folder() const;
};

class Archive;

/// A file that may be an archive, and the files beside it.
struct ArchiveFile {
    std::shared_ptr<const Source> source;
    std::string name{};       ///< empty if it has none
    core::Siblings beside{};  ///< empty if there are none
};

/// A kind of archive: one row of archiveFormats().
struct ArchiveFormat {
    enum class Types { none, numbers, letters };

    std::string_view id;     ///< `ff7-lgp`
    std::string_view label;  ///< `Final Fantasy VII (PC) archive (LGP)`
    /// Usual extensions, such as `lgp`: the only clue if a file's data is lost. Empty if other files often have them.
    std::array<std::string_view, 2> endings{};
    Types types = Types::none;
    std::string_view detail{};    ///< name of Entry::detail; empty if there is none
    bool holdsCharacters = true;  ///< false: converted as a whole, not entry by entry
    bool holdsArchives = false;   ///< a disc or the like: archives among its entries contain the characters
    bool namesAnother = false;    ///< a list that refers to the archive beside it; searches of a folder skip the list
    /// Advice for users who want to write into such an archive. Empty if Archive::withOther() can write it.
    std::string_view insteadOfWriting{};
    /// True for a name that is an id with the same meaning in all archives of this kind. Null without such ids.
    bool (*isId)(std::string_view name) = nullptr;
    /// Recognises the format by the first bytes, or by the names of the file and its siblings. Never throws because of
    /// content.
    bool (*claims)(const ArchiveFile& file) = nullptr;
    /// @throws core::DecodeError if the table can't be read
    std::unique_ptr<Archive> (*open)(const ArchiveFile& file, const core::Limits& limits) = nullptr;
    /// Replaces `open` for an archive that is wrapped in another form. Returns the inner archive, read by ranges.
    /// @throws core::DecodeError if it can't be read
    ArchiveFile (*unpacked)(const ArchiveFile& file, const core::Limits& limits) = nullptr;
};

/// Every kind of archive.
[[nodiscard]] std::span<const ArchiveFormat> archiveFormats();

/// The kind of archive. Null if the file is not an archive.
[[nodiscard]] const ArchiveFormat* archiveFormatOf(const ArchiveFile& file);

/// The kinds of archives that usually have the extension of this name.
[[nodiscard]] std::vector<const ArchiveFormat*> archivesCalledLike(std::string_view fileName);

/// Rejects a file that was once an archive: it has an archive's extension, but is empty or begins with zeros. Other
/// files with this extension may belong to another program.
/// @throws core::DecodeError
void refuseBlank(const ArchiveFile& file);

/// New data for an entry.
struct Replacement {
    std::uint32_t entry = 0;  ///< index into Archive::entries()
    std::shared_ptr<const Source> data;
};

/// An archive with new data. Its bytes are only produced by write().
struct RewrittenArchive {
    std::uint64_t size = 0;              ///< bytes
    std::vector<std::uint32_t> changed;  ///< entries whose data differs, ascending
    /// Passes all bytes to `append`, in order, in parts of up to 1 MiB. The archive must outlive this object.
    /// @throws core::DecodeError if the archive or the new data can't be read any more
    std::function<void(const std::function<void(core::Bytes)>& append)> write;
};

/// An archive whose table has been read. Any thread may use it.
class Archive {
  public:
    virtual ~Archive() = default;
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    /// Reads the table.
    /// @throws core::DecodeError if it is not an archive or the table can't be read; of the kind `limit` if the table
    /// needs too much memory
    [[nodiscard]] static std::unique_ptr<Archive> open(const ArchiveFile& file, const core::Limits& limits);

    [[nodiscard]] const ArchiveFormat& format() const { return *format_; }
    [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
    /// All entries, to be read one by one. First checks that their number and size are plausible, since entries may
    /// overlap, and even empty entries cost time.
    /// @throws core::DecodeError of the kind `limit` if there are more entries, or more bytes in them, than is
    /// plausible for an archive of this size
    [[nodiscard]] std::span<const Entry> entriesToRead() const;
    /// The highest plausible number of entries for an archive of this size.
    [[nodiscard]] std::uint64_t mostEntriesToRead() const;
    /// The size of the whole archive in bytes.
    [[nodiscard]] std::uint64_t size() const;
    /// Warnings about the table.
    [[nodiscard]] const core::Diagnostics& diagnostics() const { return diagnostics_; }

    /// Finds an entry by its name (ignoring case), by `#N` (its place in the list), or by another name of the format.
    /// Null if there is none.
    [[nodiscard]] const Entry* find(std::string_view name) const;

    /// Indices of all entries with this entry's stored name (before add() made it unique). Empty if it is the only one.
    [[nodiscard]] std::span<const std::uint32_t> namesakesOf(const Entry& entry) const;

    /// `; did you mean 'rtda'?` for an unknown name. Empty if no name is close.
    [[nodiscard]] std::string nearestTo(std::string_view name) const;
    /// `; it contains rtaa, rtab, rtac and 9 more`, for a name that is not close to any entry's.
    [[nodiscard]] std::string firstEntries() const;

    /// The data of an entry of this archive.
    /// @throws core::DecodeError if it is damaged; of the kind `limit` above kLargestEntry or Limits::memory
    [[nodiscard]] core::ByteVector read(const Entry& entry, const core::Limits& limits) const;

    /// The data of an entry, to be read by ranges. Data that is not packed may have any size and is not copied. The
    /// result may outlive the archive.
    /// @throws core::DecodeError as read() does
    [[nodiscard]] std::shared_ptr<const Source> sourceOf(const Entry& entry, const core::Limits& limits) const;

    /// The archive with other data for some entries. The order, the names, the gaps and the data of all other entries
    /// stay the same, byte for byte. If an entry grows or shrinks, the data after it moves.
    /// @param replacements no more than one per entry
    /// @throws core::DecodeError if archives of this kind can't be written (see requireWritable()), if entries are
    /// damaged, overlap or are missing from the table, or if the result is too large for the stored offsets
    [[nodiscard]] virtual RewrittenArchive withOther(std::span<const Replacement> replacements) const;
    /// @throws core::DecodeError with advice, if archives of this kind can't be written
    void requireWritable() const;

    /// The options that an entry's place in the archive determines: see Input::told.
    [[nodiscard]] virtual OptionValues optionsOf(const Entry& entry) const;
    /// Titles of the characters in an entry: `zidane`. For formats in which only the content of an entry shows them.
    /// Empty for unreadable entries.
    [[nodiscard]] virtual std::vector<std::string> charactersIn(const Entry& entry) const;
    /// True if the entry may get a separate output when the whole archive is converted.
    [[nodiscard]] bool mayBeCharacter(const Entry& entry) const;

    static constexpr std::uint64_t kLargestEntry = 256U << 20U;

  protected:
    Archive(const ArchiveFormat& format, std::shared_ptr<const Source> source, const core::Limits& limits)
        : format_(&format), source_(std::move(source)), limits_(limits) {}

    [[nodiscard]] const Source& source() const { return *source_; }
    [[nodiscard]] std::vector<Entry>& list() { return entries_; }
    [[nodiscard]] core::Diagnostics& warnings() { return diagnostics_; }

    /// Call this before reading this many entries.
    /// @throws core::DecodeError of the kind `limit` that names `place`
    void requireRoomFor(std::uint64_t entries, const core::Place& place) const;
    /// The same for entries whose rows are not in the archive itself but in `table`.
    void requireRoomFor(std::uint64_t entries, const core::Place& place, const Source& table) const;

    /// Adds an entry under a safe, unique name made of the parts, with a warning if the name was changed. If the name
    /// exceeds 512 bytes, its first parts are left out. An entry with data outside the source is marked damaged.
    /// @param extension appended after the suffix that makes the name unique
    Entry& add(Entry entry, std::span<const std::string_view> parts, std::string_view extension = {});

    /// Marks an entry as unreadable.
    void damage(Entry& entry, const std::string& reason);

    /// The entry with exactly this name in lower case.
    [[nodiscard]] const Entry* findExactly(const std::string& lowerCaseName) const;
    /// Finds an entry by another name that the format defines.
    [[nodiscard]] virtual const Entry* findOtherwise(const std::string& lowerCaseName) const;
    /// The name closest to a mistyped one, among the names that findOtherwise() accepts. Empty if none is close.
    [[nodiscard]] virtual std::string otherNameNear(std::string_view name) const;
    [[nodiscard]] std::string nearestFile(std::string_view name) const;
    /// Decodes stored data to the data that read() returns.
    [[nodiscard]] virtual core::ByteVector decode(const Entry& entry, core::ByteVector stored) const;

  private:
    void requireSound(const Entry& entry) const;
    /// Counts the memory of an entry's name if it is longer than usual.
    /// @throws core::DecodeError of the kind `limit`
    void requireRoomForName(const Entry& entry, std::size_t stored);
    /// Reserves a folder name that is still free.
    std::string folderNamed(const std::string& wanted);

    const ArchiveFormat* format_;
    std::shared_ptr<const Source> source_;
    core::Limits limits_;
    std::vector<Entry> entries_;
    std::unordered_map<std::string, std::uint32_t> byName_;  // index of an entry, by name in lower case
    std::unordered_set<std::string> folders_;                // folder names of entries, in lower case
    std::uint64_t nameBytes_ = 0;  // bytes of all folder names, and of those entry names that are long
    std::unordered_map<std::string, std::uint32_t> nextNumber_;    // per taken name: next suffix to try
    std::unordered_map<std::string, std::uint32_t> folderNumber_;  // per folder name: next suffix to try; 1: none yet
    core::Diagnostics diagnostics_;
    std::unordered_map<std::string, std::vector<std::uint32_t>> namesakes_;  // by the first entry's name, in lower case
};

/// The parts of a path, separated by `\\` or `/`.
[[nodiscard]] std::vector<std::string_view> partsOf(std::string_view path);

/// The first 200 bytes of a part of a name, changed by core::portableName(). Characters outside ASCII also become `_`.
[[nodiscard]] std::string safePart(std::string_view stored);

/// The type of an entry as text: four letters, or a number.
[[nodiscard]] std::string typeText(const ArchiveFormat& format, std::uint32_t type);

}  // namespace reanima::archives
