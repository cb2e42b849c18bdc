/// WBFS: the file system of a Wii's drives, as a file with one disc. Few GameCube discs are stored as WBFS.
///
/// Layout and evidence: docs/formats/packed_discs.md
#include "archives/archive.h"
#include "archives/chunks.h"

namespace reanima::archives {

namespace wbfs {
namespace {

constexpr std::uint64_t kDiscHeader = 0x100;
constexpr std::uint64_t kWiiDisc = 143432ULL * 2 * 0x8000;
constexpr std::string_view kGameCubeMark = "\xC2\x33\x9F\x3D";
constexpr std::uint64_t kMarkPlace = 0x1C;

struct Header {
    unsigned sectorBits;
    unsigned blockBits;
    bool hasDisc;
};

Header headerOf(const core::Source& file) {
    core::BigEndianTable table(file, 8);
    const auto sectorBits = table.read<std::uint8_t>("sector_bits");
    const auto blockBits = table.read<std::uint8_t>("block_bits");
    (void)table.read<std::uint16_t>("unknown_0a");
    return {sectorBits, blockBits, table.read<std::uint8_t>("discs") == 1};
}

/// Wii discs are rejected with a message.
bool isWbfs(const ArchiveFile& file) {
    if (!beginsWith(*file.source, "WBFS") || file.source->size() < kDiscHeader)
        return false;
    const Header header = headerOf(*file.source);
    return header.sectorBits >= 9 && header.sectorBits <= 12 && header.blockBits >= 15 && header.blockBits <= 26 &&
           header.hasDisc && beginsWith(*file.source, kGameCubeMark, (1ULL << header.sectorBits) + kMarkPlace);
}

ArchiveFile openWbfs(const ArchiveFile& file, const core::Limits&) {
    const Header header = headerOf(*file.source);
    const std::uint64_t block = 1ULL << header.blockBits;
    const std::uint64_t count = (kWiiDisc + block - 1) / block;
    const core::Place place{"blocks", (1ULL << header.sectorBits) + kDiscHeader};
    const core::ByteVector table = file.source->read(*place.offset, count * sizeof(std::uint16_t), place);
    std::vector<std::uint64_t> blocks;
    for (std::size_t i = 0; i < count; ++i)
        blocks.push_back((std::uint64_t{table[2 * i]} << 8U | table[2 * i + 1]) * block);
    return {std::make_shared<SparseSource>(file.source, count * block, block, std::move(blocks))};
}

}  // namespace
}  // namespace wbfs

extern const ArchiveFormat kWbfs = {
    .id = "wbfs",
    .label = "GameCube disc image (WBFS)",
    .endings = {"wbfs"},
    .holdsArchives = true,
    .claims = wbfs::isWbfs,
    .unpacked = wbfs::openWbfs,
};

}  // namespace reanima::archives
