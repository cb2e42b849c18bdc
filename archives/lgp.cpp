#include "archives/lgp.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/source.h"
#include "core/text.h"

namespace reanima::archives {

namespace {

using namespace std::string_view_literals;
using core::Code;
using core::DecodeError;

constexpr std::size_t kCreatorSize = 12;
constexpr std::size_t kLgpNameSize = 20;
constexpr std::size_t kLgpRowSize = 27;
constexpr std::size_t kDataHeaderSize = kLgpNameSize + 4;
constexpr std::size_t kFolderSize = 128;
constexpr unsigned kSlotsPerLetter = 30;
constexpr std::size_t kSlots = std::size_t{kSlotsPerLetter} * kSlotsPerLetter;
constexpr std::array kCreators = {"\0\0SQUARESOFT"sv, "FICEDULA-LGP"sv};

/// Text in a field that zero bytes fill up.
std::string textOf(core::Bytes field) {
    return {field.begin(), std::find(field.begin(), field.end(), std::uint8_t{0})};
}

/// The slot of the look-up table in which the game looks for a name; none for one that it can't look for.
std::optional<std::size_t> slotOf(std::string_view name) {
    const auto valueOf = [](char c) -> int {
        if (core::isLetter(c))
            return core::lowerCase(c) - 'a';
        if (core::isDigit(c))
            return c - '0';
        return c == '_' ? 10 : c == '-' ? 11 : c == '.' ? -1 : -2;
    };
    if (name.size() < 2 || valueOf(name[0]) < 0 || valueOf(name[1]) < -1)
        return std::nullopt;
    return static_cast<std::size_t>(valueOf(name[0]) * static_cast<int>(kSlotsPerLetter) + valueOf(name[1]) + 1);
}

class Lgp : public Archive {
  public:
    Lgp(std::shared_ptr<const Source> lgp, const core::Limits& limits) : Archive(kLgp, std::move(lgp), limits) {
        core::LittleEndianTable table(source());
        (void)table.bytes(kCreatorSize, "creator");
        readRows(table);
        readSlots(table);
        readFolders(table);
        for (std::size_t i = 0; i < rows_.size(); ++i)
            addEntry(i);
        rows_ = {};
        slots_ = {};
        folders_ = {};
    }

  protected:
    [[nodiscard]] const Entry* findOtherwise(const std::string& name) const override {
        const auto found = byLastPart_.find(name);
        return found == byLastPart_.end() || found->second == kAmbiguous ? nullptr : &entries()[found->second];
    }

  private:
    static constexpr std::uint32_t kAmbiguous = 0xFFFFFFFF;

    struct Row {
        std::string name;
        std::uint32_t offset;
        std::uint16_t conflict;  // number of the list that has its folder, from 1
    };
    struct Slot {
        std::uint32_t first;  // index of an entry, from 1
        std::uint32_t count;
    };

    void readRows(core::LittleEndianTable& table) {
        const auto count = table.read<std::uint32_t>("file_count");
        const core::Place place = table.place("file_count", 4);
        const std::uint64_t most = table.remaining() / kLgpRowSize;
        if (count > most)
            throw DecodeError(place, fmt::format("is {}, the file has room for {}", count, most));
        requireRoomFor(count, place);
        rows_.reserve(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            Row row{textOf(table.bytes(kLgpNameSize, "files.name")), table.read<std::uint32_t>("files.offset"), 0};
            (void)table.read<std::uint8_t>("files.check");
            row.conflict = table.read<std::uint16_t>("files.conflict");
            rows_.push_back(std::move(row));
        }
    }

    void readSlots(core::LittleEndianTable& table) {
        slots_.reserve(kSlots);
        for (std::size_t i = 0; i < kSlots; ++i) {
            const auto first = table.read<std::uint16_t>("slots.first");
            slots_.push_back({first, table.read<std::uint16_t>("slots.count")});
        }
    }

    /// The folders of names that occur several times. Without them the names still are found.
    void readFolders(core::LittleEndianTable& table) {
        try {
            const auto lists = table.read<std::uint16_t>("list_count");
            for (std::uint32_t list = 1; list <= lists; ++list) {
                const auto count = table.read<std::uint16_t>("lists.count");
                for (std::uint32_t i = 0; i < count; ++i) {
                    std::string folder = textOf(table.bytes(kFolderSize, "lists.folder"));
                    const std::uint32_t row = table.read<std::uint16_t>("lists.file");
                    folders_.try_emplace(list << 16U | row, std::move(folder));
                }
            }
        } catch (const DecodeError& error) {
            warnings().warn(Code::truncated, error);
        }
    }

    void addEntry(std::size_t index) {
        const Row& row = rows_[index];
        const std::string folder = folderOf(index);
        std::vector<std::string_view> parts;
        for (std::size_t begin = 0; begin <= folder.size();) {
            const std::size_t end = std::min(folder.find_first_of("/\\", begin), folder.size());
            parts.push_back(std::string_view(folder).substr(begin, end - begin));
            begin = end + 1;
        }
        parts.emplace_back(row.name);
        Entry entry;
        entry.id = static_cast<std::uint32_t>(index);
        entry.offset = row.offset;
        const std::string problem = readDataHeader(row, entry);
        Entry& added = add(std::move(entry), parts);
        if (!problem.empty())
            damage(added, problem);
        else
            checkDataName(row, added);
        checkSlot(index, added);
        const auto [last, isNew] =
            byLastPart_.try_emplace(core::lowerCase(added.fileName()), static_cast<std::uint32_t>(index));
        if (!isNew)
            last->second = kAmbiguous;
    }

    [[nodiscard]] std::string folderOf(std::size_t index) {
        const std::uint32_t list = rows_[index].conflict;
        if (list == 0)
            return {};
        const auto folder =
            index <= 0xFFFF ? folders_.find(list << 16U | static_cast<std::uint32_t>(index)) : folders_.end();
        if (folder != folders_.end())
            return folder->second;
        warnings().warn(Code::countMismatch, {fmt::format("files[{}].conflict", index), std::nullopt},
                        fmt::format("is {}, but that list does not name the file; its folder is not known", list));
        return {};
    }

    /// Where the data lies: after a header of its own.
    /// @return what is wrong, if anything
    std::string readDataHeader(const Row& row, Entry& entry) {
        dataName_.clear();
        try {
            const core::ByteVector bytes = source().read(row.offset, kDataHeaderSize, {});
            core::LittleEndianReader header(bytes, {}, row.offset);
            dataName_ = textOf(header.bytes(kLgpNameSize, "name"));
            entry.size = entry.storedSize = header.read<std::uint32_t>("size");
            entry.offset += kDataHeaderSize;
            return {};
        } catch (const DecodeError& error) {
            entry.damaged = true;
            return fmt::format("its data would begin at {:#x}: {}", row.offset, error.problem());
        }
    }

    /// The game looks at the table's name alone.
    void checkDataName(const Row& row, const Entry& entry) {
        if (core::lowerCase(dataName_) != core::lowerCase(row.name))
            warnings().warn(Code::countMismatch, {entry.name, entry.offset - kDataHeaderSize},
                            fmt::format("its data is called '{}'; the table counts", core::printable(dataName_)));
    }

    void checkSlot(std::size_t index, const Entry& entry) {
        const std::optional<std::size_t> slot = slotOf(rows_[index].name);
        if (slot && index + 1 >= slots_[*slot].first && index + 1 < slots_[*slot].first + slots_[*slot].count)
            return;
        warnings().warn(Code::countMismatch, {entry.name, std::nullopt},
                        slot
                            ? fmt::format("slot {} of the look-up table misses it: the game would not find it", *slot)
                            : std::string("the look-up table has no slot for such a name: the game would not find it"));
    }

    std::vector<Row> rows_;
    std::vector<Slot> slots_;
    std::unordered_map<std::uint32_t, std::string> folders_;  // by list and file
    std::string dataName_;
    std::unordered_map<std::string, std::uint32_t> byLastPart_;
};

bool isLgp(const Source& source) {
    if (source.size() < kCreatorSize + 4)
        return false;
    const core::ByteVector head = source.read(0, kCreatorSize, {});
    return std::ranges::any_of(kCreators, [&](std::string_view creator) {
        return std::ranges::equal(head, creator, {}, {}, [](char c) { return static_cast<std::uint8_t>(c); });
    });
}

}  // namespace

const ArchiveFormat kLgp = {
    .id = "ff7-lgp",
    .label = "Final Fantasy VII (PC) archive (LGP)",
    .claims = isLgp,
    .open = [](std::shared_ptr<const Source> source, const core::Limits& limits) -> std::unique_ptr<Archive> {
        return std::make_unique<Lgp>(std::move(source), limits);
    },
};

}  // namespace reanima::archives
