/// CHD of a CD (version 5).
///
/// Layout and evidence: docs/formats/packed_discs.md
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "archives/archive.h"
#include "archives/chunks.h"
#include "archives/unpack.h"
#include "core/byte_reader.h"
#include "core/text.h"

namespace reanima::archives {

namespace chd {
namespace {

using core::BigEndianTable;
using core::DecodeError;
using core::Place;

constexpr std::string_view kMagic = "MComprHD";
constexpr std::uint32_t kVersion = 5;
constexpr std::uint32_t kSector = 2352;
constexpr std::uint32_t kUnit = 2448;  // a sector and its subchannels
constexpr std::uint32_t kLargestHunk = 1U << 20U;
constexpr std::size_t kCodecs = 4;
constexpr std::size_t kHash = 20;

/// The type of a hunk, by its number in the map.
enum HunkKind : std::uint8_t {
    kStored = 4,
    kSelf,
    kParent,
    kFew,
    kMany,
    kSameSelf,
    kNextSelf,
    kFirstOfParent,
    kLast = 13
};

struct Hunk {
    std::uint8_t kind = kStored;
    std::uint32_t size = 0;
    std::uint64_t place = 0;  ///< offset in the file; for kSelf, the number of the equal hunk
};

struct Codec {
    std::string_view name;
    Packing packing;
};

constexpr std::array<Codec, 4> kKnownCodecs = {{
    {"cdzl", Packing::deflate},
    {"cdlz", Packing::lzma},
    {"cdfl", Packing::flac},
    {"cdzs", Packing::zstd},
}};

// ---------------------------------------------------------------------------------------------------------------------
// The packed map

/// Reads bits, the highest first.
class Bits {
  public:
    Bits(core::Bytes bytes, Place place) : bytes_(bytes), place_(std::move(place)) {}

    std::uint64_t read(unsigned count) {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < count; ++i, ++position_) {
            if (position_ / 8 >= bytes_.size())
                throw DecodeError(place_, fmt::format("ends after {} bytes, before its last row", bytes_.size()));
            value = value << 1U | (bytes_[position_ / 8] >> (7 - position_ % 8) & 1U);
        }
        return value;
    }

  private:
    core::Bytes bytes_;
    Place place_;
    std::size_t position_ = 0;
};

/// A Huffman code of 16 symbols. The longest codes are assigned first.
class Code {
  public:
    explicit Code(Bits& bits, const Place& place) {
        constexpr unsigned kLengthBits = 4;
        constexpr std::uint64_t kEscape = 1;
        for (std::size_t symbol = 0; symbol < kSymbols;) {
            std::uint64_t length = bits.read(kLengthBits);
            std::uint64_t times = 1;
            if (length == kEscape) {
                length = bits.read(kLengthBits);
                times = length == kEscape ? 1 : bits.read(kLengthBits) + 3;
            }
            for (; times > 0 && symbol < kSymbols; --times)
                lengths_[symbol++] = static_cast<unsigned>(length);
        }
        giveOut(place);
    }

    [[nodiscard]] std::uint8_t read(Bits& bits, const Place& place) const {
        std::uint64_t code = 0;
        for (unsigned length = 1; length < kSymbols; ++length) {
            code = code << 1U | bits.read(1);
            for (std::size_t symbol = 0; symbol < kSymbols; ++symbol)
                if (lengths_[symbol] == length && codes_[symbol] == code)
                    return static_cast<std::uint8_t>(symbol);
        }
        throw DecodeError(place, "has an unused code");
    }

  private:
    static constexpr std::size_t kSymbols = 16;

    void giveOut(const Place& place) {
        std::uint64_t next = 0;
        for (unsigned length = kSymbols - 1; length > 0; --length) {
            for (std::size_t symbol = 0; symbol < kSymbols; ++symbol)
                if (lengths_[symbol] == length)
                    codes_[symbol] = next++;
            if (length > 1 && next % 2 != 0)
                throw DecodeError(place, "has an incomplete Huffman code");
            next /= 2;
        }
    }

    std::array<unsigned, kSymbols> lengths_{};
    std::array<std::uint64_t, kSymbols> codes_{};
};

std::uint16_t withByte(std::uint16_t sum, std::uint8_t byte) {
    constexpr unsigned kPolynomial = 0x1021;
    unsigned value = sum ^ static_cast<unsigned>(byte) << 8U;
    for (int bit = 0; bit < 8; ++bit)
        value = (value & 0x8000U) != 0 ? value << 1U ^ kPolynomial : value << 1U;
    return static_cast<std::uint16_t>(value);
}

/// The checksum of the map, over its unpacked rows.
class MapSum {
  public:
    void add(const Hunk& hunk, std::uint16_t sum) {
        put(hunk.kind, 1);
        put(hunk.size, 3);
        put(hunk.place, 6);
        put(sum, 2);
    }
    [[nodiscard]] std::uint16_t value() const { return value_; }

  private:
    void put(std::uint64_t number, unsigned bytes) {
        while (bytes-- > 0)
            value_ = withByte(value_, static_cast<std::uint8_t>(number >> 8 * bytes));
    }

    std::uint16_t value_ = 0xFFFF;
};

struct MapHeader {
    std::uint64_t firstPlace;
    std::uint16_t sum;
    unsigned sizeBits;
    unsigned selfBits;
};

class PackedMap {
  public:
    PackedMap(core::Bytes bytes, const MapHeader& header, std::uint32_t hunkSize, Place place)
        : bits_(bytes, place), header_(header), hunkSize_(hunkSize), place_(std::move(place)) {}

    std::vector<Hunk> read(std::uint64_t count) {
        std::vector<Hunk> hunks(static_cast<std::size_t>(count));
        readKinds(hunks);
        std::uint64_t next = header_.firstPlace;
        MapSum sum;
        for (Hunk& hunk : hunks) {
            std::uint16_t own = 0;
            if (hunk.kind <= kStored) {
                hunk.size = hunk.kind == kStored ? hunkSize_ : static_cast<std::uint32_t>(bits_.read(header_.sizeBits));
                hunk.place = next;
                next += hunk.size;
                own = static_cast<std::uint16_t>(bits_.read(16));
            } else {
                readReference(hunk);
            }
            sum.add(hunk, own);
        }
        if (sum.value() != header_.sum)
            throw DecodeError(place_, fmt::format("has the checksum {:#x}, expected {:#x}", sum.value(), header_.sum));
        return hunks;
    }

  private:
    void readKinds(std::vector<Hunk>& hunks) {
        const Code code(bits_, place_);
        std::uint8_t last = 0;
        std::uint64_t times = 0;
        for (Hunk& hunk : hunks) {
            if (times > 0) {
                --times;
            } else if (const std::uint8_t symbol = code.read(bits_, place_); symbol == kFew) {
                times = 2U + code.read(bits_, place_);
            } else if (symbol == kMany) {
                times = 18U + 16U * code.read(bits_, place_);
                times += code.read(bits_, place_);
            } else {
                last = symbol;
            }
            hunk.kind = last;
        }
    }

    void readReference(Hunk& hunk) {
        if (hunk.kind == kSelf)
            self_ = bits_.read(header_.selfBits);
        else if (hunk.kind == kNextSelf)
            ++self_;
        else if (hunk.kind != kSameSelf)
            throw DecodeError(place_, fmt::format("has a hunk of kind {}, which needs a parent CHD", hunk.kind));
        hunk.kind = kSelf;
        hunk.place = self_;
    }

    Bits bits_;
    MapHeader header_;
    std::uint32_t hunkSize_;
    Place place_;
    std::uint64_t self_ = 0;
};

// ---------------------------------------------------------------------------------------------------------------------
// The disc

struct Header {
    std::array<std::string, kCodecs> codecs;
    std::uint64_t size = 0;
    std::uint64_t map = 0;
    std::uint32_t hunkSize = 0;

    [[nodiscard]] bool isPacked() const { return codecs.front() != std::string(4, '\0'); }
    [[nodiscard]] std::uint64_t hunks() const { return (size + hunkSize - 1) / hunkSize; }
};

void checkHeader(const Header& header, std::uint32_t unit) {
    if (header.size > kLargestDisc)
        throw DecodeError({"size", 0x20}, fmt::format("is {}, expected at most {}", header.size, kLargestDisc));
    if (unit != kUnit)
        throw DecodeError(
            {"unit_size", 0x3C},
            fmt::format("is {}, expected {} as on a CD. Convert other discs to .iso with chdman", unit, kUnit));
    if (header.hunkSize == 0 || header.hunkSize % kUnit != 0 || header.hunkSize > kLargestHunk)
        throw DecodeError({"hunk_size", 0x38}, fmt::format("is {}, expected a multiple of {} up to {}", header.hunkSize,
                                                           kUnit, kLargestHunk));
}

Header readHeader(const core::Source& file) {
    BigEndianTable table(file, 8);
    (void)table.read<std::uint32_t>("header_size");
    const auto version = table.read<std::uint32_t>("version");
    if (version != kVersion)
        throw DecodeError(table.place("version", 4),
                          fmt::format("is {}, expected {}. Convert older CHDs with `chdman copy`", version, kVersion));
    Header header;
    for (std::string& codec : header.codecs) {
        const core::Bytes name = table.bytes(4, "codecs");
        codec.assign(name.begin(), name.end());
    }
    header.size = table.read<std::uint64_t>("size");
    header.map = table.read<std::uint64_t>("map_offset");
    (void)table.read<std::uint64_t>("metadata_offset");
    header.hunkSize = table.read<std::uint32_t>("hunk_size");
    const auto unit = table.read<std::uint32_t>("unit_size");
    (void)table.bytes(2 * kHash, "hashes");
    if (std::ranges::any_of(table.bytes(kHash, "parent"), [](std::uint8_t byte) { return byte != 0; }))
        throw DecodeError(
            table.place("parent", kHash),
            "needs a parent CHD, which is not supported. Make a CHD without a parent with `chdman copy -ip PARENT`");
    checkHeader(header, unit);
    return header;
}

class ChdSource : public ChunkedSource {
  public:
    ChdSource(std::shared_ptr<const core::Source> packed, Header header, const core::Limits& limits)
        : ChunkedSource(std::move(packed), header.size), header_(std::move(header)) {
        const Place place{"map", header_.map};
        core::requireMemory(header_.hunks() * sizeof(Hunk), limits, place);
        if (header_.isPacked())
            readPackedMap(place, limits);
        else
            readPlainMap();
    }

  protected:
    [[nodiscard]] Chunk chunkAt(std::uint64_t offset) const override {
        const std::uint64_t number = offset / header_.hunkSize;
        const std::uint64_t start = number * header_.hunkSize;
        const std::uint64_t size = std::min<std::uint64_t>(header_.hunkSize, header_.size - start);
        const Hunk& hunk = hunkNamed(number);
        if (hunk.kind == kStored && hunk.place == 0)
            return {Chunk::Kind::zeros, start, size, 0};
        if (hunk.kind == kStored)
            return {Chunk::Kind::stored, start, size, hunk.place};
        return {Chunk::Kind::packed, start, size, number};
    }

    void unpackChunk(const Chunk& chunk, std::span<std::uint8_t> into) const override {
        const Hunk& hunk = hunkNamed(chunk.place);
        const Place place{fmt::format("hunks[{}]", chunk.place), hunk.place};
        const std::string& name = header_.codecs[hunk.kind];
        const auto codec = std::ranges::find(kKnownCodecs, std::string_view(name), &Codec::name);
        if (codec == kKnownCodecs.end())
            throw DecodeError(
                place, fmt::format("is packed with '{}', expected cdzl, cdlz, cdfl or cdzs", core::printable(name)));
        if (hunk.size > 2 * header_.hunkSize)
            throw DecodeError(place, fmt::format("has {} packed bytes, expected at most twice the hunk's {} bytes",
                                                 hunk.size, header_.hunkSize));
        const core::ByteVector stored = file().read(hunk.place, hunk.size, place);
        const std::size_t frames = header_.hunkSize / kUnit;
        core::ByteVector sectors(frames * kSector);
        if (codec->packing == Packing::flac)
            unpack(Packing::flac, stored, sectors, place);
        else
            unpack(codec->packing, sectorStreamOf(stored, frames, place), sectors, place, kProperties);
        for (std::size_t i = 0; i * kUnit < into.size(); ++i)  // the disc may end within a sector
            std::copy_n(sectors.begin() + static_cast<std::ptrdiff_t>(i * kSector),
                        std::min<std::size_t>(kSector, into.size() - i * kUnit),
                        into.begin() + static_cast<std::ptrdiff_t>(i * kUnit));
    }

  private:
    /// LZMA properties: lc 3, lp 0, pb 2, and a dictionary of any size.
    static constexpr std::array<std::uint8_t, 5> kProperties = {93, 0, 0, 0, 4};

    /// The packed sectors. Flags (not needed here) and a size come before them.
    [[nodiscard]] core::Bytes sectorStreamOf(core::Bytes stored, std::size_t frames, const Place& place) const {
        constexpr std::uint32_t kShort = 65536;
        core::BigEndianReader reader(stored, place.field, *place.offset);
        (void)reader.bytes((frames + 7) / 8, "flags");
        std::uint64_t size = reader.read<std::uint16_t>("size");
        if (header_.hunkSize >= kShort)
            size = size << 8U | reader.read<std::uint8_t>("size");
        return reader.bytes(size, "sectors");
    }

    /// The hunk with this number, or the earlier hunk that it equals.
    [[nodiscard]] const Hunk& hunkNamed(std::uint64_t number) const {
        const Hunk& hunk = hunks_[static_cast<std::size_t>(number)];
        if (hunk.kind != kSelf)
            return hunk;
        const Place place{fmt::format("hunks[{}]", number), std::nullopt};
        if (hunk.place >= number || hunks_[static_cast<std::size_t>(hunk.place)].kind == kSelf)
            throw DecodeError(
                place,
                fmt::format("is a copy of hunk {}, expected a copy of an earlier hunk with its own data", hunk.place));
        return hunks_[static_cast<std::size_t>(hunk.place)];
    }

    void readPackedMap(const Place& place, const core::Limits& limits) {
        BigEndianTable table(file(), header_.map, "map");
        const auto size = table.read<std::uint32_t>("size");
        MapHeader map{};
        map.firstPlace = table.read<std::uint16_t>("first_offset");
        map.firstPlace = map.firstPlace << 32U | table.read<std::uint32_t>("first_offset");
        map.sum = table.read<std::uint16_t>("sum");
        map.sizeBits = table.read<std::uint8_t>("size_bits");
        map.selfBits = table.read<std::uint8_t>("self_bits");
        (void)table.read<std::uint16_t>("parent_bits");
        constexpr unsigned kMostBits = 32;
        if (map.sizeBits > kMostBits || map.selfBits > kMostBits)
            throw DecodeError(place, fmt::format("has numbers with {} and {} bits, expected at most {}", map.sizeBits,
                                                 map.selfBits, kMostBits));
        core::requireMemory(header_.hunks() * sizeof(Hunk) + size, limits, place);
        const core::ByteVector bytes = file().read(table.offset(), size, place);
        hunks_ = PackedMap(bytes, map, header_.hunkSize, place).read(header_.hunks());
    }

    /// Reads a map that lists where each hunk is in the file, in units of hunks. 0 means a hunk of zeros.
    void readPlainMap() {
        BigEndianTable table(file(), header_.map, "map");
        if (header_.hunks() > table.remaining() / 4)
            throw DecodeError(table.place({}), fmt::format("needs {} rows, but the file has room for only {}",
                                                           header_.hunks(), table.remaining() / 4));
        for (std::uint64_t i = 0; i < header_.hunks(); ++i)
            hunks_.push_back(
                {kStored, header_.hunkSize, std::uint64_t{table.read<std::uint32_t>("hunk")} * header_.hunkSize});
    }

    Header header_;
    std::vector<Hunk> hunks_;
};

}  // namespace
}  // namespace chd

extern const ArchiveFormat kChd = {
    .id = "chd",
    .label = "CD image (CHD)",
    .endings = {"chd"},
    .holdsArchives = true,
    .claims = [](const ArchiveFile& file) { return beginsWith(*file.source, chd::kMagic); },
    .unpacked = [](const ArchiveFile& file, const core::Limits& limits) -> ArchiveFile {
        return {std::make_shared<chd::ChdSource>(file.source, chd::readHeader(*file.source), limits)};
    },
};

}  // namespace reanima::archives
