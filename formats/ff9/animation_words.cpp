#include "formats/ff9/animation_words.h"

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

namespace reanima::ff9 {

namespace {

using core::Code;
using core::DecodeError;

constexpr std::size_t kHeaderSize = 0x14;
constexpr std::uint32_t kAddressBit = 0x80000000;  // marks a pointer into the console's memory

constexpr std::uint64_t aligned(std::uint64_t offset) { return (offset + 3) / 4 * 4; }
constexpr std::size_t highStreamSize(std::size_t frames) { return frames; }
constexpr std::size_t lowStreamSize(std::size_t frames) { return (frames + 1) / 2; }
constexpr std::size_t translationStreamSize(std::size_t frames) { return 2 * frames; }

constexpr Angle highPart(std::uint32_t word) { return static_cast<Angle>((word & 0xFFU) << 4U); }

Record readRecord(core::LittleEndianReader& reader) {
    Record record;
    for (std::size_t axis = 0; axis < 3; ++axis)
        record.words[axis] = reader.read<std::uint16_t>(kAxisNames[axis]);
    record.mask = reader.read<std::uint16_t>("mask");
    return record;
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

std::uint32_t boneCountFor(const core::LittleEndianReader& block, const BlockWords& words,
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

void checkTables(const core::LittleEndianReader& block, const BlockWords& words, std::uint32_t bones) {
    checkTable(block, kHighTableAt, "high_table", words.highTable, bones);
    if (words.header.lowTable != 0)
        checkTable(block, kLowTableAt, "low_table", words.lowTable, bones);
}

void readTranslation(const BlockWords& words, std::size_t axis, Channels<std::int16_t>& translation) {
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
void readAngle(const BlockWords& words, std::size_t bone, std::size_t axis, Channels<Angle>& angles) {
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

/// How many values all bones have for their angles: one for a constant angle, otherwise one per frame.
std::size_t anglesIn(const BlockWords& words) {
    std::size_t count = 0;
    for (std::size_t bone = 0; bone < words.high.size(); ++bone)
        for (std::size_t axis = 0; axis < 3; ++axis)
            count += words.high[bone].isConstant(axis) && words.low[bone].isConstant(axis) ? 1 : words.frames();
    return count;
}

}  // namespace

BlockHeader readHeader(core::LittleEndianReader block) {
    BlockHeader header;
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

std::uint32_t usualHighTable(const BlockHeader& header) {
    std::uint64_t end = kHeaderSize;
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (!header.translation.isConstant(axis))
            end += translationStreamSize(header.frameCount);
    return static_cast<std::uint32_t>(aligned(end));
}

bool isAddress(std::uint32_t pointer) { return (pointer & kAddressBit) != 0; }

std::uint32_t baseAddress(const BlockHeader& header) {
    return isAddress(header.highTable) ? header.highTable - usualHighTable(header) : 0;
}

core::Place placeAt(const core::LittleEndianReader& block, std::size_t offset, std::string_view field) {
    return block.at(offset, field).place(field);
}

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

std::optional<std::uint32_t> recordsToTheEnd(const BlockWords& words) {
    const std::uint64_t size = words.bytes.size() - words.highTable;
    const bool fits = size % kRecordSize == 0 && size / kRecordSize <= kMostBones;
    return fits ? std::optional(static_cast<std::uint32_t>(size / kRecordSize)) : std::nullopt;
}

BlockWords readHeaderAndPointers(const core::LittleEndianReader& block) {
    BlockWords words;
    words.bytes = core::LittleEndianReader(block).rest();
    words.header = readHeader(block);
    const std::uint32_t base = baseAddress(words.header);
    words.highTable = words.header.highTable - base;
    words.lowTable = words.header.lowTable == 0 ? kNoTable : words.header.lowTable - base;
    checkTables(block, words, 1);
    return words;
}

BlockWords readWords(const core::LittleEndianReader& block, std::optional<std::uint32_t> bones,
                     core::Diagnostics& diagnostics) {
    BlockWords words = readHeaderAndPointers(block);
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

core::ByteVector usedBits(const BlockWords& words) {
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

std::size_t endOfContent(const BlockWords& words) {
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

Animation animationOf(const BlockWords& words) {
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

}  // namespace reanima::ff9
