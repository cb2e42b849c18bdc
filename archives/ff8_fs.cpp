/// Final Fantasy VIII's archives of three files: the data (.fs), its table (.fi) and its names (.fl).
///
/// Layout and evidence: docs/formats/ff8_fs.md
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "archives/archive.h"
#include "archives/unpack.h"
#include "core/source.h"
#include "core/text.h"
#include "formats/lzs.h"

namespace reanima::archives {

extern const ArchiveFormat kFf8Fs;

namespace ff8_fs {
namespace {

using core::DecodeError;

constexpr std::uint64_t kRow = 12;
constexpr std::uint64_t kSizeField = 4;  // bytes of the size before packed data
constexpr std::uint64_t kLz4Header = 8;
constexpr std::uint64_t kLz4Ratio = 255;
enum Method : std::uint32_t { kStored, kLzs, kLz4 };

std::string besideWith(const ArchiveFile& file, std::string_view extension) {
    return fmt::format("{}.{}", core::stemOf(core::fileNameOf(file.name)), extension);
}

std::shared_ptr<const Source> companionOf(const ArchiveFile& file, std::string_view extension, std::string_view what) {
    const std::string name = besideWith(file, extension);
    if (auto source = file.beside.open(name))
        return source;
    throw DecodeError(fmt::format("needs its {1} {0} beside it", name, what));
}

/// The paths in a list, one per line. Line ends differ between releases.
std::vector<std::string> linesOf(const Source& list, const core::Limits& limits) {
    core::requireMemory(2 * list.size(), limits, {});
    const core::ByteVector bytes = list.read(0, list.size(), {});
    const auto ends = static_cast<std::uint64_t>(std::ranges::count(bytes, std::uint8_t{'\n'}));
    core::requireMemory(2 * list.size() + (ends + 1) * sizeof(std::string), limits, {});
    std::vector<std::string> lines;
    for (auto begin = bytes.begin(); begin != bytes.end();) {
        const auto end = std::find(begin, bytes.end(), std::uint8_t{'\n'});
        std::string line(begin, end);
        while (line.ends_with('\r') || line.ends_with('\0'))
            line.pop_back();
        if (!line.empty())
            lines.push_back(std::move(line));
        begin = end == bytes.end() ? end : end + 1;
    }
    return lines;
}

class Ff8Fs : public Archive {
  public:
    Ff8Fs(const ArchiveFile& file, const core::Limits& limits) : Archive(kFf8Fs, file.source, limits) {
        const std::shared_ptr<const Source> table = companionOf(file, "fi", "table");
        const std::shared_ptr<const Source> list = companionOf(file, "fl", "list of names");
        const std::uint64_t count = table->size() / kRow;
        requireRoomFor(count, {}, *table);
        const std::vector<std::string> names = linesOf(*list, limits);
        if (table->size() % kRow != 0 || names.size() != count)
            throw DecodeError(fmt::format("has {} names in {}, but {} bytes in {}; expected {} bytes for each name",
                                          names.size(), besideWith(file, "fl"), table->size(), besideWith(file, "fi"),
                                          kRow));
        readRows(*table, names);
    }

  protected:
    /// An entry by the last part of its name, if this part is unique.
    [[nodiscard]] const Entry* findOtherwise(const std::string& name) const override {
        const auto found = byFileName_.find(name);
        return found == byFileName_.end() || !found->second ? nullptr : &entries()[*found->second];
    }

    [[nodiscard]] core::ByteVector decode(const Entry& entry, core::ByteVector stored) const override {
        if (!entry.packed)
            return stored;
        const core::Bytes data = core::Bytes(stored).subspan(kSizeField);
        if (entry.type == kLzs) {
            core::ByteVector bytes = unpackLzs(data, entry.size);
            if (bytes.size() != entry.size)
                throw DecodeError({entry.name, entry.offset},
                                  fmt::format("unpacks to {} bytes, expected {}", bytes.size(), entry.size));
            return bytes;
        }
        core::ByteVector bytes(static_cast<std::size_t>(entry.size));
        unpack(Packing::lz4, data.subspan(kLz4Header), bytes, {entry.name, entry.offset});
        return bytes;
    }

  private:
    void readRows(const Source& table, const std::vector<std::string>& names) {
        const std::size_t shared = foldersSharedBy(names);
        core::LittleEndianTable rows(table, 0, "table");
        for (const std::string& name : names) {
            Entry entry;
            entry.id = static_cast<std::uint32_t>(entries().size());
            entry.size = entry.storedSize = rows.read<std::uint32_t>("size");
            entry.offset = rows.read<std::uint32_t>("offset");
            entry.type = rows.read<std::uint32_t>("packing");
            entry.packed = entry.type != kStored;
            const std::vector<std::string_view> parts = partsOf(name);
            addEntry(std::move(entry), std::span(parts).subspan(std::min(shared, parts.size())));
        }
        for (std::uint32_t i = 0; i < entries().size(); ++i) {
            const auto [known, isNew] = byFileName_.try_emplace(core::lowerCase(entries()[i].fileName()), i);
            if (!isNew)
                known->second = std::nullopt;
        }
    }

    /// The number of leading folders that all paths share, such as `C:\ff8\data\eng\battle`.
    static std::size_t foldersSharedBy(const std::vector<std::string>& names) {
        if (names.empty())
            return 0;
        const std::vector<std::string_view> first = partsOf(names.front());
        std::size_t shared = first.empty() ? 0 : first.size() - 1;
        for (const std::string& name : names) {
            const std::vector<std::string_view> parts = partsOf(name);
            std::size_t same = 0;
            while (same < shared && same + 1 < parts.size() &&
                   core::lowerCase(parts[same]) == core::lowerCase(first[same]))
                ++same;
            shared = same;
        }
        return shared;
    }

    void addEntry(Entry entry, std::span<const std::string_view> parts) {
        std::string reason;
        if (entry.packed)
            reason = readPackedSize(entry);
        Entry& added = add(std::move(entry), parts);
        if (!reason.empty() && !added.damaged)
            damage(added, reason);
    }

    /// @return the reason if the entry can't be read, otherwise empty
    std::string readPackedSize(Entry& entry) {
        if (entry.type > kLz4)
            return fmt::format("is packed with method {}, expected 0, 1 or 2", entry.type);
        entry.storedSize = kSizeField;
        if (entry.offset > source().size() || source().size() - entry.offset < kSizeField)
            return {};  // the entry is outside the archive; add() reports this
        const core::ByteVector bytes = source().read(entry.offset, kSizeField, {});
        const auto packed = core::LittleEndianReader(bytes).read<std::uint32_t>({});
        entry.storedSize = kSizeField + packed;
        const std::uint64_t ratio = entry.type == kLzs ? kLzsRatio : kLz4Ratio;
        if (entry.size > packed * ratio)
            return fmt::format("states {} unpacked bytes for {} packed bytes, more than its method can produce",
                               entry.size, packed);
        if (entry.type == kLz4 && packed < kLz4Header)
            return fmt::format("has only {} packed bytes, which is too few", packed);
        return {};
    }

    std::map<std::string, std::optional<std::uint32_t>> byFileName_;  // empty: the name is not unique
};

bool hasExtension(const ArchiveFile& file, std::string_view extension) {
    return core::extensionOf(core::fileNameOf(file.name)) == extension;
}

bool hasBeside(const ArchiveFile& file, std::string_view extension) {
    return file.beside.open(besideWith(file, extension)) != nullptr;
}

bool isFs(const ArchiveFile& file) {
    return hasExtension(file, "fs") && (hasBeside(file, "fi") || hasBeside(file, "fl"));
}

bool isFsTable(const ArchiveFile& file) {
    return (hasExtension(file, "fi") || hasExtension(file, "fl")) && hasBeside(file, "fs");
}

}  // namespace
}  // namespace ff8_fs

extern const ArchiveFormat kFf8Fs = {
    .id = "ff8-fs",
    .label = "Final Fantasy VIII (PC) archive (FS)",
    .endings = {"fs"},
    .types = ArchiveFormat::Types::numbers,
    .holdsArchives = true,
    .insteadOfWriting = "`extract` the entry, edit the extracted file, and pack it with a tool for these archives",
    .claims = ff8_fs::isFs,
    .open = [](const ArchiveFile& file, const core::Limits& limits) -> std::unique_ptr<Archive> {
        return std::make_unique<ff8_fs::Ff8Fs>(file, limits);
    },
};

extern const ArchiveFormat kFf8FsTable = {
    .id = "ff8-fs-table",
    .label = "Final Fantasy VIII (PC) table of an archive (FI, FL)",
    .holdsArchives = true,
    .namesAnother = true,
    .claims = ff8_fs::isFsTable,
    .unpacked = [](const ArchiveFile& file, const core::Limits&) -> ArchiveFile {
        return {ff8_fs::companionOf(file, "fs", "data"), ff8_fs::besideWith(file, "fs"), file.beside};
    },
};

}  // namespace reanima::archives
