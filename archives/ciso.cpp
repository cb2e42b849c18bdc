/// CISO of the GameCube: a disc without its empty blocks.
///
/// Layout and evidence: docs/formats/packed_discs.md
#include <bit>
#include <utility>

#include "archives/archive.h"
#include "archives/chunks.h"

namespace reanima::archives {

namespace ciso {
namespace {

constexpr std::uint64_t kHeader = 0x8000;
constexpr std::uint64_t kMap = 8;
constexpr std::uint32_t kLargestBlock = 0x8000000;

std::uint32_t blockSizeOf(const core::Source& file) {
    return core::LittleEndianTable(file, 4).read<std::uint32_t>("block_size");
}

/// Images of the PSP begin with the same letters, but have another number here.
bool isCiso(const ArchiveFile& file) {
    if (!beginsWith(*file.source, "CISO") || file.source->size() < kHeader)
        return false;
    const std::uint32_t size = blockSizeOf(*file.source);
    return std::has_single_bit(size) && size >= kHeader && size <= kLargestBlock;
}

/// Stored blocks are consecutive.
ArchiveFile openCiso(const ArchiveFile& file, const core::Limits&) {
    const std::uint32_t size = blockSizeOf(*file.source);
    const core::ByteVector map = file.source->read(kMap, kHeader - kMap, {"block_map", kMap});
    std::vector<std::uint64_t> blocks(map.size());
    std::uint64_t next = kHeader;
    for (std::size_t i = 0; i < map.size(); ++i)
        if (map[i] == 1)
            blocks[i] = std::exchange(next, next + size);
    return {std::make_shared<SparseSource>(file.source, size, std::move(blocks))};
}

}  // namespace
}  // namespace ciso

extern const ArchiveFormat kCiso = {
    .id = "ciso",
    .label = "GameCube disc image (CISO)",
    .holdsArchives = true,
    .claims = ciso::isCiso,
    .unpacked = ciso::openCiso,
};

}  // namespace reanima::archives
