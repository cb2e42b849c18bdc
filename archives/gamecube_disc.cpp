/// The files of a GameCube disc.
///
/// Layout and evidence: docs/formats/gamecube_disc.md
#include <algorithm>

#include <fmt/format.h>

#include "archives/archive.h"
#include "archives/chunks.h"
#include "core/byte_reader.h"

namespace reanima::archives {

extern const ArchiveFormat kGameCubeDisc;

namespace gamecube {
namespace {

using core::BigEndianReader;
using core::DecodeError;

constexpr std::string_view kMark = "\xC2\x33\x9F\x3D";
constexpr std::uint64_t kMarkPlace = 0x1C;
constexpr std::uint64_t kTablePlace = 0x424;
constexpr std::uint64_t kRow = 12;
constexpr std::uint32_t kLargestTable = 16U << 20U;
constexpr std::size_t kDeepest = 32;

class GameCubeDisc : public Archive {
  public:
    GameCubeDisc(std::shared_ptr<const Source> disc, const core::Limits& limits)
        : Archive(kGameCubeDisc, std::move(disc), limits) {
        const core::ByteVector bytes = source().read(kTablePlace, 8, {"file_table_offset", kTablePlace});
        BigEndianReader header(bytes);
        place_ = header.read<std::uint32_t>("file_table_offset");
        const auto size = header.read<std::uint32_t>("file_table_size");
        const core::Place place{"file_table_size", kTablePlace + 4};
        if (size < kRow || size > kLargestTable)
            throw DecodeError(place, fmt::format("is {}, expected {} to {}", size, kRow, kLargestTable));
        core::requireMemory(size, limits, place);
        table_ = source().read(place_, size, {"file_table", place_});
        readTable();
        table_ = {};
    }

  private:
    struct Row {
        bool isFolder;
        std::uint32_t name;
        std::uint32_t first;   ///< for a file, its offset on the disc
        std::uint32_t second;  ///< for a file, its size; for a folder, the row after its last file
    };
    struct Folder {
        std::string name;
        std::uint32_t end;
    };

    [[nodiscard]] core::Place placeOf(std::uint32_t row) const {
        return {fmt::format("files[{}]", row), place_ + row * kRow};
    }

    [[nodiscard]] Row rowAt(std::uint32_t index) const {
        constexpr std::uint32_t kName = 0x00FFFFFF;
        BigEndianReader reader(core::Bytes(table_).subspan(index * kRow, kRow));
        const auto name = reader.read<std::uint32_t>({});
        const auto first = reader.read<std::uint32_t>({});
        return {name > kName, name & kName, first, reader.read<std::uint32_t>({})};
    }

    /// The names follow the rows of the table.
    [[nodiscard]] std::string nameOf(const Row& row, std::uint32_t rows) const {
        constexpr std::size_t kLongest = 256;
        const core::Bytes names = core::Bytes(table_).subspan(rows * kRow);
        const core::Bytes rest = names.subspan(std::min<std::size_t>(row.name, names.size()));
        const core::Bytes most = rest.first(std::min(rest.size(), kLongest));
        return {most.begin(), std::ranges::find(most, std::uint8_t{0})};
    }

    void readTable() {
        const std::uint32_t rows = rowAt(0).second;
        if (rows < 1 || rows > table_.size() / kRow)
            throw DecodeError({"files[0]", place_}, fmt::format("has {} rows, but the file table has room for only {}",
                                                                rows, table_.size() / kRow));
        requireRoomFor(rows, {"files[0]", place_});
        std::vector<Folder> folders = {{"", rows}};
        for (std::uint32_t i = 1; i < rows; ++i) {
            while (folders.back().end <= i)
                folders.pop_back();
            const Row row = rowAt(i);
            if (!row.isFolder) {
                addFile(i, row, folders, nameOf(row, rows));
                continue;
            }
            if (folders.size() > kDeepest)
                throw DecodeError(placeOf(i), fmt::format("is nested in more than {} folders", kDeepest));
            if (row.second <= i || row.second > folders.back().end)
                throw DecodeError(placeOf(i), fmt::format("is a folder that ends before row {}, expected {} to {}",
                                                          row.second, i + 1, folders.back().end));
            folders.push_back({nameOf(row, rows), row.second});
        }
    }

    void addFile(std::uint32_t index, const Row& row, const std::vector<Folder>& folders, const std::string& name) {
        Entry entry;
        entry.id = index;
        entry.offset = row.first;
        entry.size = entry.storedSize = row.second;
        std::vector<std::string_view> parts;
        parts.reserve(folders.size() + 1);
        for (const Folder& folder : folders)
            parts.push_back(folder.name);
        parts.push_back(name);
        (void)add(std::move(entry), parts);
    }

    std::uint64_t place_ = 0;
    core::ByteVector table_;  ///< only needed while the table is read
};

}  // namespace
}  // namespace gamecube

extern const ArchiveFormat kGameCubeDisc = {
    .id = "gamecube-disc",
    .label = "GameCube disc",
    .endings = {"iso", "gcm"},
    .holdsArchives = true,
    .insteadOfWriting = "`extract` the entry, edit the extracted file, and put it back with a tool for disc images",
    .claims = [](const ArchiveFile& file) { return beginsWith(*file.source, gamecube::kMark, gamecube::kMarkPlace); },
    .open = [](const ArchiveFile& file, const core::Limits& limits) -> std::unique_ptr<Archive> {
        return std::make_unique<gamecube::GameCubeDisc>(file.source, limits);
    },
};

}  // namespace reanima::archives
