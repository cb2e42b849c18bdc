#include "formats/ff9/animation.h"

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/byte_writer.h"
#include "core/decode_watch.h"

namespace reanima::ff9 {

namespace {

using core::Code;
using core::DecodeError;

constexpr std::size_t kHeaderSize = 0x14;
constexpr std::size_t kRecordSize = 8;
constexpr std::size_t kHighTableAt = 0x0C;
constexpr std::size_t kLowTableAt = 0x10;
constexpr std::uint32_t kAddressBit = 0x80000000;  // marks a pointer into the console's memory
constexpr std::uint64_t kNoTable = 0;
constexpr std::array<const char*, 3> kAxisNames = {"x", "y", "z"};
constexpr std::uint16_t kAllConstant = 0b111;

constexpr std::uint64_t aligned(std::uint64_t offset) { return (offset + 3) / 4 * 4; }
constexpr std::size_t highStreamSize(std::size_t frames) { return frames; }
constexpr std::size_t lowStreamSize(std::size_t frames) { return (frames + 1) / 2; }
constexpr std::size_t translationStreamSize(std::size_t frames) { return 2 * frames; }

constexpr Angle highPart(std::uint32_t word) { return static_cast<Angle>((word & 0xFFU) << 4U); }
constexpr Angle lowPart(std::uint32_t word) { return static_cast<Angle>(word & 0x0FU); }

// ---------------------------------------------------------------------------------------------------------------------
// The words of a block

struct Header {
    std::uint16_t unknown00 = 0;
    std::uint16_t frameCount = 0;
    Record translation;
    std::uint32_t highTable = 0;  // as stored
    std::uint32_t lowTable = 0;
};

/// The header and records of a block. All streams are inside the block.
struct Words {
    core::Bytes bytes;
    Header header;
    std::uint64_t highTable = 0;  // an offset, also if the header has an address
    std::uint64_t lowTable = kNoTable;
    std::vector<Record> high;
    std::vector<Record> low;  // as many as in `high`; all constant 0 without a table

    [[nodiscard]] std::size_t frames() const { return header.frameCount; }
};

Record readRecord(core::LittleEndianReader& reader) {
    Record record;
    for (std::size_t axis = 0; axis < 3; ++axis)
        record.words[axis] = reader.read<std::uint16_t>(kAxisNames[axis]);
    record.mask = reader.read<std::uint16_t>("mask");
    return record;
}

Header readHeader(core::LittleEndianReader block) {
    Header header;
    header.unknown00 = block.read<std::uint16_t>("unknown_00");
    header.frameCount = block.read<std::uint16_t>("frame_count");
    if (header.frameCount == 0)
        throw DecodeError(block.place("frame_count", 2), "is 0, expected 1 or more");
    {
        const auto scope = block.enter("translation");
        header.translation = readRecord(block);
    }
    header.highTable = block.read<std::uint32_t>("high_table");
    header.lowTable = block.read<std::uint32_t>("low_table");
    return header;
}

/// The offset of the HIGH table in blocks of the game's own tool: after the streams of the translation.
std::uint32_t usualHighTable(const Header& header) {
    std::uint64_t end = kHeaderSize;
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (!header.translation.isConstant(axis))
            end += translationStreamSize(header.frameCount);
    return static_cast<std::uint32_t>(aligned(end));
}

bool isAddress(std::uint32_t pointer) { return (pointer & kAddressBit) != 0; }

/// The value to subtract from the table pointers of a block dumped from the console's memory; 0 for other blocks.
std::uint32_t baseAddress(const Header& header) {
    return isAddress(header.highTable) ? header.highTable - usualHighTable(header) : 0;
}

core::Place placeAt(const core::LittleEndianReader& block, std::size_t offset, std::string_view field) {
    return block.at(offset, field).place(field);
}

/// @param pointerAt offset of the header field that points to the table
void checkTable(const core::LittleEndianReader& block, std::size_t pointerAt, const char* name, std::uint64_t offset,
                std::uint64_t bones) {
    const std::size_t size = block.remaining();
    if (offset < kHeaderSize)
        throw DecodeError(placeAt(block, pointerAt, name),
                          fmt::format("is 0x{:x}, expected 0x{:x} or more, after the header", offset, kHeaderSize));
    if (offset + bones * kRecordSize > size)
        throw DecodeError(placeAt(block, pointerAt, name),
                          fmt::format("is 0x{:x}, but the {} record{} from there end{} outside the block of {} bytes",
                                      offset, bones, bones == 1 ? "" : "s", bones == 1 ? "s" : "", size));
}

/// The number of records between the start of the HIGH table and the next part: the LOW table, or the first stream of
/// the HIGH table. Empty if nothing follows. Reads no more records than a block can have.
std::optional<std::uint64_t> recordsInHighTable(core::Bytes bytes, std::uint64_t highTable, std::uint64_t lowTable) {
    constexpr std::uint64_t kOpen = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t end = lowTable > highTable ? lowTable : kOpen;
    core::LittleEndianReader records(bytes.subspan(static_cast<std::size_t>(highTable)));
    for (std::uint32_t bone = 0; bone < kMostBones; ++bone) {
        if (highTable + records.offset() + kRecordSize > end || records.remaining() < kRecordSize)
            break;
        const Record record = readRecord(records);
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (!record.isConstant(axis) && record.words[axis] > highTable)
                end = std::min<std::uint64_t>(end, record.words[axis]);
    }
    return end == kOpen ? std::nullopt : std::optional((end - highTable) / kRecordSize);
}

/// The number of records from the start of the HIGH table to the end of the block. Empty if the last record is
/// incomplete, or for more records than kMostBones.
std::optional<std::uint32_t> recordsToTheEnd(const Words& words) {
    const std::uint64_t size = words.bytes.size() - words.highTable;
    const bool fits = size % kRecordSize == 0 && size / kRecordSize <= kMostBones;
    return fits ? std::optional(static_cast<std::uint32_t>(size / kRecordSize)) : std::nullopt;
}

std::uint32_t boneCountFor(const core::LittleEndianReader& block, const Words& words,
                           std::optional<std::uint32_t> bones, core::Diagnostics& diagnostics) {
    const core::Place place = placeAt(block, kHighTableAt, "high_table");
    const std::optional<std::uint64_t> stored = recordsInHighTable(words.bytes, words.highTable, words.lowTable);
    if (!bones && !stored)
        throw DecodeError(place, "does not state its number of bones, and no model states it")
            .withHint({"joints", "N"});
    if (bones && stored && *bones > *stored)
        throw DecodeError(place, fmt::format("ends after {} bones, but the skeleton has {}", *stored, *bones),
                          DecodeError::Kind::skeletonMismatch);
    const std::uint64_t count = bones ? *bones : *stored;
    if (count == 0 || count > kMostBones)
        throw DecodeError(place, fmt::format("would have {} bones, expected 1 to {}", count, kMostBones));
    if (stored && count < *stored)
        diagnostics.warn(
            Code::skeletonMismatch, place,
            fmt::format("has {} bones, but the skeleton has {}; additional bones are left out", *stored, count));
    return static_cast<std::uint32_t>(count);
}

std::vector<Record> readTable(const core::LittleEndianReader& block, std::uint64_t offset, std::uint32_t bones,
                              std::string_view name) {
    core::LittleEndianReader reader = block.at(offset, name);
    std::vector<Record> records;
    records.reserve(bones);
    while (records.size() < bones)
        records.push_back(readRecord(reader));
    return records;
}

/// @param nameOf returns the record's path, for the error
/// @throws DecodeError that names the word if a stream of the record extends beyond the block
template <typename NameOf>
void checkStreams(const core::LittleEndianReader& block, const Record& record, std::size_t streamSize,
                  std::uint64_t recordAt, const NameOf& nameOf) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (record.isConstant(axis) || record.words[axis] + streamSize <= block.remaining()) [[likely]]
            continue;
        throw DecodeError(
            placeAt(block, recordAt + 2 * axis, fmt::format("{}.{}", nameOf(), kAxisNames[axis])),
            fmt::format("is 0x{:x}, but a stream of {} byte{} from there ends outside the block of {} bytes",
                        record.words[axis], streamSize, streamSize == 1 ? "" : "s", block.remaining()));
    }
}

void checkStreams(const core::LittleEndianReader& block, const std::vector<Record>& table, std::size_t streamSize,
                  std::uint64_t tableAt, const char* name) {
    for (std::size_t bone = 0; bone < table.size(); ++bone)
        checkStreams(block, table[bone], streamSize, tableAt + bone * kRecordSize,
                     [&] { return fmt::format("{}[{}]", name, bone); });
}

void checkTables(const core::LittleEndianReader& block, const Words& words, std::uint32_t bones) {
    checkTable(block, kHighTableAt, "high_table", words.highTable, bones);
    if (words.header.lowTable != 0)
        checkTable(block, kLowTableAt, "low_table", words.lowTable, bones);
}

/// Reads all except the records. Each table must have room for at least one.
Words readHeaderAndPointers(const core::LittleEndianReader& block) {
    Words words;
    words.bytes = core::LittleEndianReader(block).rest();
    words.header = readHeader(block);
    const std::uint32_t base = baseAddress(words.header);
    words.highTable = words.header.highTable - base;
    words.lowTable = words.header.lowTable == 0 ? kNoTable : words.header.lowTable - base;
    checkTables(block, words, 1);
    return words;
}

Words readWords(const core::LittleEndianReader& block, std::optional<std::uint32_t> bones,
                core::Diagnostics& diagnostics) {
    Words words = readHeaderAndPointers(block);
    const std::uint32_t boneCount = boneCountFor(block, words, bones, diagnostics);
    checkTables(block, words, boneCount);
    words.high = readTable(block, words.highTable, boneCount, "high_table");
    words.low = words.lowTable != kNoTable ? readTable(block, words.lowTable, boneCount, "low_table")
                                           : std::vector<Record>(boneCount, Record{{}, kAllConstant});

    constexpr std::size_t kTranslationAt = 4;
    checkStreams(block, words.header.translation, translationStreamSize(words.frames()), kTranslationAt,
                 [] { return "translation"; });
    checkStreams(block, words.high, highStreamSize(words.frames()), words.highTable, "high_table");
    checkStreams(block, words.low, lowStreamSize(words.frames()), words.lowTable, "low_table");
    return words;
}

/// Marks the bits of a block that hold values, or words that point to values.
core::ByteVector usedBits(const Words& words) {
    core::ByteVector used(words.bytes.size());
    const auto mark = [&used](std::uint64_t offset, std::size_t size) {
        std::fill_n(used.begin() + static_cast<std::ptrdiff_t>(offset), size, std::uint8_t{0xFF});
    };
    const auto markStreams = [&](const Record& record, std::size_t size) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (!record.isConstant(axis))
                mark(record.words[axis], size);
    };
    mark(0, kHeaderSize);
    markStreams(words.header.translation, translationStreamSize(words.frames()));
    mark(words.highTable, words.high.size() * kRecordSize);
    for (const Record& record : words.high)
        markStreams(record, highStreamSize(words.frames()));
    if (words.lowTable == kNoTable)
        return used;
    mark(words.lowTable, words.low.size() * kRecordSize);
    for (const Record& record : words.low) {
        markStreams(record, words.frames() / 2);
        if (words.frames() % 2 == 0)
            continue;
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (!record.isConstant(axis))
                used[record.words[axis] + words.frames() / 2] |=
                    0x0FU;  // with an odd number of frames, the last byte has one value
    }
    return used;
}

// ---------------------------------------------------------------------------------------------------------------------
// Decoding

/// The counted samples of a block: six for every frame of a moving bone (the high and the low part of three angles),
/// even if some parts are constant. Bones that never move cost nothing.
std::uint64_t samplesIn(const Words& words) {
    const auto moves = [](const Record& record) { return record.mask % 8 != kAllConstant; };
    std::uint64_t channels = moves(words.header.translation) ? 3 : 0;
    for (std::size_t bone = 0; bone < words.high.size(); ++bone)
        if (moves(words.high[bone]) || moves(words.low[bone]))
            channels += 6;
    return channels * words.frames();
}

void readTranslation(const Words& words, std::size_t axis, Channels<std::int16_t>& translation) {
    const Record& record = words.header.translation;
    if (record.isConstant(axis)) {
        translation.add(1)[0] = static_cast<std::int16_t>(record.words[axis]);
        return;
    }
    core::LittleEndianReader stream(words.bytes.subspan(record.words[axis]));
    for (std::int16_t& value : translation.add(words.frames()))
        value = stream.read<std::int16_t>({});
}

/// angle = high << 4 | low. Each part is the same in every frame, or is read from a stream.
void readAngle(const Words& words, std::size_t bone, std::size_t axis, Channels<Angle>& angles) {
    const bool highConstant = words.high[bone].isConstant(axis);
    const bool lowConstant = words.low[bone].isConstant(axis);
    const std::uint16_t high = words.high[bone].words[axis];
    const std::uint16_t low = words.low[bone].words[axis];
    const auto constant = static_cast<Angle>((highConstant ? highPart(high) : 0) | (lowConstant ? lowPart(low) : 0));
    if (highConstant && lowConstant) {
        angles.add(1)[0] = constant;
        return;
    }
    const std::size_t frames = words.frames();
    Angle* values = angles.add(frames).data();
    const std::uint8_t* highStream = words.bytes.data() + high;
    const std::uint8_t* lowStream = words.bytes.data() + low;
    if (!lowConstant) {
        for (std::size_t pair = 0; pair < frames / 2; ++pair) {  // even frames in the lower nibble
            values[2 * pair] = lowPart(lowStream[pair]);
            values[2 * pair + 1] = lowPart(lowStream[pair] >> 4U);
        }
        if (frames % 2 != 0)
            values[frames - 1] = lowPart(lowStream[frames / 2]);
    }
    for (std::size_t frame = 0; frame < frames; ++frame)
        values[frame] |= static_cast<Angle>(highConstant ? constant : highPart(highStream[frame]) | constant);
}

/// The number of values of the angles of all bones.
std::size_t anglesIn(const Words& words) {
    std::size_t count = 0;
    for (std::size_t bone = 0; bone < words.high.size(); ++bone)
        for (std::size_t axis = 0; axis < 3; ++axis)
            count += words.high[bone].isConstant(axis) && words.low[bone].isConstant(axis) ? 1 : words.frames();
    return count;
}

Animation animationOf(const Words& words) {
    Animation animation;
    animation.frameCount = words.header.frameCount;
    animation.hasLowTable = words.lowTable != kNoTable;
    for (std::size_t axis = 0; axis < 3; ++axis)
        readTranslation(words, axis, animation.translation);
    animation.angles.reserve(words.high.size() * 3, anglesIn(words));
    for (std::size_t bone = 0; bone < words.high.size(); ++bone)
        for (std::size_t axis = 0; axis < 3; ++axis)
            readAngle(words, bone, axis, animation.angles);
    return animation;
}

/// The end of the last table or stream.
std::size_t endOfContent(const Words& words) {
    std::uint64_t end = words.highTable + words.high.size() * kRecordSize;
    const auto include = [&end](const Record& record, std::size_t streamSize) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (!record.isConstant(axis))
                end = std::max<std::uint64_t>(end, record.words[axis] + streamSize);
    };
    include(words.header.translation, translationStreamSize(words.frames()));
    for (const Record& record : words.high)
        include(record, highStreamSize(words.frames()));
    if (words.lowTable != kNoTable)
        end = std::max<std::uint64_t>(end, words.lowTable + words.low.size() * kRecordSize);
    for (const Record& record : words.low)
        include(record, lowStreamSize(words.frames()));
    return static_cast<std::size_t>(end);
}

/// Warns about parts of the layout that are unusual.
void reportOddities(const core::LittleEndianReader& block, const Words& words, core::Diagnostics& diagnostics) {
    const std::size_t end = endOfContent(words);
    const core::Bytes after = words.bytes.subspan(end);
    if (std::any_of(after.begin(), after.end(), [](std::uint8_t byte) { return byte != 0; }))
        diagnostics.note(Code::trailingBytes, placeAt(block, end, "trailing"),
                         fmt::format("{} bytes after the block are not used", after.size()));
    if (const std::uint32_t base = baseAddress(words.header); base != 0)
        diagnostics.note(
            Code::rareLayout, placeAt(block, kHighTableAt, "high_table"),
            fmt::format("is an address, because the block was copied from the console's memory at 0x{:08x}", base));
}

Words readWithinBudget(const core::LittleEndianReader& block, std::optional<std::uint32_t> bones,
                       core::SampleBudget& budget, core::Diagnostics& diagnostics) {
    Words words = readWords(block, bones, diagnostics);
    budget.take(samplesIn(words), placeAt(block, 2, "frame_count"));
    reportOddities(block, words, diagnostics);
    return words;
}

// ---------------------------------------------------------------------------------------------------------------------
// Encoding

/// The order of the game's own tool: a part that never changes is stored as a constant, and no streams share bytes.
class UsualOrder {
  public:
    explicit UsualOrder(const Animation& animation) : animation_(animation) {}

    /// @throws DecodeError if a stream would begin after the first 64 KiB
    core::ByteVector encode() {
        out_.write(std::uint16_t{0});
        out_.write(animation_.frameCount);
        const std::size_t translationAt = out_.size();
        writeRecord({});
        const std::size_t tablesAt = out_.size();
        out_.write(std::uint32_t{0});
        out_.write(std::uint32_t{0});
        patchRecord(translationAt, translationRecord());
        out_.pad(4);
        out_.patch(tablesAt, static_cast<std::uint32_t>(out_.size()));
        writeTable("high_table",
                   [this](std::span<const Angle> angles, const std::string& field) { return highWord(angles, field); });
        if (animation_.hasLowTable) {
            out_.patch(tablesAt + 4, static_cast<std::uint32_t>(out_.size()));
            writeTable("low_table", [this](std::span<const Angle> angles, const std::string& field) {
                return lowWord(angles, field);
            });
        }
        return out_.take();
    }

  private:
    struct Word {
        std::uint16_t value;
        bool constant;
    };

    void writeRecord(const Record& record) {
        for (const std::uint16_t word : record.words)
            out_.write(word);
        out_.write(record.mask);
    }

    void patchRecord(std::size_t at, const Record& record) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            out_.patch(at + 2 * axis, record.words[axis]);
        out_.patch(at + 6, record.mask);
    }

    static void set(Record& record, std::size_t axis, Word word) {
        record.words[axis] = word.value;
        record.mask = static_cast<std::uint16_t>(record.mask | (word.constant ? 1U << axis : 0U));
    }

    /// The offset of a stream that is about to be written.
    [[nodiscard]] Word beginStream(const std::string& field) const {
        if (out_.size() > 0xFFFF)
            throw DecodeError({field, std::nullopt},
                              fmt::format("its stream would begin at 0x{:x}, but the format allows at most 0xffff. Try "
                                          "fewer frames or fewer changes",
                                          out_.size()));
        return {static_cast<std::uint16_t>(out_.size()), false};
    }

    static bool neverChanges(std::span<const Angle> angles, Angle bits) {
        return std::all_of(angles.begin(), angles.end(),
                           [&](Angle angle) { return (angle & bits) == (angles.front() & bits); });
    }

    Record translationRecord() {
        Record record;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::span<const std::int16_t> values = animation_.translation[axis];
            if (std::all_of(values.begin(), values.end(), [&](std::int16_t v) { return v == values.front(); })) {
                set(record, axis, {static_cast<std::uint16_t>(values.front()), true});
                continue;
            }
            set(record, axis, beginStream(std::string("translation.") + kAxisNames[axis]));
            for (const std::int16_t value : values)
                out_.write(value);
        }
        return record;
    }

    template <typename WriteChannel>
    void writeTable(const char* name, const WriteChannel& writeChannel) {
        const std::size_t tableAt = out_.size();
        for (std::size_t bone = 0; bone < animation_.boneCount(); ++bone)
            writeRecord({});
        for (std::size_t bone = 0; bone < animation_.boneCount(); ++bone) {
            Record record;
            for (std::size_t axis = 0; axis < 3; ++axis)
                set(record, axis,
                    writeChannel(animation_.angles[3 * bone + axis],
                                 fmt::format("{}[{}].{}", name, bone, kAxisNames[axis])));
            patchRecord(tableAt + bone * kRecordSize, record);
        }
        out_.pad(4);
    }

    Word highWord(std::span<const Angle> angles, const std::string& field) {
        if (neverChanges(angles, 0xFF0)) {
            const auto high = static_cast<std::int8_t>(angles.front() >> 4U);
            return {static_cast<std::uint16_t>(std::int16_t{high}), true};  // stored with its sign
        }
        const Word word = beginStream(field);
        for (const Angle angle : angles)
            out_.write(static_cast<std::uint8_t>(angle >> 4U));
        return word;
    }

    Word lowWord(std::span<const Angle> angles, const std::string& field) {
        if (neverChanges(angles, 0x00F))
            return {lowPart(angles.front()), true};
        const Word word = beginStream(field);
        for (std::size_t frame = 0; frame < angles.size(); frame += 2) {
            const Angle even = lowPart(angles[frame]);
            const Angle odd = frame + 1 < angles.size() ? lowPart(angles[frame + 1]) : Angle{0};
            out_.write(static_cast<std::uint8_t>(even | odd << 4U));
        }
        return word;
    }

    const Animation& animation_;
    core::LittleEndianWriter out_;
};

/// Sets the constant in a record's word and keeps the unused bits.
std::uint16_t withConstant(std::uint16_t word, std::uint16_t usedBits, std::uint16_t value) {
    return static_cast<std::uint16_t>((word & ~usedBits) | (value & usedBits));
}

/// Writes values at the places that a stored layout gives them.
class InLayout {
  public:
    InLayout(const Animation& animation, const Layout& layout)
        : animation_(animation), layout_(layout), image_(layout.size) {}

    /// The block. Empty if a part would be outside of it.
    std::optional<core::ByteVector> encode() {
        if (layout_.high.size() != animation_.boneCount() ||
            layout_.low.size() != (layout_.lowTable != 0 ? animation_.boneCount() : 0))
            return std::nullopt;
        Header header{layout_.unknown00, animation_.frameCount, layout_.translation, layout_.highTable,
                      layout_.lowTable};
        const std::uint32_t base = baseAddress(header);
        for (const Layout::Unused& run : layout_.unused)
            put(run.offset, run.bytes);
        putTable(layout_.highTable - base, layout_.high, 0xFF0);
        if (layout_.lowTable != 0)
            putTable(layout_.lowTable - base, layout_.low, 0x00F);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto valueAt = [&](std::size_t frame) {
                return static_cast<std::uint16_t>(animation_.translation.at(axis, frame));
            };
            std::uint16_t& word = header.translation.words[axis];
            if (header.translation.isConstant(axis))
                word = valueAt(0);
            else
                for (std::size_t frame = 0; frame < animation_.frameCount; ++frame)
                    putWord(word + 2 * frame, valueAt(frame));
        }
        putWord(0, header.unknown00);
        putWord(2, header.frameCount);
        putRecord(4, header.translation);
        putLong(kHighTableAt, header.highTable);
        putLong(kLowTableAt, header.lowTable);
        return fits_ ? std::optional(std::move(image_)) : std::nullopt;
    }

  private:
    void putBits(std::uint64_t offset, std::uint8_t bits, unsigned value) {
        if (offset < image_.size())
            image_[offset] = static_cast<std::uint8_t>((image_[offset] & ~bits) | (value & bits));
        else
            fits_ = false;
    }
    void put(std::uint64_t offset, core::Bytes bytes) {
        for (const std::uint8_t byte : bytes)
            putBits(offset++, 0xFF, byte);
    }
    void putWord(std::uint64_t offset, std::uint16_t value) {
        putBits(offset, 0xFF, value & 0xFFU);
        putBits(offset + 1, 0xFF, value >> 8U);
    }
    void putLong(std::uint64_t offset, std::uint32_t value) {
        putWord(offset, static_cast<std::uint16_t>(value & 0xFFFFU));
        putWord(offset + 2, static_cast<std::uint16_t>(value >> 16U));
    }
    void putRecord(std::uint64_t offset, const Record& record) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            putWord(offset + 2 * axis, record.words[axis]);
        putWord(offset + 6, record.mask);
    }

    /// @param bits the bits of an angle that the table stores
    void putTable(std::uint64_t tableAt, const std::vector<Record>& table, Angle bits) {
        const bool isHigh = bits == 0xFF0;
        for (std::size_t bone = 0; bone < table.size(); ++bone) {
            Record record = table[bone];
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::size_t channel = 3 * bone + axis;
                const Angle first = animation_.angles.at(channel, 0);
                std::uint16_t& word = record.words[axis];
                if (record.isConstant(axis))
                    word = isHigh ? withConstant(word, 0xFF, static_cast<std::uint16_t>(first >> 4U))
                                  : withConstant(word, 0x0F, first);
                else if (isHigh)
                    putHighStream(word, channel);
                else
                    putLowStream(word, channel);
            }
            putRecord(tableAt + bone * kRecordSize, record);
        }
    }
    void putHighStream(std::uint64_t offset, std::size_t channel) {
        for (std::size_t frame = 0; frame < animation_.frameCount; ++frame)
            putBits(offset + frame, 0xFF, static_cast<unsigned>(animation_.angles.at(channel, frame) >> 4U));
    }
    void putLowStream(std::uint64_t offset, std::size_t channel) {
        for (std::size_t frame = 0; frame < animation_.frameCount; ++frame) {
            const unsigned low = lowPart(animation_.angles.at(channel, frame));
            putBits(offset + frame / 2, frame % 2 == 0 ? 0x0F : 0xF0, low | low << 4U);
        }
    }

    const Animation& animation_;
    const Layout& layout_;
    core::ByteVector image_;
    bool fits_ = true;
};

template <typename T>
bool showTheSame(const Channels<T>& a, const Channels<T>& b, std::size_t frames) {
    if (a.count() != b.count())
        return false;
    for (std::size_t channel = 0; channel < a.count(); ++channel)
        for (std::size_t frame = 0; frame < frames; ++frame)
            if (a.at(channel, frame) != b.at(channel, frame))
                return false;
    return true;
}

bool showTheSame(const Animation& a, const Animation& b) {
    return a.frameCount == b.frameCount && a.hasLowTable == b.hasLowTable &&
           showTheSame(a.translation, b.translation, a.frameCount) && showTheSame(a.angles, b.angles, a.frameCount);
}

std::vector<Layout::Unused> unusedBytes(const Words& words) {
    const core::ByteVector used = usedBits(words);
    std::vector<Layout::Unused> runs;
    for (std::size_t i = 0; i < used.size(); ++i) {
        const auto rest = static_cast<std::uint8_t>(words.bytes[i] & ~used[i]);
        if (rest == 0)
            continue;
        if (runs.empty() || runs.back().offset + runs.back().bytes.size() != i)
            runs.push_back({static_cast<std::uint32_t>(i), {}});
        runs.back().bytes.push_back(rest);
    }
    return runs;
}

Layout layoutOf(const Words& words) {
    const bool hasLowTable = words.lowTable != kNoTable;
    return {static_cast<std::uint32_t>(words.bytes.size()),
            words.header.unknown00,
            words.header.translation,
            words.header.highTable,
            words.header.lowTable,
            words.high,
            hasLowTable ? words.low : std::vector<Record>(),
            unusedBytes(words)};
}

/// Warns about parts of a layout that the values override: constants in records, and unused bytes that are now used.
void reportOtherLayout(const Layout& asked, const Layout& written, core::Diagnostics& diagnostics) {
    const auto report = [&diagnostics](bool same, const char* field) {
        if (!same)
            diagnostics.note(Code::recomputed, {field, std::nullopt}, "does not fit the values and is rewritten");
    };
    report(asked.translation == written.translation, "layout.translation");
    report(asked.high == written.high, "layout.high_records");
    report(asked.low == written.low, "layout.low_records");
    report(asked.unused == written.unused, "layout.unused");
}

/// The block in its stored layout. Empty if a reader would not find the same values: an edited constant may need a
/// stream, and edited streams may no longer be able to share bytes.
std::optional<core::ByteVector> encodeInLayout(const Animation& animation, const Layout& layout,
                                               core::Diagnostics& diagnostics) {
    std::optional<core::ByteVector> image = InLayout(animation, layout).encode();
    if (!image)
        return std::nullopt;
    try {
        core::Diagnostics ignored;
        const auto bones = static_cast<std::uint32_t>(animation.boneCount());
        const Words words = readWords(core::LittleEndianReader(*image), bones, ignored);
        if (!showTheSame(animationOf(words), animation))
            return std::nullopt;
        reportOtherLayout(layout, layoutOf(words), diagnostics);
        return image;
    } catch (const DecodeError&) {
        return std::nullopt;
    }
}

bool isInUsualOrder(const Words& words, const Animation& animation) {
    try {
        const core::ByteVector usual = UsualOrder(animation).encode();
        return std::equal(usual.begin(), usual.end(), words.bytes.begin(), words.bytes.end());
    } catch (const DecodeError&) {  // without sharing, the block's streams would not fit
        return false;
    }
}

/// Reports a block whose number of bones can't be inferred: nothing follows its HIGH table, or the bytes after it look
/// like more of the table. Such blocks are valid with a model that states the number.
void reportHiddenBones(core::Bytes image, const Animation& animation, core::Diagnostics& diagnostics) {
    const core::LittleEndianReader block(image);
    const Words words = readHeaderAndPointers(block);
    const std::optional<std::uint64_t> shown = recordsInHighTable(image, words.highTable, words.lowTable);
    if (shown == animation.boneCount())
        return;
    diagnostics.note(Code::assumed, {animation.hasLowTable ? "bone_count" : "low_table", std::nullopt},
                     fmt::format("{}the block {}. To read the file, name a model with {} bones",
                                 animation.hasLowTable ? "" : "is false, and ",
                                 shown ? fmt::format("seems to have {} bones", *shown)
                                       : std::string("does not state its number of bones"),
                                 animation.boneCount()));
}

}  // namespace

BlockFacts examineBlock(const core::LittleEndianReader& object, std::optional<std::uint32_t> bones) {
    const Words words = readHeaderAndPointers(object);
    if (recordsInHighTable(words.bytes, words.highTable, words.lowTable))
        bones.reset();
    else if (!bones)
        bones = recordsToTheEnd(words);
    core::Diagnostics ignored;  // decoding reports the same again
    const Words whole = readWords(object, bones, ignored);
    return {static_cast<std::uint32_t>(whole.high.size()), samplesIn(whole)};
}

Animation decodeAnimation(const core::LittleEndianReader& block, std::optional<std::uint32_t> bones,
                          core::SampleBudget& budget, core::Diagnostics& diagnostics) {
    core::tellDecoding("ff9 animation", block);
    return animationOf(readWithinBudget(block, bones, budget, diagnostics));
}

namespace {

/// The number of bones that is assumed so that a block can be written back if its number can't be inferred.
std::optional<std::uint32_t> assumedBones(const core::LittleEndianReader& block, core::Diagnostics& diagnostics) {
    const Words words = readHeaderAndPointers(block);
    if (recordsInHighTable(words.bytes, words.highTable, words.lowTable))
        return std::nullopt;
    const std::uint64_t room = (words.bytes.size() - words.highTable) / kRecordSize;
    const auto bones = static_cast<std::uint32_t>(std::min<std::uint64_t>(room, kMostBones));
    diagnostics.note(
        Code::assumed, placeAt(block, kHighTableAt, "high_table"),
        fmt::format("does not state the number of bones; {} bones, which fit before the end, are assumed", bones),
        {"joints", "N"});
    return bones;
}

}  // namespace

Block decodeBlock(const core::LittleEndianReader& block, std::optional<std::uint32_t> bones, core::SampleBudget& budget,
                  core::Diagnostics& diagnostics, UnknownBones unknown) {
    core::tellDecoding("ff9 animation", block);
    if (!bones && unknown == UnknownBones::assumed)
        bones = assumedBones(block, diagnostics);
    const Words words = readWithinBudget(block, bones, budget, diagnostics);
    Block result{animationOf(words), std::nullopt};
    if (!isInUsualOrder(words, result.animation))
        result.layout = layoutOf(words);
    return result;
}

core::ByteVector encodeBlock(const Block& block, core::Diagnostics& diagnostics) {
    std::optional<core::ByteVector> image;
    if (block.layout) {
        image = encodeInLayout(block.animation, *block.layout, diagnostics);
        if (!image)
            diagnostics.warn(Code::recomputed, {"layout", std::nullopt},
                             "does not fit the values; the order of the game's own tool is used");
    }
    if (!image)
        image = UsualOrder(block.animation).encode();
    reportHiddenBones(*image, block.animation, diagnostics);
    return std::move(*image);
}

// ---------------------------------------------------------------------------------------------------------------------
// Recognition

bool isAnimation(core::Bytes bytes) {
    try {
        core::Diagnostics ignored;
        const Words words = readWords(core::LittleEndianReader(bytes), std::nullopt, ignored);
        if (words.header.unknown00 != 0 || baseAddress(words.header) != 0 || !unusedBytes(words).empty())
            return false;
        constexpr std::size_t kMostPadding = 3;
        const core::ByteVector used = usedBits(words);
        std::size_t padding = 0;
        return std::all_of(used.begin(), used.end(), [&padding](std::uint8_t bits) {
            padding = bits == 0 ? padding + 1 : 0;
            return padding <= kMostPadding;
        });
    } catch (const DecodeError&) {
        return false;
    }
}

bool beginsLikeAnimation(core::Bytes bytes) {
    try {
        const Header header = readHeader(core::LittleEndianReader(bytes));
        return header.unknown00 == 0 && header.translation.mask <= kAllConstant &&
               (header.highTable == usualHighTable(header) ||
                (isAddress(header.highTable) && header.lowTable - header.highTable < bytes.size()));
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::ff9
