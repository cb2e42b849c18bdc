/// Dolphin's RVZ, and its predecessor WIA.
///
/// Layout and evidence: docs/formats/packed_discs.md
#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include <fmt/format.h>

#include "archives/archive.h"
#include "archives/chunks.h"
#include "archives/unpack.h"

namespace reanima::archives {

namespace wia {
namespace {

using core::BigEndianReader;
using core::BigEndianTable;
using core::DecodeError;
using core::Place;

constexpr std::string_view kRvzMagic{"RVZ\x01", 4};
constexpr std::string_view kWiaMagic{"WIA\x01", 4};
constexpr std::uint64_t kSecondHeader = 0x48;
constexpr std::uint32_t kNewestVersion = 0x01000000;
constexpr std::size_t kHeadSize = 0x80;  // first bytes of the disc, kept in the header
constexpr std::uint32_t kGameCube = 1;
constexpr std::uint32_t kWii = 2;
constexpr std::uint32_t kSector = 0x8000;
constexpr std::size_t kAreaSize = 24;
constexpr std::uint32_t kMostAreas = 4096;

enum Method : std::uint32_t { kNone, kPurge, kBzip2, kLzma, kLzma2, kZstd };

// ---------------------------------------------------------------------------------------------------------------------
// Padding: the numbers of a generator that fills unused space on discs

class PaddingNumbers {
  public:
    static constexpr std::size_t kSeedSize = 68;

    explicit PaddingNumbers(BigEndianReader& seed) {
        for (std::size_t i = 0; i < kSeedSize / 4; ++i)
            words_[i] = seed.read<std::uint32_t>("seed");
        for (std::size_t i = kSeedSize / 4; i < kWords; ++i)
            words_[i] = words_[i - 17] << 23U ^ words_[i - 16] >> 9U ^ words_[i - 1];
        for (int i = 0; i < 4; ++i)
            step();
    }

    /// @param skipped number of the generator's bytes to skip
    void fill(std::span<std::uint8_t> into, std::uint64_t skipped) {
        std::uint64_t at = skipped;
        for (; at >= kWords * 4; at -= kWords * 4)
            step();
        for (std::uint8_t& byte : into) {
            if (at == kWords * 4) {
                step();
                at = 0;
            }
            constexpr std::array<unsigned, 4> kShifts = {24, 18, 8, 0};  // the generator uses 18, not 16
            byte = static_cast<std::uint8_t>(words_[static_cast<std::size_t>(at / 4)] >> kShifts[at % 4]);
            ++at;
        }
    }

  private:
    static constexpr std::size_t kWords = 521;
    static constexpr std::size_t kBack = 32;

    void step() {
        for (std::size_t i = 0; i < kBack; ++i)
            words_[i] ^= words_[i + kWords - kBack];
        for (std::size_t i = kBack; i < kWords; ++i)
            words_[i] ^= words_[i - kBack];
    }

    std::array<std::uint32_t, kWords> words_{};
};

// ---------------------------------------------------------------------------------------------------------------------
// The disc

enum class Kind { rvz, wia };
enum class IsPacked { no, yes };

struct Header {
    Kind kind = Kind::rvz;
    std::uint64_t discSize = 0;
    std::uint32_t method = 0;
    std::uint32_t chunkSize = 0;
    core::ByteVector head;        ///< first bytes of the disc
    core::ByteVector properties;  ///< properties of the packing
    std::uint32_t areas = 0;
    std::uint64_t areasPlace = 0;
    std::uint32_t areasSize = 0;  ///< size of the packed list
    std::uint32_t groups = 0;
    std::uint64_t groupsPlace = 0;
    std::uint32_t groupsSize = 0;  ///< size of the packed list

    [[nodiscard]] std::size_t groupRow() const { return kind == Kind::rvz ? 12 : 8; }
};

/// A range of the disc.
struct Area {
    std::uint64_t start;
    std::uint64_t end;
    std::uint32_t firstGroup;
    std::uint32_t groups;
};

struct Group {
    std::uint64_t place;
    std::uint32_t size;
    std::uint32_t paddedSize;  ///< size of the data without padding; 0: no padding was removed
    IsPacked isPacked;
};

std::optional<Packing> packingOf(std::uint32_t method) {
    switch (method) {
        case kBzip2:
            return Packing::bzip2;
        case kLzma:
            return Packing::lzma;
        case kLzma2:
            return Packing::lzma2;
        case kZstd:
            return Packing::zstd;
        default:
            return std::nullopt;
    }
}

bool isChunkSize(const Header& header) {
    constexpr std::uint32_t kLarge = 0x200000;
    const std::uint32_t size = header.chunkSize;
    if (size == 0 || size > kLargestChunk)
        return false;
    return size % kLarge == 0 ||
           (header.kind == Kind::rvz && size < kLarge && size >= kSector && std::has_single_bit(size));
}

void checkHeader(const Header& header) {
    if (header.discSize > kLargestDisc)
        throw DecodeError({"disc_size", 0x24},
                          fmt::format("is {}, expected at most {}", header.discSize, kLargestDisc));
    if (!isChunkSize(header))
        throw DecodeError({"chunk_size", kSecondHeader + 0x0C},
                          fmt::format("is {}, expected a multiple of 2097152 up to {} (in an RVZ also a smaller power "
                                      "of two, at least 32768)",
                                      header.chunkSize, kLargestChunk));
    const Place method{"packing", kSecondHeader + 4};
    if (header.method > kZstd || header.method == (header.kind == Kind::rvz ? kPurge : kZstd))
        throw DecodeError(method, fmt::format("is {}, which is not a known method", header.method));
    if (const std::optional<Packing> packing = packingOf(header.method))
        requireUnpacker(*packing, method);
    const std::uint64_t most = header.discSize / header.chunkSize + 1 + header.areas;
    if (header.areas > kMostAreas)
        throw DecodeError({"area_count", 0xFC}, fmt::format("is {}, expected at most {}", header.areas, kMostAreas));
    if (header.groups > most)
        throw DecodeError({"group_count", 0x10C}, fmt::format("is {}, but a disc of {} bytes has at most {}",
                                                              header.groups, header.discSize, most));
}

Header readHeader(const core::Source& file) {
    Header header;
    BigEndianTable table(file);
    header.kind = table.bytes(4, "magic")[0] == 'R' ? Kind::rvz : Kind::wia;
    (void)table.read<std::uint32_t>("version");
    const auto oldest = table.read<std::uint32_t>("oldest_reader");
    if (oldest > kNewestVersion)
        throw DecodeError(table.place("oldest_reader", 4),
                          fmt::format("is {:#x}, a later version; expected at most {:#x}", oldest, kNewestVersion));
    (void)table.bytes(0x24 - 0x0C, "header_size");
    header.discSize = table.read<std::uint64_t>("disc_size");
    (void)table.bytes(kSecondHeader - 0x2C, "file_size");
    const auto console = table.read<std::uint32_t>("console");
    if (console != kGameCube)
        throw DecodeError(table.place("console", 4), fmt::format("is {}, expected {}", console, kGameCube));
    header.method = table.read<std::uint32_t>("packing");
    (void)table.read<std::uint32_t>("level");
    header.chunkSize = table.read<std::uint32_t>("chunk_size");
    header.head = core::copyOf(table.bytes(kHeadSize, "disc_head"));
    (void)table.bytes(0x24, "partitions");
    header.areas = table.read<std::uint32_t>("area_count");
    header.areasPlace = table.read<std::uint64_t>("areas_offset");
    header.areasSize = table.read<std::uint32_t>("areas_size");
    header.groups = table.read<std::uint32_t>("group_count");
    header.groupsPlace = table.read<std::uint64_t>("groups_offset");
    header.groupsSize = table.read<std::uint32_t>("groups_size");
    const auto properties = table.read<std::uint8_t>("properties_size");
    header.properties = core::copyOf(table.bytes(std::min<std::uint64_t>(properties, 7), "properties"));
    checkHeader(header);
    return header;
}

class WiaSource : public ChunkedSource {
  public:
    WiaSource(std::shared_ptr<const core::Source> file, Header header, const core::Limits& limits)
        : ChunkedSource(std::move(file), header.discSize), header_(std::move(header)) {
        constexpr std::uint64_t kForms =
            6;  // a packed chunk and its pieces (each up to twice its size), the unpacked chunk, and a kept one
        core::requireMemory(kForms * std::min<std::uint64_t>(header_.chunkSize, header_.discSize), limits,
                            {"chunk_size", kSecondHeader + 0x0C});
        readAreas();
        readGroups(limits);
    }

  protected:
    [[nodiscard]] Chunk chunkAt(std::uint64_t offset) const override {
        const auto area = std::ranges::find_if(
            areas_, [offset](const Area& known) { return known.start <= offset && offset < known.end; });
        const std::uint64_t number = area == areas_.end() ? 0 : (offset - area->start) / header_.chunkSize;
        if (area == areas_.end() || number >= area->groups)
            throw DecodeError(fmt::format("byte {:#x} of the disc belongs to no group", offset));
        Chunk chunk{Chunk::Kind::packed, area->start + number * header_.chunkSize, header_.chunkSize,
                    area->firstGroup + number};
        chunk.size = std::min(chunk.size, area->end - chunk.start);
        const Group& group = groups_[static_cast<std::size_t>(chunk.place)];
        if (chunk.start == 0)  // its first bytes are in the header
            return chunk;
        if (group.size == 0)
            chunk.kind = Chunk::Kind::zeros;
        if (group.size >= chunk.size && group.isPacked == IsPacked::no && group.paddedSize == 0) {
            chunk.kind = Chunk::Kind::stored;
            chunk.place = group.place;
        }
        return chunk;
    }

    void unpackChunk(const Chunk& chunk, std::span<std::uint8_t> into) const override {
        unpackGroup(chunk, into);
        if (chunk.start == 0)
            std::ranges::copy(core::Bytes(header_.head).first(std::min(kHeadSize, into.size())), into.begin());
    }

  private:
    void unpackGroup(const Chunk& chunk, std::span<std::uint8_t> into) const {
        const Group& group = groups_[static_cast<std::size_t>(chunk.place)];
        const Place place{fmt::format("groups[{}]", chunk.place), group.place};
        if (group.size == 0) {
            std::ranges::fill(into, std::uint8_t{0});
            return;
        }
        const core::ByteVector stored = readPacked(group.place, group.size, into.size(), place);
        if (group.paddedSize == 0)
            return unpackStored(stored, group.isPacked, into, place);
        requirePlausible(group.paddedSize, into.size(), place);
        core::ByteVector pieces(group.paddedSize);
        unpackStored(stored, group.isPacked, pieces, place);
        fillPadding(pieces, into, chunk.start, place);
    }

    /// Limits packed data. It only exceeds the unpacked size if pieces of padding are shorter than a seed.
    static void requirePlausible(std::uint64_t size, std::uint64_t unpacked, const Place& place) {
        constexpr std::uint64_t kFew = 4096;
        if (size > 2 * unpacked + kFew)
            throw DecodeError(place,
                              fmt::format("has {} packed bytes, too many for {} unpacked bytes", size, unpacked));
    }

    core::ByteVector readPacked(std::uint64_t offset, std::uint64_t size, std::uint64_t unpacked,
                                const Place& place) const {
        requirePlausible(size, unpacked, place);
        return file().read(offset, size, place);
    }

    void unpackStored(core::Bytes stored, IsPacked isPacked, std::span<std::uint8_t> into, const Place& place) const {
        const std::optional<Packing> packing = isPacked == IsPacked::yes ? packingOf(header_.method) : std::nullopt;
        if (packing)
            unpack(*packing, stored, into, place, header_.properties);
        else if (header_.method == kPurge)
            unpackPurged(stored, into, place);
        else if (stored.size() >= into.size())
            std::ranges::copy(stored.first(into.size()), into.begin());
        else
            throw DecodeError(place, fmt::format("has {} bytes, expected {}", stored.size(), into.size()));
    }

    /// Unpacks a chunk that is stored without its zeros: pieces of other bytes, then a hash.
    static void unpackPurged(core::Bytes stored, std::span<std::uint8_t> into, const Place& place) {
        constexpr std::size_t kHash = 20;
        std::ranges::fill(into, std::uint8_t{0});
        BigEndianReader reader(stored, place.field, *place.offset);
        while (reader.remaining() > kHash) {
            const auto offset = reader.read<std::uint32_t>("piece.offset");
            const auto size = reader.read<std::uint32_t>("piece.size");
            if (offset > into.size() || size > into.size() - offset)
                throw DecodeError(
                    place, fmt::format("has {} bytes at {}, outside its chunk of {} bytes", size, offset, into.size()));
            std::ranges::copy(reader.bytes(size, "piece"), into.begin() + offset);
        }
    }

    /// @param start the chunk's offset on the disc
    void fillPadding(core::Bytes pieces, std::span<std::uint8_t> into, std::uint64_t start, const Place& place) const {
        constexpr std::uint32_t kIsPadding = 0x80000000;
        constexpr std::uint64_t kWorkOfSeed = 4096;  // a seed costs as much as unpacking this many bytes
        BigEndianReader reader(pieces, place.field, *place.offset);
        std::size_t made = 0;
        while (reader.remaining() > 0) {
            const auto word = reader.read<std::uint32_t>("piece.size");
            const std::uint32_t size = word & ~kIsPadding;
            if (size > into.size() - made)
                throw DecodeError(place,
                                  fmt::format("unpacks to {} bytes or more, expected {}", made + size, into.size()));
            const std::span<std::uint8_t> part = into.subspan(made, size);
            if ((word & kIsPadding) == 0) {
                std::ranges::copy(reader.bytes(size, "piece"), part.begin());
            } else {
                countMade(start, kWorkOfSeed);
                PaddingNumbers(reader).fill(part, (start + made) % kSector);
            }
            made += size;
        }
        if (made != into.size())
            throw DecodeError(place, fmt::format("unpacks to {} bytes, expected {}", made, into.size()));
    }

    core::ByteVector readTable(std::uint64_t place, std::uint32_t packed, std::uint64_t size, std::string_view field) {
        const Place where{std::string(field), place};
        core::ByteVector table(static_cast<std::size_t>(size));
        unpackStored(readPacked(place, packed, size, where), IsPacked::yes, table, where);
        return table;
    }

    void readAreas() {
        const core::ByteVector table =
            readTable(header_.areasPlace, header_.areasSize, std::uint64_t{header_.areas} * kAreaSize, "areas");
        BigEndianReader reader(table, "areas");
        for (std::uint32_t i = 0; i < header_.areas; ++i) {
            Area area{};
            const auto start = reader.read<std::uint64_t>("offset");
            const auto size = reader.read<std::uint64_t>("size");
            area.start = start - start % kSector;  // the stated start of the first area is 0x80, inside its sector
            area.firstGroup = reader.read<std::uint32_t>("first_group");
            area.groups = reader.read<std::uint32_t>("group_count");
            if (start > header_.discSize || size > header_.discSize - start)
                throw DecodeError({fmt::format("areas[{}]", i), header_.areasPlace},
                                  fmt::format("lies at {:#x} to {:#x}, but the disc has only {:#x} bytes", start,
                                              start + size, header_.discSize));
            area.end = start + size;
            if (area.firstGroup > header_.groups || area.groups > header_.groups - area.firstGroup)
                throw DecodeError({fmt::format("areas[{}]", i), header_.areasPlace},
                                  fmt::format("has {} groups, beginning with number {}, but the disc has {}",
                                              area.groups, area.firstGroup, header_.groups));
            areas_.push_back(area);
        }
    }

    void readGroups(const core::Limits& limits) {
        constexpr std::uint32_t kIsPacked = 0x80000000;
        const std::size_t row = header_.groupRow();
        const std::uint64_t bytes = std::uint64_t{header_.groups} * row;
        core::requireMemory(bytes + header_.groups * sizeof(Group), limits, {"groups", header_.groupsPlace});
        const core::ByteVector table = readTable(header_.groupsPlace, header_.groupsSize, bytes, "groups");
        BigEndianReader reader(table, "groups");
        groups_.reserve(header_.groups);
        for (std::uint32_t i = 0; i < header_.groups; ++i) {
            Group group{};
            group.place = std::uint64_t{reader.read<std::uint32_t>("offset")} * 4;
            const auto size = reader.read<std::uint32_t>("size");
            const bool isRvz = header_.kind == Kind::rvz;
            group.size = isRvz ? size & ~kIsPacked : size;
            group.isPacked = isRvz && (size & kIsPacked) == 0 ? IsPacked::no : IsPacked::yes;
            group.paddedSize = isRvz ? reader.read<std::uint32_t>("padded_size") : 0;
            groups_.push_back(group);
        }
    }

    Header header_;
    std::vector<Area> areas_;
    std::vector<Group> groups_;
};

/// Wii discs are rejected with a message.
bool isWia(const ArchiveFile& file) {
    if (!beginsWith(*file.source, kRvzMagic) && !beginsWith(*file.source, kWiaMagic))
        return false;
    return file.source->size() < kSecondHeader + 4 ||
           BigEndianTable(*file.source, kSecondHeader).read<std::uint32_t>({}) != kWii;
}

}  // namespace
}  // namespace wia

extern const ArchiveFormat kWia = {
    .id = "rvz",
    .label = "GameCube disc image (RVZ or WIA)",
    .endings = {"rvz", "wia"},
    .holdsArchives = true,
    .claims = wia::isWia,
    .unpacked = [](const ArchiveFile& file, const core::Limits& limits) -> ArchiveFile {
        return {std::make_shared<wia::WiaSource>(file.source, wia::readHeader(*file.source), limits)};
    },
};

}  // namespace reanima::archives
