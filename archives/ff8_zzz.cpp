/// The outer archive of Final Fantasy VIII's release of 2019.
///
/// Layout and evidence: docs/formats/ff8_fs.md
#include <algorithm>

#include <fmt/format.h>

#include "archives/archive.h"
#include "core/source.h"
#include "core/text.h"

namespace reanima::archives {

extern const ArchiveFormat kFf8Zzz;

namespace ff8_zzz {
namespace {

using core::DecodeError;

constexpr std::uint64_t kLeastRow = 16;
constexpr std::uint32_t kLongestName = 4096;

class Ff8Zzz : public Archive {
  public:
    Ff8Zzz(std::shared_ptr<const Source> file, const core::Limits& limits) : Archive(kFf8Zzz, std::move(file), limits) {
        core::LittleEndianTable table(source());
        const auto count = table.read<std::uint32_t>("entry_count");
        const core::Place place = table.place("entry_count", 4);
        const std::uint64_t most = table.remaining() / kLeastRow;
        if (count > most)
            throw DecodeError(place, fmt::format("is {}, but the file has room for only {}", count, most));
        requireRoomFor(count, place);
        for (std::uint32_t i = 0; i < count; ++i)
            readRow(table, i);
    }

  private:
    void readRow(core::LittleEndianTable& table, std::uint32_t index) {
        table.name(fmt::format("entries[{}]", index));
        const auto length = table.read<std::uint32_t>("name_length");
        if (length > kLongestName)
            throw DecodeError(table.place("name_length", 4),
                              fmt::format("is {}, expected at most {}", length, kLongestName));
        const core::Bytes bytes = table.bytes(length, "name");
        const std::string name(bytes.begin(), bytes.end());
        Entry entry;
        entry.id = index;
        entry.offset = table.read<std::uint64_t>("offset");
        entry.size = entry.storedSize = table.read<std::uint32_t>("size");
        (void)add(std::move(entry), partsOf(name));
    }
};

/// Recognises the format by its name and a plausible first row, since it has no magic number.
bool isZzz(const ArchiveFile& file) {
    constexpr std::uint64_t kHead = 8;
    if (core::extensionOf(core::fileNameOf(file.name)) != "zzz" || file.source->size() < kHead + kLeastRow)
        return false;
    core::LittleEndianTable table(*file.source);
    const auto count = table.read<std::uint32_t>({});
    const auto length = table.read<std::uint32_t>({});
    if (count == 0 || length == 0 || length > kLongestName || length > table.remaining())
        return false;
    return std::ranges::all_of(table.bytes(length, {}), [](std::uint8_t c) { return c >= ' '; });
}

}  // namespace
}  // namespace ff8_zzz

extern const ArchiveFormat kFf8Zzz = {
    .id = "ff8-zzz",
    .label = "Final Fantasy VIII (PC, 2019) archive (ZZZ)",
    .endings = {"zzz"},
    .holdsArchives = true,
    .insteadOfWriting = "`extract` the entry, edit the extracted file, and pack it with a tool for these archives",
    .claims = ff8_zzz::isZzz,
    .open = [](const ArchiveFile& file, const core::Limits& limits) -> std::unique_ptr<Archive> {
        return std::make_unique<ff8_zzz::Ff8Zzz>(file.source, limits);
    },
};

}  // namespace reanima::archives
