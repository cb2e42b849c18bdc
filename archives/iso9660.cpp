/// The files of a CD or DVD by ISO 9660.
///
/// Layout and evidence: docs/formats/cd_image.md
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "archives/archive.h"
#include "archives/chunks.h"
#include "core/byte_reader.h"

namespace reanima::archives {

extern const ArchiveFormat kIso9660;

namespace iso {
namespace {

using core::Code;
using core::DecodeError;
using core::LittleEndianReader;
using core::Place;

constexpr std::uint64_t kSector = 2048;
constexpr std::uint64_t kDescription = 16 * kSector;
constexpr std::string_view kMark =
    "\x01"
    "CD001";
constexpr std::uint64_t kRoot = 156;    // offset of the root's record in a description
constexpr std::size_t kNamePlace = 33;  // offset of the name in a record
constexpr std::size_t kDeepest = 32;

enum Flags : unsigned { kIsFolder = 0x02, kGoesOn = 0x80 };

struct Record {
    std::uint64_t place = 0;  ///< offset of the record
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    unsigned flags = 0;
    std::string name{};
};

class Iso9660 : public Archive {
  public:
    Iso9660(std::shared_ptr<const Source> disc, const core::Limits& limits)
        : Archive(kIso9660, std::move(disc), limits), tableBytesLeft_(source().size()) {
        const Place place{"block_size", kDescription + 128};
        const core::ByteVector size = source().read(*place.offset, 2, place);  // fields of other sizes follow
        const auto block = LittleEndianReader(size).read<std::uint16_t>({});
        if (block != kSector)
            throw DecodeError(place, fmt::format("is {}, expected {}", block, kSector));
        folders_.push_back({rootOf(findLongNames().value_or(kDescription))});
        readFolder(0);
        for (std::size_t next = 1; next < folders_.size(); ++next) {
            try {
                readFolder(next);
            } catch (const DecodeError& error) {
                if (error.kind() == DecodeError::Kind::limit)
                    throw;
                warnings().warn(Code::damaged, error);
            }
        }
        folders_.clear();
    }

  private:
    struct Folder {
        Record record;
        std::size_t parent = 0;  ///< place in folders_
    };

    [[nodiscard]] Record rootOf(std::uint64_t description) const {
        const std::uint64_t place = description + kRoot;
        return recordAt(source().read(place, kNamePlace + 1, {"root", place}), place);
    }

    [[nodiscard]] bool isInImage(const Record& folder) const {
        return folder.offset <= source().size() && folder.size <= source().size() - folder.offset;
    }

    /// The description of Joliet, whose tables contain the PC names, in UCS-2. Empty if the disc has no such tables, or
    /// if the image ends before them.
    std::optional<std::uint64_t> findLongNames() {
        constexpr std::uint64_t kMost = 16;
        constexpr std::uint64_t kEscape = 88;
        constexpr std::uint8_t kSupplement = 2;
        for (std::uint64_t i = 1; i < kMost; ++i) {
            const std::uint64_t place = kDescription + i * kSector;
            if (!beginsWith(source(), kMark.substr(1), place + 1))
                break;
            const bool isJoliet = std::ranges::any_of(std::array{"%/@", "%/C", "%/E"}, [&](std::string_view escape) {
                return beginsWith(source(), escape, place + kEscape);
            });
            namesAreLong_ = isJoliet && source().read(place, 1, {})[0] == kSupplement;
            if (!namesAreLong_)
                continue;
            const Record root = rootOf(place);
            if (isInImage(root))
                return place;
            namesAreLong_ = false;
            warnings().warn(Code::damaged, {"long_names", root.place},
                            fmt::format("are at {:#x} to {:#x}, but the image has only {:#x} bytes; using short names",
                                        root.offset, root.offset + root.size, source().size()));
            break;
        }
        return std::nullopt;
    }

    /// The name of a record. Letters outside ASCII, such as Shift-JIS, can't be in safe names.
    [[nodiscard]] std::string nameOf(core::Bytes stored) const {
        constexpr std::size_t kLetter = 2;
        if (!namesAreLong_ || stored.size() < kLetter)
            return {stored.begin(), stored.end()};
        std::string name;
        for (std::size_t i = 0; i + 1 < stored.size(); i += kLetter)
            name += stored[i] == 0 ? static_cast<char>(stored[i + 1]) : '\xFF';
        return name;
    }

    struct Path {
        std::size_t folder;  ///< place in folders_
        std::vector<std::string> parts;
    };

    /// Reads a record. Numbers are stored in both byte orders. A version after `;` is not part of the name.
    [[nodiscard]] Record recordAt(core::Bytes bytes, std::uint64_t place) const {
        LittleEndianReader reader(bytes, "record", place);
        Record record{place};
        (void)reader.bytes(2, "length");
        record.offset = reader.read<std::uint32_t>("extent") * kSector;
        (void)reader.bytes(4, "extent");
        record.size = reader.read<std::uint32_t>("size");
        (void)reader.bytes(4 + 7, "date");
        record.flags = reader.read<std::uint8_t>("flags");
        (void)reader.bytes(6, "unit");
        const auto length = reader.read<std::uint8_t>("name_length");
        record.name = nameOf(reader.bytes(length, "name"));
        record.name.resize(std::min(record.name.find(';'), record.name.size()));
        if (record.name.ends_with('.'))  // the dot of a name without extension
            record.name.pop_back();
        return record;
    }

    /// The parts of a folder's path. Records refer to their folder by number, which needs less memory than paths.
    [[nodiscard]] std::vector<std::string> partsOfFolder(std::size_t index) const {
        std::vector<std::string> parts;
        for (; index != 0; index = folders_[index].parent)
            parts.push_back(folders_[index].record.name);
        std::ranges::reverse(parts);
        return parts;
    }

    void readFolder(std::size_t index) {
        const Record folder = folders_[index].record;
        const Path path{index, partsOfFolder(index)};
        const std::vector<std::string>& parts = path.parts;
        const Place place{parts.empty() ? "root" : fmt::format("{}", fmt::join(parts, "/")), folder.place};
        if (!known_.insert(folder.offset).second)
            throw DecodeError(place, "is a folder that the image lists more than once");
        if (!isInImage(folder))
            throw DecodeError(place, fmt::format("is a folder at {:#x} to {:#x}, but the image has only {:#x} bytes",
                                                 folder.offset, folder.offset + folder.size, source().size()));
        if (folder.size > tableBytesLeft_)  // otherwise a small image could contain any number of files
            throw DecodeError(place,
                              fmt::format("is a folder of {} bytes, but the image is too small for it", folder.size));
        tableBytesLeft_ -= folder.size;
        requireRoomFor(folders_.size() + folder.size / kNamePlace, place);
        std::optional<Record> begun;
        for (std::uint64_t at = 0; at < folder.size; at += kSector) {
            const std::uint64_t size = std::min(kSector, folder.size - at);
            readSector(source().read(folder.offset + at, size, place), folder.offset + at, path, begun);
        }
        if (begun)
            addFile(*begun, path.parts, Parts::unfinished);
    }

    /// Reads the records of a sector; none crosses its end. After a damaged record, the rest of the sector is lost.
    void readSector(core::Bytes sector, std::uint64_t place, const Path& path, std::optional<Record>& begun) {
        for (std::size_t at = 0; at < sector.size() && sector[at] != 0;) {
            const std::size_t length = std::min<std::size_t>(sector[at], sector.size() - at);
            Record record;
            try {
                record = recordAt(sector.subspan(at, length), place + at);
            } catch (const DecodeError& error) {
                warnings().warn(Code::damaged, error);
                return;
            }
            addRecord(std::move(record), path, begun);
            at += length;
        }
    }

    /// @param begun the parts read so far, for a file that consists of several records with the same name
    void addRecord(Record record, const Path& path, std::optional<Record>& begun) {
        const bool isSelfOrParent =
            record.name.empty() || record.name == std::string_view("\0", 1) || record.name == "\1";
        if (isSelfOrParent)
            return;
        if (begun && (begun->name != record.name || (record.flags & kIsFolder) != 0))
            addFile(*std::exchange(begun, std::nullopt), path.parts, Parts::unfinished);
        if ((record.flags & kIsFolder) != 0) {
            if (path.parts.size() < kDeepest)
                folders_.push_back({std::move(record), path.folder});
            else
                warnings().warn(Code::damaged, {record.name, record.place},
                                fmt::format("is nested in more than {} folders", kDeepest));
            return;
        }
        const bool follows = !begun || record.offset == begun->offset + begun->size;
        if (begun) {
            record.offset = begun->offset;
            record.size += begun->size;
            begun.reset();
        }
        if (follows && (record.flags & kGoesOn) != 0)
            begun = std::move(record);
        else
            addFile(record, path.parts, follows ? Parts::together : Parts::apart);
    }

    enum class Parts { together, apart, unfinished };

    void addFile(const Record& record, const std::vector<std::string>& path, Parts extents) {
        Entry entry;
        entry.id = static_cast<std::uint32_t>(record.offset / kSector);
        entry.offset = record.offset;
        entry.size = entry.storedSize = record.size;
        std::vector<std::string_view> parts(path.begin(), path.end());
        parts.push_back(record.name);
        Entry& added = add(std::move(entry), parts);
        if (added.damaged)
            return;
        if (extents == Parts::apart)
            damage(added, "is stored in several separate parts of the disc, which is not supported");
        if (extents == Parts::unfinished)
            damage(added, "is stored in several parts of the disc, but the last part is missing");
    }

    bool namesAreLong_ = false;  // the names are Joliet's
    std::uint64_t tableBytesLeft_;
    std::set<std::uint64_t> known_;  // offsets of folders
    std::vector<Folder> folders_;    // only used while reading; the root comes first
};

}  // namespace
}  // namespace iso

extern const ArchiveFormat kIso9660 = {
    .id = "iso-9660",
    .label = "CD or DVD image (ISO 9660)",
    .endings = {"iso"},
    .holdsArchives = true,
    .insteadOfWriting = "`extract` the entry, edit the extracted file, and put it back with a tool for disc images",
    .claims = [](const ArchiveFile& file) { return beginsWith(*file.source, iso::kMark, iso::kDescription); },
    .open = [](const ArchiveFile& file, const core::Limits& limits) -> std::unique_ptr<Archive> {
        return std::make_unique<iso::Iso9660>(file.source, limits);
    },
};

}  // namespace reanima::archives
