#include "archives/metroid_pak.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "archives/lzo1x.h"
#include "archives/unpack.h"
#include "core/source.h"
#include "core/text.h"

namespace reanima::archives {

namespace {

using core::DecodeError;

constexpr std::uint32_t kVersion = 0x00030005;
constexpr std::uint32_t kCorruptionVersion = 2;
constexpr std::uint32_t kCorruptionHeaderSize = 0x40;
constexpr std::size_t kLeastName = 12;
constexpr std::size_t kPakRowSize = 20;
constexpr std::size_t kLengthSize = 4;
constexpr std::size_t kSegment = 0x4000;
/// The largest compression ratio of zlib and LZO1X.
constexpr std::uint64_t kMostTimes = 1040;

/// True if the data begins like a zlib stream. As the length of an LZO1X segment, these two bytes would be too large.
bool isZlib(core::Bytes data) {
    constexpr std::array<std::uint8_t, 4> kLevels = {0x01, 0x5E, 0x9C, 0xDA};
    return data.size() >= 2 && data[0] == 0x78 && std::ranges::find(kLevels, data[1]) != kLevels.end();
}

void readSegments(core::Bytes data, std::span<std::uint8_t> out, const core::Place& place) {
    core::BigEndianReader in(data, place.field, *place.offset);
    while (!out.empty()) {
        const auto length = in.read<std::int16_t>("segment_length");
        const std::span<std::uint8_t> part = out.first(std::min(kSegment, out.size()));
        const std::uint64_t start = in.offset();
        const core::Bytes bytes = in.bytes(static_cast<std::uint64_t>(std::abs(int{length})), "segment");
        if (length > 0)
            decompressLzo1x(bytes, part, {place.field, start});
        else if (bytes.size() == part.size())
            std::ranges::copy(bytes, part.begin());
        else
            throw DecodeError({place.field, start},
                              fmt::format("has a segment of {} stored bytes, expected {}", bytes.size(), part.size()));
        out = out.subspan(part.size());
    }
}

std::optional<std::uint32_t> idFrom(std::string_view name) {
    constexpr std::size_t kDigits = 8;
    constexpr int kHexadecimal = 16;
    if (name.starts_with("0x"))
        name.remove_prefix(2);
    const std::string_view digits = core::stemOf(name);
    std::uint32_t id = 0;
    const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id, kHexadecimal);
    const bool isOne = error == std::errc() && last == digits.data() + digits.size() && digits.size() == kDigits;
    return isOne ? std::optional(id) : std::nullopt;
}

class MetroidPak : public Archive {
  public:
    MetroidPak(std::shared_ptr<const Source> pak, const core::Limits& limits)
        : Archive(kMetroidPak, std::move(pak), limits) {
        core::BigEndianTable table(source());
        const auto version = table.read<std::uint32_t>("version");
        if (version != kVersion)
            throw DecodeError(
                table.place("version", 4),
                fmt::format("is {}, an archive of Metroid Prime 3: Corruption; expected 0x{:08x}", version, kVersion));
        (void)table.read<std::uint32_t>("unknown_04");
        if (table.remaining() == 0)  // the table of a demo disc ends here
            return;
        const Names names = readNames(table);
        readRows(table, names);
        byId_.reserve(entries().size());
        for (std::uint32_t i = 0; i < entries().size(); ++i)
            byId_.emplace_back(entries()[i].id, i);
        std::ranges::sort(byId_);
    }

  protected:
    /// An entry by its id in hexadecimal digits: `0x1234ABCD`, `1234ABCD`, `1234ABCD.ANIM`.
    [[nodiscard]] const Entry* findOtherwise(const std::string& name) const override {
        const std::optional<std::uint32_t> id = idFrom(name);
        if (!id)
            return nullptr;
        const std::string type = core::extensionOf(name);
        for (auto found = std::ranges::lower_bound(byId_, std::pair{*id, 0U});
             found != byId_.end() && found->first == *id; ++found) {
            const Entry& entry = entries()[found->second];
            if (type.empty() || core::lowerCase(typeText(format(), entry.type)) == type)
                return &entry;
        }
        return nullptr;
    }

    [[nodiscard]] core::ByteVector decode(const Entry& entry, core::ByteVector stored) const override {
        if (!entry.packed)
            return stored;
        const core::Bytes data = core::Bytes(stored).subspan(kLengthSize);
        const core::Place place{entry.name, entry.offset + kLengthSize};
        core::ByteVector bytes(static_cast<std::size_t>(entry.size));
        if (isZlib(data))
            unpack(Packing::zlib, data, bytes, place);
        else
            readSegments(data, bytes, place);
        return bytes;
    }

  private:
    using Key = std::pair<std::uint32_t, std::uint32_t>;  // type and id
    using Names = std::map<Key, std::string>;

    static std::uint32_t readCount(core::BigEndianTable& table, std::string_view field, std::size_t least) {
        const auto count = table.read<std::uint32_t>(field);
        const std::uint64_t most = table.remaining() / least;
        if (count > most)
            throw DecodeError(table.place(field, 4),
                              fmt::format("is {}, but the file has room for only {}", count, most));
        return count;
    }

    Names readNames(core::BigEndianTable& table) {
        constexpr std::uint32_t kLongest = 4096;
        const std::uint32_t count = readCount(table, "name_count", kLeastName);
        requireRoomFor(count, table.place("name_count", 4));
        Names names;
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto type = table.read<std::uint32_t>("names.type");
            const auto id = table.read<std::uint32_t>("names.id");
            const auto length = table.read<std::uint32_t>("names.length");
            if (length > kLongest)
                throw DecodeError(table.place("names.length", 4),
                                  fmt::format("is {}, expected at most {}; ids of 64 bits, as in the prototype of "
                                              "Metroid Prime 3, are not supported",
                                              length, kLongest));
            const core::Bytes name = table.bytes(length, "names.name");
            names.try_emplace({type, id}, name.begin(), name.end());
        }
        return names;
    }

    void readRows(core::BigEndianTable& table, const Names& names) {
        const std::uint32_t count = readCount(table, "resource_count", kPakRowSize);
        requireRoomFor(count, table.place("resource_count", 4));
        std::map<Key, std::size_t> known;
        for (std::uint32_t i = 0; i < count; ++i) {
            Entry entry;
            const auto packed = table.read<std::uint32_t>("resources.packed");
            entry.type = table.read<std::uint32_t>("resources.type");
            entry.id = table.read<std::uint32_t>("resources.id");
            entry.size = entry.storedSize = table.read<std::uint32_t>("resources.size");
            entry.offset = table.read<std::uint32_t>("resources.offset");
            entry.detail = 1;
            entry.packed = packed == 1;
            entry.padded = packed == 0;
            const Key key{entry.type, entry.id};
            if (const auto [first, isNew] = known.try_emplace(key, entries().size()); !isNew) {
                ++*list()[first->second].detail;  // identical copies, which shorten seeks on the disc
                continue;
            }
            const auto name = names.find(key);
            addResource(std::move(entry), packed,
                        name == names.end() ? fmt::format("{:08X}", key.second) : name->second);
        }
    }

    void addResource(Entry entry, std::uint32_t packed, const std::string& name) {
        const std::string extension = "." + typeText(format(), entry.type);
        const std::array<std::string_view, 1> parts = {name};
        Entry& added = add(std::move(entry), parts, extension);
        if (added.damaged)
            return;
        if (packed > 1) {
            damage(added, fmt::format("resources.packed is {}, expected 0 or 1", packed));
        } else if (packed == 1 && added.storedSize < kLengthSize) {
            damage(added, fmt::format("has only {} packed bytes, which is too few", added.storedSize));
        } else if (packed == 1) {
            const core::ByteVector bytes = source().read(added.offset, kLengthSize, {});
            added.size = core::BigEndianReader(bytes).read<std::uint32_t>({});
            if (added.size > kMostTimes * (added.storedSize - kLengthSize))
                damage(added,
                       fmt::format("states {} unpacked bytes for {} packed bytes, more than its method can produce",
                                   added.size, added.storedSize - kLengthSize));
        }
    }

    std::vector<std::pair<std::uint32_t, std::uint32_t>> byId_;  // id and place in the list, sorted
};

bool isPak(const ArchiveFile& file) {
    const Source& source = *file.source;
    if (source.size() < 8)
        return false;
    const core::ByteVector head = source.read(0, 8, {});
    core::BigEndianReader reader(head);
    const auto version = reader.read<std::uint32_t>({});
    const auto next = reader.read<std::uint32_t>({});
    return (version == kVersion && next == 0) || (version == kCorruptionVersion && next == kCorruptionHeaderSize);
}

}  // namespace

const ArchiveFormat kMetroidPak = {
    .id = "metroid-pak",
    .label = "Metroid Prime 1 and 2 archive (PAK)",
    .endings = {"pak"},
    .types = ArchiveFormat::Types::letters,
    .detail = "copies",
    .insteadOfWriting = "`extract` the entry, edit the extracted file, and pack it with a tool for PAKs",
    .isId = [](std::string_view name) { return idFrom(name).has_value(); },
    .claims = isPak,
    .open = [](const ArchiveFile& file, const core::Limits& limits) -> std::unique_ptr<Archive> {
        return std::make_unique<MetroidPak>(file.source, limits);
    },
};

}  // namespace reanima::archives
