/// Archives of the games: listed and read by ranges, without unpacking what nobody asks for.
///
/// Layouts and evidence: the pages of docs/formats that the formats name.
#pragma once

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
#include "../core/limits.h"
#include "../formats/options.h"

namespace reanima::core {
class Source;
}

namespace reanima::archives {

using core::Source;

/// Something in an archive.
struct Entry {
    std::string name;  ///< safe as a path below any folder, and unique without case; parts are separated by `/`
    std::uint32_t id = 0;
    std::uint32_t type = 0;                 ///< as ArchiveFormat::types says
    std::uint64_t offset = 0;               ///< of the data, in the archive
    std::uint64_t storedSize = 0;           ///< of the data, in the archive
    std::uint64_t size = 0;                 ///< of the data as read() delivers it
    std::optional<std::uint32_t> detail{};  ///< what ArchiveFormat::detail names
    bool packed = false;
    bool padded = false;   ///< see File::padded
    bool damaged = false;  ///< the data can't be had; a warning of the listing says why

    /// The last part of the name.
    [[nodiscard]] std::string_view fileName() const;
    /// The other parts, with the `/` after them; empty if there are none.
    [[nodiscard]] std::string_view folder() const;
};

class Archive;

/// What is known of a kind of archive: one row of archiveFormats().
struct ArchiveFormat {
    enum class Types { none, numbers, letters };

    std::string_view id;     ///< `ff7-lgp`
    std::string_view label;  ///< `Final Fantasy VII (PC) archive (LGP)`
    Types types = Types::none;
    std::string_view detail{};    ///< what Entry::detail is called; empty: there is none
    bool holdsCharacters = true;  ///< false: is converted as a whole, and no folder of files
    /// What to do instead of writing into such an archive; empty: Archive::withOther() does it.
    std::string_view insteadOfWriting{};
    /// True for a name that is an id, which means the same in all archives of this kind; null: none does.
    bool (*isId)(std::string_view name) = nullptr;
    /// By the first bytes; never throws for what a file holds.
    bool (*claims)(const Source& source) = nullptr;
    /// @throws core::DecodeError if the table can't be read
    std::unique_ptr<Archive> (*open)(std::shared_ptr<const Source> source, const core::Limits& limits) = nullptr;
};

/// Every kind of archive.
[[nodiscard]] std::span<const ArchiveFormat> archiveFormats();

/// The kind of an archive, null if it is none.
[[nodiscard]] const ArchiveFormat* archiveFormatOf(const Source& source);

/// Other data for an entry.
struct Replacement {
    std::uint32_t entry = 0;  ///< index into Archive::entries()
    std::shared_ptr<const Source> data;
};

/// An archive as it is written: nothing of it is made before write() is called.
struct RewrittenArchive {
    std::uint64_t size = 0;              ///< bytes
    std::vector<std::uint32_t> changed;  ///< entries whose data differs, ascending
    /// Passes all bytes, in order, in parts of at most 1 MiB. The archive has to live as long.
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
    /// @throws core::DecodeError if it is no archive, or the table can't be read; of the kind `limit` if it takes too
    /// much memory
    [[nodiscard]] static std::unique_ptr<Archive> open(std::shared_ptr<const Source> source,
                                                       const core::Limits& limits);

    [[nodiscard]] const ArchiveFormat& format() const { return *format_; }
    [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
    /// The same, to read them all: entries may overlap, and those of no size cost time, too.
    /// @throws core::DecodeError of the kind `limit` for more of them, or of their bytes, than an archive of this size
    /// needs
    [[nodiscard]] std::span<const Entry> entriesToRead() const;
    /// How many entries are too many for the archive's size.
    [[nodiscard]] std::uint64_t mostEntriesToRead() const;
    /// Bytes of the whole archive.
    [[nodiscard]] std::uint64_t size() const;
    /// What is doubtful in the table.
    [[nodiscard]] const core::Diagnostics& diagnostics() const { return diagnostics_; }

    /// An entry by its name, without case, by `#N` (its place in the list), or by what else the format knows it by;
    /// null if there is none.
    [[nodiscard]] const Entry* find(std::string_view name) const;

    /// The places in the list of an entry and of all others that would have its name, had they not got another one by
    /// add(); none if no other would.
    [[nodiscard]] std::span<const std::uint32_t> namesakesOf(const Entry& entry) const;

    /// `; did you mean 'rtda'?` for a name that no entry has; empty if no name is close.
    [[nodiscard]] std::string nearestTo(std::string_view name) const;
    /// `; it holds rtaa, rtab, rtac and 9 more`, for a name that no entry is near to.
    [[nodiscard]] std::string firstEntries() const;

    /// The data of an entry of this archive.
    /// @throws core::DecodeError if it is damaged; of the kind `limit` above kLargestEntry or Limits::memory
    [[nodiscard]] core::ByteVector read(const Entry& entry, const core::Limits& limits) const;

    /// The archive with other data for some entries. Order, names, gaps and the data of all others stay, byte for byte;
    /// what stands after an entry that grows or shrinks moves.
    /// @param replacements each of another entry
    /// @throws core::DecodeError if archives of this kind are not written (see requireWritable()), if entries are
    /// damaged, overlap or are not found in the table, or if the offsets have no room for so many bytes
    [[nodiscard]] virtual RewrittenArchive withOther(std::span<const Replacement> replacements) const;
    /// @throws core::DecodeError that says what to do instead, if archives of this kind are not written
    void requireWritable() const;

    /// The options that the place of an entry tells: see Input::told.
    [[nodiscard]] virtual OptionValues optionsOf(const Entry& entry) const;
    /// True if the entry may be worth a file of its own when the whole archive is converted.
    [[nodiscard]] bool mayBeCharacter(const Entry& entry) const;

    static constexpr std::uint64_t kLargestEntry = 256U << 20U;

  protected:
    Archive(const ArchiveFormat& format, std::shared_ptr<const Source> source, const core::Limits& limits)
        : format_(&format), source_(std::move(source)), limits_(limits) {}

    [[nodiscard]] const Source& source() const { return *source_; }
    [[nodiscard]] std::vector<Entry>& list() { return entries_; }
    [[nodiscard]] core::Diagnostics& warnings() { return diagnostics_; }

    /// To be called before so many entries are read.
    /// @throws core::DecodeError of the kind `limit` that names `place`
    void requireRoomFor(std::uint64_t entries, const core::Place& place) const;

    /// Adds an entry under a name that is made of the parts, safe and unique; a name that had to change for that is a
    /// warning. An entry whose data leaves the source becomes a damaged one.
    /// @param extension comes after what makes the name unique
    Entry& add(Entry entry, std::span<const std::string_view> parts, std::string_view extension = {});

    /// Marks an entry whose data can't be had.
    void damage(Entry& entry, const std::string& reason);

    /// By the name in lower case, exactly.
    [[nodiscard]] const Entry* findExactly(const std::string& lowerCaseName) const;
    /// What else a name may mean; it is in lower case.
    [[nodiscard]] virtual const Entry* findOtherwise(const std::string& lowerCaseName) const;
    /// The closest to a mistyped name of what findOtherwise() finds; empty if none is close.
    [[nodiscard]] virtual std::string otherNameNear(std::string_view name) const;
    [[nodiscard]] std::string nearestFile(std::string_view name) const;
    /// Makes what read() delivers of what is stored.
    [[nodiscard]] virtual core::ByteVector decode(const Entry& entry, core::ByteVector stored) const;

  private:
    /// The name of a folder that no entry has; from then on none gets it.
    std::string folderNamed(const std::string& wanted);

    const ArchiveFormat* format_;
    std::shared_ptr<const Source> source_;
    core::Limits limits_;
    std::vector<Entry> entries_;
    std::unordered_map<std::string, std::uint32_t> byName_;        // in lower case
    std::unordered_set<std::string> folders_;                      // likewise, of entries
    std::unordered_map<std::string, std::uint32_t> nextNumber_;    // of a name that is taken
    std::unordered_map<std::string, std::uint32_t> folderNumber_;  // of a folder as it was wanted; 1: none
    core::Diagnostics diagnostics_;
    std::unordered_map<std::string, std::vector<std::uint32_t>> namesakes_;  // by the first one's name in lower case
};

/// A part of a name as core::portableName() makes it: what is not ASCII becomes `_`, too, and what is longer than 200
/// bytes is cut before.
[[nodiscard]] std::string safePart(std::string_view stored);

/// The type of an entry as text: four letters, or a number.
[[nodiscard]] std::string typeText(const ArchiveFormat& format, std::uint32_t type);

}  // namespace reanima::archives
