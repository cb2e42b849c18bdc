/// GCZ, the older packing of Dolphin.
///
/// Layout and evidence: docs/formats/packed_discs.md
#include <bit>

#include <fmt/format.h>
#include <zlib.h>

#include "archives/archive.h"
#include "archives/chunks.h"
#include "archives/unpack.h"

namespace reanima::archives {

namespace gcz {
namespace {

using core::DecodeError;
using core::LittleEndianTable;
using core::Place;

constexpr std::string_view kMagic = "\x01\xC0\x0B\xB1";
constexpr std::uint64_t kIsStored = 1ULL << 63U;
constexpr std::uint64_t kRow = 12;  // bytes per block in the two lists: an offset and a checksum

class GczSource : public ChunkedSource {
  public:
    GczSource(std::shared_ptr<const core::Source> packed, std::uint64_t size, LittleEndianTable& table,
              std::uint64_t packedSize, const core::Limits& limits)
        : ChunkedSource(std::move(packed), size), packedSize_(packedSize) {
        blockSize_ = table.read<std::uint32_t>("block_size");
        if (!std::has_single_bit(blockSize_) || blockSize_ < 0x200 || blockSize_ > kLargestChunk)
            throw DecodeError(table.place("block_size", 4),
                              fmt::format("is {}, expected a power of two up to {}", blockSize_, kLargestChunk));
        constexpr std::uint64_t kForms = 3;  // blocks in memory: a packed, an unpacked and a kept one
        core::requireMemory(kForms * blockSize_, limits, table.place("block_size", 4));
        const auto count = table.read<std::uint32_t>("block_count");
        const Place place = table.place("block_count", 4);
        if (count > table.remaining() / kRow)
            throw DecodeError(place,
                              fmt::format("is {}, but the file has room for only {}", count, table.remaining() / kRow));
        if (std::uint64_t{count} * blockSize_ < size)
            throw DecodeError(place, fmt::format("is {}, which is too few for a disc of {} bytes", count, size));
        core::requireMemory(count * kRow, limits, place);
        for (std::uint32_t i = 0; i < count; ++i)
            places_.push_back(table.read<std::uint64_t>("blocks.offset"));
        for (std::uint32_t i = 0; i < count; ++i)
            sums_.push_back(table.read<std::uint32_t>("blocks.sum"));
        data_ = table.offset();
    }

  protected:
    [[nodiscard]] Chunk chunkAt(std::uint64_t offset) const override {
        const std::uint64_t number = offset / blockSize_;
        return {Chunk::Kind::packed, number * blockSize_, blockSize_, number};
    }

    void unpackChunk(const Chunk& chunk, std::span<std::uint8_t> into) const override {
        const auto number = static_cast<std::size_t>(chunk.place);
        const std::uint64_t start = places_[number] & ~kIsStored;
        const std::uint64_t end = number + 1 < places_.size() ? places_[number + 1] & ~kIsStored : packedSize_;
        const Place place{fmt::format("blocks[{}]", number), data_ + start};
        if (start >= end || end - start > blockSize_)
            throw DecodeError(place, fmt::format("begins at {:#x} and ends at {:#x} of the packed data, expected 1 to "
                                                 "{} bytes",
                                                 start, end, blockSize_));
        const core::ByteVector stored = file().read(data_ + start, end - start, place);
        if (const auto sum = static_cast<std::uint32_t>(
                adler32(adler32(0, nullptr, 0), stored.data(), static_cast<uInt>(stored.size())));
            sum != sums_[number])
            throw DecodeError(place, fmt::format("has the checksum {:#x}, expected {:#x}", sum, sums_[number]));
        if ((places_[number] & kIsStored) == 0)
            unpack(Packing::zlib, stored, into, place);
        else if (stored.size() == into.size())
            std::ranges::copy(stored, into.begin());
        else
            throw DecodeError(place, fmt::format("has {} stored bytes, expected {}", stored.size(), into.size()));
    }

  private:
    std::uint64_t packedSize_;
    std::uint32_t blockSize_ = 0;
    std::uint64_t data_ = 0;  ///< offset of the blocks
    std::vector<std::uint64_t> places_;
    std::vector<std::uint32_t> sums_;
};

ArchiveFile openGcz(const ArchiveFile& file, const core::Limits& limits) {
    LittleEndianTable table(*file.source);
    (void)table.bytes(8, "magic");
    const auto packedSize = table.read<std::uint64_t>("packed_size");
    const auto size = table.read<std::uint64_t>("disc_size");
    if (size > kLargestDisc)
        throw DecodeError(table.place("disc_size", 8), fmt::format("is {}, expected at most {}", size, kLargestDisc));
    return {std::make_shared<GczSource>(file.source, size, table, packedSize, limits)};
}

}  // namespace
}  // namespace gcz

extern const ArchiveFormat kGcz = {
    .id = "gcz",
    .label = "GameCube disc image (GCZ)",
    .endings = {"gcz"},
    .holdsArchives = true,
    .claims = [](const ArchiveFile& file) { return beginsWith(*file.source, gcz::kMagic); },
    .unpacked = gcz::openGcz,
};

}  // namespace reanima::archives
