/// CISO of the GameCube: a disc without its empty blocks.
///
/// Layout and evidence: docs/formats/packed_discs.md
#include <algorithm>
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

/// Images of the PSP begin with the same letters, but have a different number after them.
bool isCiso(const ArchiveFile& file) {
    if (!beginsWith(*file.source, "CISO") || file.source->size() < kHeader)
        return false;
    const std::uint32_t size = blockSizeOf(*file.source);
    return std::has_single_bit(size) && size >= kHeader && size <= kLargestBlock;
}

/// Stored blocks are consecutive. The last block may be cut off where the disc ends.
ArchiveFile openCiso(const ArchiveFile& file, const core::Limits&) {
    const std::uint64_t size = blockSizeOf(*file.source);
    const core::ByteVector map = file.source->read(kMap, kHeader - kMap, {"block_map", kMap});
    const auto isStored = [](std::uint8_t block) { return block == 1; };
    const auto end = std::find_if(map.rbegin(), map.rend(), isStored).base();
    std::vector<std::uint64_t> blocks;
    std::uint64_t next = kHeader;
    for (auto block = map.begin(); block != end; ++block)
        blocks.push_back(isStored(*block) ? std::exchange(next, next + size) : 0);
    const std::uint64_t missing = next - std::min(next, file.source->size());
    const std::uint64_t discSize = missing > 0 && missing < size ? blocks.size() * size - missing : map.size() * size;
    return {std::make_shared<SparseSource>(file.source, discSize, size, std::move(blocks))};
}

}  // namespace
}  // namespace ciso

extern const ArchiveFormat kCiso = {
    .id = "ciso",
    .label = "GameCube disc image (CISO)",
    .endings = {"ciso"},
    .holdsArchives = true,
    .claims = ciso::isCiso,
    .unpacked = ciso::openCiso,
};

}  // namespace reanima::archives
