#include "archives/lgp.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/byte_writer.h"
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
constexpr std::size_t kRowOffset = kLgpNameSize;  // position of the field `offset` in a row
constexpr std::uint64_t kTableStart = kCreatorSize + 4;
constexpr std::size_t kDataHeaderSize = kLgpNameSize + 4;
constexpr std::size_t kFolderSize = 128;
constexpr unsigned kSlotsPerLetter = 30;
constexpr std::size_t kSlots = std::size_t{kSlotsPerLetter} * kSlotsPerLetter;
constexpr std::array kCreators = {"\0\0SQUARESOFT"sv, "FICEDULA-LGP"sv};

/// The text of a field that is padded with zero bytes.
std::string textOf(core::Bytes field) {
    return {field.begin(), std::find(field.begin(), field.end(), std::uint8_t{0})};
}

/// The slot of the look-up table for a name. Empty for a name that the game can't look up.
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

// ---------------------------------------------------------------------------------------------------------------------
// Writing

/// The layout of a new archive: consecutive parts, from the old archive and from new data.
class LgpLayout {
  public:
    /// @param tableEnd end of the table, where data may begin
    /// @throws DecodeError for data that overlaps
    LgpLayout(const Source& lgp, std::span<const Entry> entries, std::uint64_t tableEnd)
        : lgp_(lgp), entries_(entries), tableEnd_(tableEnd), offsets_(entries.size()) {
        for (std::uint32_t i = 0; i < entries.size(); ++i)
            order_.push_back(i);
        std::ranges::stable_sort(order_, {}, [&](std::uint32_t i) { return entries[i].offset; });
        requireApart();
    }

    /// @param others the new data, by entry
    /// @throws DecodeError if numbers of the format are too small for the result
    void place(const std::map<std::uint32_t, const Source*>& others) {
        std::uint64_t from = 0;
        for (std::size_t i = 0; i < order_.size();) {
            const Entry& entry = entries_[order_[i]];
            const std::uint64_t begin = entry.offset - kDataHeaderSize;
            const std::uint64_t end = entry.offset + entry.storedSize;
            copy(from, begin);
            const std::size_t first = i;
            while (i < order_.size() && entries_[order_[i]].offset == entry.offset)
                ++i;
            const std::span<const std::uint32_t> sharing(&order_[first], i - first);
            placeData(begin, end, sharing, others);
            from = end;
        }
        copy(from, lgp_.size());
    }

    [[nodiscard]] std::uint64_t size() const { return size_; }

    void write(const std::function<void(core::Bytes)>& append) const {
        for (const Part& part : parts_) {
            if (part.data == nullptr) {
                pass(lgp_, part.begin, part.end, append);
                continue;
            }
            core::LittleEndianWriter header;
            header.write(core::Bytes(lgp_.read(part.begin, kLgpNameSize, {})));
            header.write(static_cast<std::uint32_t>(part.data->size()));
            append(header.bytes());
            pass(*part.data, 0, part.data->size(), append);
        }
    }

  private:
    static constexpr std::uint64_t kMost = 0xFFFFFFFF;
    static constexpr std::uint64_t kBlock = 1U << 20U;

    /// A range of the old archive, or one of its headers followed by new data.
    struct Part {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        const Source* data = nullptr;
    };

    void requireApart() const {
        const Entry* before = nullptr;
        for (const std::uint32_t i : order_) {
            const Entry& entry = entries_[i];
            const std::uint64_t begin = entry.offset - kDataHeaderSize;
            if (begin < tableEnd_)
                throw DecodeError(
                    {entry.name, begin},
                    fmt::format(
                        "its data overlaps the table, which ends at {:#x}. An archive with such data can't be written",
                        tableEnd_));
            if (before != nullptr && before->offset != entry.offset && before->offset + before->storedSize > begin)
                throw DecodeError(
                    {entry.name, begin},
                    fmt::format("its data overlaps the data of {}. An archive with such data can't be written",
                                before->name));
            before = &entry;
        }
    }

    /// Copies a range. Rows of the table get their new offsets; everything else is unchanged.
    void copy(std::uint64_t begin, std::uint64_t end) {
        if (begin < end)
            parts_.push_back({begin, end});
        size_ += end - begin;
    }

    /// Places data. If several entries share old data, entries without new data keep it.
    void placeData(std::uint64_t begin, std::uint64_t end, std::span<const std::uint32_t> sharing,
                   const std::map<std::uint32_t, const Source*>& others) {
        const std::uint64_t kept = size_;
        const auto keeps = [&](std::uint32_t entry) { return !others.contains(entry); };
        if (std::ranges::any_of(sharing, keeps))
            copy(begin, end);
        for (const std::uint32_t entry : sharing) {
            offsets_[entry] = keeps(entry) ? kept : size_;
            if (!keeps(entry)) {
                const Source* data = others.at(entry);
                requireRoom(entry, data->size(), "size");
                parts_.push_back({begin, end, data});
                size_ += kDataHeaderSize + data->size();
            }
            requireRoom(entry, offsets_[entry], "offset");
        }
    }

    void requireRoom(std::uint32_t entry, std::uint64_t value, std::string_view what) const {
        if (value > kMost)
            throw DecodeError(
                {entries_[entry].name, std::nullopt},
                fmt::format("its {} would be {}, but the format allows at most {}", what, value, kMost + 0));
    }

    void pass(const Source& from, std::uint64_t begin, std::uint64_t end,
              const std::function<void(core::Bytes)>& append) const {
        while (begin < end) {
            const std::uint64_t count = std::min(end - begin, kBlock);
            core::ByteVector bytes = from.read(begin, count, {});
            if (&from == &lgp_)
                setOffsets(bytes, begin);
            append(bytes);
            begin += count;
        }
    }

    /// Updates the offsets in those rows of the table that overlap these bytes.
    void setOffsets(std::span<std::uint8_t> bytes, std::uint64_t begin) const {
        const std::uint64_t end = begin + bytes.size();
        const std::uint64_t rowsBefore = (std::max(begin, kTableStart) - kTableStart) / kLgpRowSize;
        for (std::uint64_t row = rowsBefore; row < offsets_.size(); ++row) {
            const std::uint64_t at = kTableStart + row * kLgpRowSize + kRowOffset;
            if (at >= end)
                return;
            for (unsigned i = 0; i < 4; ++i)
                if (at + i >= begin && at + i < end)
                    bytes[static_cast<std::size_t>(at + i - begin)] =
                        static_cast<std::uint8_t>(offsets_[static_cast<std::size_t>(row)] >> 8U * i);
        }
    }

    const Source& lgp_;
    std::span<const Entry> entries_;
    std::uint64_t tableEnd_;
    std::vector<std::uint32_t> order_;    // entries in the order of their data
    std::vector<std::uint64_t> offsets_;  // by entry: offset of its data's header
    std::vector<Part> parts_;
    std::uint64_t size_ = 0;
};

bool isSameData(const Source& lgp, const Entry& entry, const Source& data) {
    constexpr std::uint64_t kBlock = 1U << 20U;
    if (data.size() != entry.storedSize)
        return false;
    for (std::uint64_t at = 0; at < entry.storedSize; at += kBlock) {
        const std::uint64_t count = std::min(entry.storedSize - at, kBlock);
        if (lgp.read(entry.offset + at, count, {}) != data.read(at, count, {}))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------

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

    [[nodiscard]] RewrittenArchive withOther(std::span<const Replacement> replacements) const override {
        if (defect_)
            throw DecodeError(*defect_);
        requireRoomFor(entries().size(), {"file_count", kCreatorSize});
        for (const Entry& entry : entries())
            if (entry.damaged)
                (void)read(entry, {});  // throws with the reason
        std::map<std::uint32_t, const Source*> others;
        RewrittenArchive written;
        for (const Replacement& replacement : replacements)
            if (!isSameData(source(), entries()[replacement.entry], *replacement.data))
                others.emplace(replacement.entry, replacement.data.get());
        for (const auto& [entry, data] : others)
            written.changed.push_back(entry);
        const auto layout = std::make_shared<LgpLayout>(source(), entries(), tableEnd_);
        layout->place(others);
        written.size = layout->size();
        written.write = [layout, held = std::vector<Replacement>(replacements.begin(), replacements.end())](
                            const std::function<void(core::Bytes)>& append) { layout->write(append); };
        return written;
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
        std::uint16_t conflict;  // number, from 1, of the list that contains its folder
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
            throw DecodeError(place, fmt::format("is {}, but the file has room for only {}", count, most));
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
            const Slot slot{first, table.read<std::uint16_t>("slots.count")};
            if (slot.count > 0 && (first == 0 || first - 1U + slot.count > rows_.size()))
                addDefect({table.place(fmt::format("slots[{}]", i), 4),
                           fmt::format("refers to {} files, beginning with number {}, but the table has {}", slot.count,
                                       first, rows_.size())});
            slots_.push_back(slot);
        }
    }

    /// Records a problem that only prevents writing the archive.
    void addDefect(const DecodeError& defect) {
        if (!defect_)
            defect_ = defect;
    }

    /// Reads the folders of repeated names. The game also finds names without folders.
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
            addDefect(error);
        }
        tableEnd_ = table.offset();
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
        const DecodeError defect(
            {fmt::format("files[{}].conflict", index), std::nullopt},
            fmt::format("is {}, but this list does not contain the file, so its folder is not known", list));
        warnings().warn(Code::countMismatch, defect);
        addDefect(defect);
        return {};
    }

    /// Checks the header of the data.
    /// @return the problem, if there is one
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

    /// Notes a different name in the data. The game only uses the name in the table.
    void checkDataName(const Row& row, const Entry& entry) {
        if (core::lowerCase(dataName_) != core::lowerCase(row.name))
            warnings().warn(
                Code::countMismatch, {entry.name, entry.offset - kDataHeaderSize},
                fmt::format("its data is called '{}'; the name in the table is used", core::printable(dataName_)));
    }

    void checkSlot(std::size_t index, const Entry& entry) {
        const std::optional<std::size_t> slot = slotOf(rows_[index].name);
        if (slot && index + 1 >= slots_[*slot].first && index + 1 < slots_[*slot].first + slots_[*slot].count)
            return;
        const DecodeError defect(
            {entry.name, std::nullopt},
            slot ? fmt::format("is missing from slot {} of the look-up table, so the game can't find it", *slot)
                 : std::string("the look-up table has no slot for such a name, so the game can't find the file"));
        warnings().warn(Code::countMismatch, defect);
        addDefect(defect);
    }

    std::vector<Row> rows_;
    std::vector<Slot> slots_;
    std::unordered_map<std::uint32_t, std::string> folders_;  // by list and file
    std::string dataName_;
    std::uint64_t tableEnd_ = 0;
    std::optional<DecodeError> defect_;
    std::unordered_map<std::string, std::uint32_t> byLastPart_;
};

bool isLgp(const ArchiveFile& file) {
    const Source& source = *file.source;
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
    .endings = {"lgp"},
    .claims = isLgp,
    .open = [](const ArchiveFile& file, const core::Limits& limits) -> std::unique_ptr<Archive> {
        return std::make_unique<Lgp>(file.source, limits);
    },
};

}  // namespace reanima::archives
