#include "archives/zfs.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_set>

#include <fmt/format.h>

#include "core/source.h"

namespace reanima::archives {

namespace {

using core::Code;
using core::DecodeError;

constexpr std::size_t kZfsNameSize = 16;
constexpr std::size_t kZfsRowSize = 36;
constexpr std::size_t kLinkSize = 4;

class Zfs : public Archive {
  public:
    Zfs(std::shared_ptr<const Source> zfs, const core::Limits& limits) : Archive(kZfs, std::move(zfs), limits) {
        core::LittleEndianTable table(source());
        (void)table.bytes(4, "magic");
        expect(table, "version", 1);
        expect(table, "name_length", kZfsNameSize);
        filesPerBlock_ = table.read<std::uint32_t>("files_per_block");
        const core::Place perBlock = table.place("files_per_block", 4);
        const auto files = table.read<std::uint32_t>("file_count");
        const core::Place count = table.place("file_count", 4);
        std::memcpy(key_.data(), table.bytes(key_.size(), "key").data(), key_.size());
        const auto first = table.read<std::uint32_t>("first_block");
        const std::uint64_t most = table.remaining() / kZfsRowSize;
        if (filesPerBlock_ > most)
            throw DecodeError(perBlock, fmt::format("is {}, but the file has room for only {}", filesPerBlock_, most));
        readBlocks(first);
        if (entries().size() != files)
            warnings().warn(Code::countMismatch, count,
                            fmt::format("is {}, but the blocks have {} files", files, entries().size()));
    }

  protected:
    [[nodiscard]] core::ByteVector decode(const Entry&, core::ByteVector stored) const override {
        for (std::size_t i = 0; i < stored.size(); ++i)
            stored[i] = static_cast<std::uint8_t>(stored[i] ^ key_[i % key_.size()]);
        return stored;
    }

  private:
    static void expect(core::LittleEndianTable& table, std::string_view field, std::uint32_t expected) {
        const auto found = table.read<std::uint32_t>(field);
        if (found != expected)
            throw DecodeError(table.place(field, 4), fmt::format("is {}, expected {}", found, expected));
    }

    /// Reads blocks, a linked list. If one is invalid, the entries read so far are kept.
    void readBlocks(std::uint32_t first) {
        std::unordered_set<std::uint32_t> seen;
        std::uint64_t rowsLeft = source().size() / kZfsRowSize;  // overlapping blocks would allow any number of rows
        std::uint32_t block = first;
        while (block != 0) {
            const core::Place place{fmt::format("blocks[{}]", seen.size()), block};
            const std::uint64_t size = kLinkSize + std::uint64_t{filesPerBlock_} * kZfsRowSize;
            if (!seen.insert(block).second) {
                warnings().warn(Code::damaged, place, "was already read: the chain of blocks is a ring");
                return;
            }
            if (block > source().size() || size > source().size() - block || filesPerBlock_ > rowsLeft) {
                warnings().warn(Code::damaged, place,
                                fmt::format("needs {} bytes, but the file has only {} in all", size, source().size()));
                return;
            }
            rowsLeft -= filesPerBlock_;
            requireRoomFor(filesPerBlock_, place);
            core::LittleEndianTable table(source(), block, place.field);
            block = table.read<std::uint32_t>("next_block");
            for (std::uint32_t i = 0; i < filesPerBlock_; ++i)
                readRow(table);
        }
    }

    void readRow(core::LittleEndianTable& table) {
        const core::Bytes field = table.bytes(kZfsNameSize, "files.name");
        const std::string name(field.begin(), std::find(field.begin(), field.end(), std::uint8_t{0}));
        Entry entry;
        entry.offset = table.read<std::uint32_t>("files.offset");
        entry.id = table.read<std::uint32_t>("files.id");
        entry.packed = key_ != Key{};
        entry.size = entry.storedSize = table.read<std::uint32_t>("files.size");
        (void)table.read<std::uint32_t>("files.time");
        const std::uint32_t packing = table.read<std::uint32_t>("files.packing") & 0xFFU;
        if (name.empty())
            return;
        const std::array<std::string_view, 1> parts = {name};
        Entry& added = add(std::move(entry), parts);
        if (packing != 0 && !added.damaged)
            damage(added,
                   fmt::format(
                       "is packed with method {}, which is not supported (only another game of this engine uses it)",
                       packing));
    }

    std::uint32_t filesPerBlock_ = 0;
    using Key = std::array<std::uint8_t, 4>;
    Key key_{};
};

bool isZfs(const ArchiveFile& file) {
    const Source& source = *file.source;
    constexpr std::array<std::uint8_t, 4> kMagic = {'Z', 'F', 'S', 'F'};
    return source.size() >= kMagic.size() && std::ranges::equal(source.read(0, kMagic.size(), {}), kMagic);
}

}  // namespace

const ArchiveFormat kZfs = {
    .id = "zfs",
    .label = "ZVision archive (ZFS)",
    .endings = {"zfs"},
    .insteadOfWriting = "`extract` the entry and edit the extracted file",
    .claims = isZfs,
    .open = [](const ArchiveFile& file, const core::Limits& limits) -> std::unique_ptr<Archive> {
        return std::make_unique<Zfs>(file.source, limits);
    },
};

}  // namespace reanima::archives
