#include "formats/ff9/container.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/decode_watch.h"
#include "core/text.h"

namespace reanima::ff9 {

namespace {

using core::Code;
using core::DecodeError;

constexpr std::uint8_t kDatabaseMark = 0xDB;
constexpr std::uint8_t kHighestType = 0x1D;
constexpr std::size_t kDeepest = 32;
constexpr std::size_t kPointerSize = 4;
constexpr std::size_t kLeastPerObject = 2 + kPointerSize;  // an id and a pointer
// Limit for objects that share bytes: their total may be this many times the file's size, plus a constant.
constexpr std::uint64_t kMostSharingObjects = 4;
constexpr std::uint64_t kSharedAnyway = 1U << 18U;

std::string_view extensionOf(ObjectType type) {
    switch (type) {
        case ObjectType::model:
            return ".ff9model";
        case ObjectType::animation:
            return ".ff9anim";
        case ObjectType::texture:
            return ".tim";
        case ObjectType::script:
        case ObjectType::text:
        case ObjectType::battle:
        case ObjectType::battleAnimations:
        case ObjectType::materials:
        case ObjectType::database:
            break;
    }
    return "";
}

/// An error that makes the whole container unusable.
class Refusal : public DecodeError {
    using DecodeError::DecodeError;
};

/// A stored offset and its target.
struct Link {
    std::uint64_t field = 0;   // offset of this link in the file
    std::uint64_t base = 0;    // base of the stored offset
    std::uint64_t target = 0;  // target in the file
    bool hasType = false;      // 24 bits with a type above them; otherwise 32 bits
};

/// Walks a container and collects its objects. Pointers may lead anywhere in the file.
class Walk {
  public:
    Walk(core::Bytes file, core::Diagnostics& diagnostics)
        : file_(file),
          partsLeft_(file.size() / kLeastPerObject),
          bytesLeft_(kMostSharingObjects * file.size() + kSharedAnyway),
          diagnostics_(diagnostics) {}

    std::vector<Object> run() {
        if (!file_.empty() && file_.front() == kDatabaseMark)
            readDatabase({});
        else
            readChunk(core::LittleEndianReader(file_), std::nullopt, {});
        return std::move(objects_);
    }

    /// All stored offsets whose targets are in the file.
    [[nodiscard]] const std::vector<Link>& links() const { return links_; }

  private:
    struct Database {
        std::string prefix;  // prefix of its objects' names: `1b/428/`
        std::uint64_t offset = 0;
    };

    [[nodiscard]] core::LittleEndianReader readerAt(std::uint64_t offset, std::string_view path) const {
        return core::LittleEndianReader(file_.subspan(static_cast<std::size_t>(offset)), std::string(path), offset);
    }

    /// Reads a table's count and checks that the file has room for that many entries after the two unused bytes.
    static std::size_t readCount(core::LittleEndianReader& table, std::size_t leastPerEntry, std::string_view field) {
        const auto count = table.read<std::uint8_t>(field);
        const core::Place place = table.place(field, 1);
        (void)table.read<std::uint16_t>("unknown_02");
        if (count > table.remaining() / leastPerEntry)
            throw DecodeError(place, fmt::format("is {}, but the file has room for only {}", count,
                                                 table.remaining() / leastPerEntry));
        return count;
    }

    void readDatabase(const Database& database) {
        core::LittleEndianReader table =
            readerAt(database.offset, std::string_view(database.prefix).substr(0, database.prefix.size() - 1));
        const auto mark = table.read<std::uint8_t>("mark");
        if (mark != kDatabaseMark)
            throw DecodeError(table.place("mark", 1),
                              fmt::format("is 0x{:02x}, expected 0x{:02x}", mark, kDatabaseMark));
        const std::size_t count = readCount(table, kPointerSize, "chunk_count");
        open_.push_back(database.offset);
        for (std::size_t i = 0; i < count; ++i) {
            const auto scope = table.enter("chunks", i);
            const core::Place place = table.place({});
            const auto word = table.read<std::uint32_t>({});
            try {
                readChunkAt(place, word, table.path(), database);
            } catch (const Refusal&) {
                throw;
            } catch (const DecodeError& error) {
                diagnostics_.warn(Code::damaged, error);
            }
        }
        open_.pop_back();
    }

    /// @param word an entry of a DB: type << 24 | offset from the entry, which is at `place`
    void readChunkAt(const core::Place& place, std::uint32_t word, std::string_view path, const Database& database) {
        const std::uint64_t offset = *place.offset + (word & 0xFFFFFFU);
        if (offset >= file_.size())
            throw DecodeError(
                place, fmt::format("points to 0x{:x}, but the file has only 0x{:x} bytes", offset, file_.size()));
        links_.push_back({*place.offset, *place.offset, offset, true});
        readChunk(readerAt(offset, path), static_cast<ObjectType>(word >> 24U), database);
    }

    /// @param expected the type that the DB states
    void readChunk(core::LittleEndianReader chunk, std::optional<ObjectType> expected, const Database& database) {
        const std::uint64_t start = chunk.offset();
        const auto type = static_cast<ObjectType>(chunk.read<std::uint8_t>("type"));
        if (expected && type != *expected)
            diagnostics_.warn(Code::countMismatch, chunk.place("type", 1),
                              fmt::format("is 0x{:02x}, but the DB states 0x{:02x}; the chunk's type is used",
                                          static_cast<int>(type), static_cast<int>(*expected)));
        const std::size_t count = readCount(chunk, kLeastPerObject, "object_count");
        takeParts(1 + count, chunk.place("object_count", 3));
        std::vector<std::uint16_t> ids(count);
        for (std::uint16_t& id : ids)
            id = chunk.read<std::uint16_t>("ids");
        (void)chunk.bytes((chunk.offset() - start) % 4, "ids");  // padding of the chunk to a multiple of four bytes
        const std::vector<std::int64_t> places = readPointers(chunk, count);
        for (std::size_t i = 0; i < count; ++i) {
            Object object{fmt::format("{}{:02x}/{}", database.prefix, static_cast<int>(type), ids[i]), type, ids[i]};
            object.database = database.offset;
            const auto scope = chunk.enter("pointers", i);
            place(object, places[i], endOf(places, i), chunk.place({}, (count + 1 - i) * kPointerSize));
            add(std::move(object));
        }
    }

    /// The start of every object in the file, and the end of the last one.
    std::vector<std::int64_t> readPointers(core::LittleEndianReader& chunk, std::size_t count) {
        std::vector<std::int64_t> positions;
        const std::uint64_t first = chunk.offset();
        const auto add = [&](std::uint64_t field, std::uint64_t base, std::int32_t offset) {
            positions.push_back(static_cast<std::int64_t>(base) + offset);
            if (positions.back() >= 0 && positions.back() <= static_cast<std::int64_t>(file_.size()))
                links_.push_back({field, base, static_cast<std::uint64_t>(positions.back())});
        };
        while (positions.size() < count) {
            const std::uint64_t field = chunk.offset();
            add(field, field, chunk.read<std::int32_t>("pointers"));
        }
        const std::uint64_t field = chunk.offset();
        add(field, first, chunk.read<std::int32_t>("end"));
        return positions;
    }

    /// An object ends where the next one in the table begins. If an editor changed the order of objects, it ends at the
    /// nearest later start. A size that is too large does no harm, since readers ignore bytes after a block.
    static std::int64_t endOf(const std::vector<std::int64_t>& places, std::size_t index) {
        const std::int64_t start = places[index];
        if (places[index + 1] >= start)
            return places[index + 1];
        std::int64_t nearest = places.back();
        for (const std::int64_t place : places)
            if (place > start && (nearest <= start || place < nearest))
                nearest = place;
        return nearest;
    }

    void place(Object& object, std::int64_t start, std::int64_t end, const core::Place& pointer) {
        object.damaged = start < 0 || end < start || end > static_cast<std::int64_t>(file_.size());
        if (object.damaged) {
            diagnostics_.warn(Code::damaged, pointer,
                              fmt::format("{} would be at {:#x} to {:#x}, but the file has only {:#x} bytes",
                                          object.name, start, end, file_.size()));
            return;
        }
        object.offset = static_cast<std::uint64_t>(start);
        object.size = static_cast<std::uint64_t>(end - start);
        if (object.type != ObjectType::database)
            takeBytes(object.size, pointer);
    }

    void add(Object object) {
        if (object.type == ObjectType::database && !object.damaged)
            object.damaged = !walkInto(object);
        if (object.type == ObjectType::database && !object.damaged)
            return;
        object.name = names_.unique(object.name).append(extensionOf(object.type));
        objects_.push_back(std::move(object));
    }

    /// @return false if the DB can't be read
    bool walkInto(const Object& database) {
        const core::Place place{database.name, database.offset};
        if (std::find(open_.begin(), open_.end(), database.offset) != open_.end())
            throw Refusal(place, "is a DB that contains itself");
        if (open_.size() >= kDeepest)
            throw Refusal(place, fmt::format("is nested deeper than {} DBs", kDeepest));
        try {
            readDatabase({database.name + '/', database.offset});
            return true;
        } catch (const Refusal&) {
            throw;
        } catch (const DecodeError& error) {
            diagnostics_.warn(Code::damaged, error);
            return false;
        }
    }

    void takeParts(std::size_t count, const core::Place& place) {
        if (count > partsLeft_)
            throw Refusal(place, "has more objects than the file has room for, because DBs are used several times",
                          DecodeError::Kind::limit);
        partsLeft_ -= count;
    }

    void takeBytes(std::uint64_t size, const core::Place& place) {
        if (size > bytesLeft_)
            throw Refusal(place,
                          fmt::format("objects overlap, and together they are more than {} times as large as the file",
                                      kMostSharingObjects),
                          DecodeError::Kind::limit);
        bytesLeft_ -= size;
    }

    core::Bytes file_;
    std::size_t partsLeft_;    // chunks and objects that a file of this size can contain without sharing
    std::uint64_t bytesLeft_;  // remaining bytes of objects
    core::Diagnostics& diagnostics_;
    std::vector<Link> links_;
    std::vector<std::uint64_t> open_;  // offsets of the DBs that are being read
    std::vector<Object> objects_;
    core::UniqueNames names_;
};

/// True if a chunk begins here: its first object follows its table, or its type is the one that a DB states.
bool beginsLikeChunk(core::Bytes bytes, std::optional<std::uint32_t> type) {
    try {
        core::LittleEndianReader chunk(bytes);
        const auto own = chunk.read<std::uint8_t>({});
        const auto count = chunk.read<std::uint8_t>({});
        const auto zero = chunk.read<std::uint16_t>({});
        (void)chunk.bytes((count + std::size_t{1}) / 2 * 4, {});  // ids, padded to a multiple of four bytes
        const auto first = chunk.read<std::uint32_t>({});
        return own <= kHighestType && count > 0 && zero == 0 &&
               (first == (count + 1U) * kPointerSize || (type && own == *type));
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace

std::vector<Object> readContainer(core::Bytes file, core::Diagnostics& diagnostics) {
    core::tellDecoding("ff9 container", file);
    return Walk(file, diagnostics).run();
}

core::ByteVector withObject(core::Bytes file, const Object& object, core::ByteVector bytes) {
    core::Diagnostics ignored;  // readContainer() reports them
    Walk walk(file, ignored);
    const std::uint64_t end = object.offset + object.size;
    const auto isInside = [&](std::uint64_t offset) { return offset > object.offset && offset < end; };
    for (const Object& other : walk.run())
        if (!other.damaged && other.name != object.name && other.offset < end &&
            (other.offset >= object.offset || object.offset < other.offset + other.size))
            throw DecodeError({object.name, object.offset},
                              fmt::format("can't be changed separately, because it shares bytes with {}", other.name));
    while ((bytes.size() + 4 - object.size % 4) % 4 != 0)  // the bytes after it stay aligned to words
        bytes.push_back(0);
    core::ByteVector result(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(object.offset));
    result.insert(result.end(), bytes.begin(), bytes.end());
    result.insert(result.end(), file.begin() + static_cast<std::ptrdiff_t>(end), file.end());
    const auto moved = [&](std::uint64_t offset) {
        return offset < end ? offset : offset - object.size + bytes.size();
    };
    for (const Link& link : walk.links()) {
        if (isInside(link.field) || isInside(link.base) || isInside(link.target))
            throw DecodeError(
                {object.name, object.offset},
                "can't be replaced, because it contains an offset of the container or the target of such an offset");
        const std::uint64_t offset = moved(link.target) - moved(link.base);  // may be below 0
        constexpr std::uint64_t kMost = 0xFFFFFF;
        if (link.hasType && offset > kMost)
            throw DecodeError(
                {object.name, object.offset},
                fmt::format("is too large: the DB's offset to a chunk would be 0x{:x}, expected at most 0x{:x}", offset,
                            kMost));
        const std::uint64_t field = moved(link.field);
        for (std::size_t byte = 0; byte < (link.hasType ? 3U : 4U); ++byte)
            result[static_cast<std::size_t>(field) + byte] = static_cast<std::uint8_t>(offset >> (8 * byte));
    }
    return result;
}

core::LittleEndianReader readerOf(const Object& object, core::Bytes file) {
    return core::LittleEndianReader(
        file.subspan(static_cast<std::size_t>(object.offset), static_cast<std::size_t>(object.size)), object.name,
        object.offset);
}

bool isContainer(core::Bytes file) {
    if (!beginsLikeContainer(file))
        return false;
    try {
        core::Diagnostics diagnostics;
        const std::vector<Object> objects = readContainer(file, diagnostics);
        std::uint64_t end = 0;
        for (const Object& object : objects)
            end = std::max(end, object.offset + object.size);
        const core::Bytes after = file.subspan(static_cast<std::size_t>(end));
        return !objects.empty() && diagnostics.warnings().empty() &&
               std::all_of(after.begin(), after.end(), [](std::uint8_t byte) { return byte == 0; });
    } catch (const DecodeError&) {
        return false;
    }
}

bool beginsLikeContainer(core::Bytes file) {
    if (file.empty() || file.front() != kDatabaseMark)
        return beginsLikeChunk(file, std::nullopt);
    try {
        core::LittleEndianReader database(file);
        (void)database.read<std::uint8_t>({});
        const auto count = database.read<std::uint8_t>({});
        const auto zero = database.read<std::uint16_t>({});
        const std::uint64_t field = database.offset();
        const auto pointer = database.read<std::uint32_t>({});
        const std::uint64_t first = field + (pointer & 0xFFFFFFU);
        return count > 0 && zero == 0 && first < file.size() &&
               beginsLikeChunk(file.subspan(static_cast<std::size_t>(first)), pointer >> 24U);
    } catch (const DecodeError&) {
        return false;
    }
}

std::vector<ObjectType> chunkTypes(core::Bytes head) {
    std::vector<ObjectType> types;
    core::LittleEndianReader database(head);
    if (database.remaining() < kPointerSize || database.read<std::uint8_t>({}) != kDatabaseMark)
        return types;
    const std::size_t count = database.read<std::uint8_t>({});
    (void)database.read<std::uint16_t>({});
    while (types.size() < count && database.remaining() >= kPointerSize)
        types.push_back(static_cast<ObjectType>(database.read<std::uint32_t>({}) >> 24U));
    return types;
}

}  // namespace reanima::ff9
