/// The header, tables and streams of an animation block as stored.
///
/// Layout and evidence: docs/formats/ff9_animation.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "animation.h"

namespace reanima::ff9 {

inline constexpr std::size_t kRecordSize = 8;
inline constexpr std::size_t kHighTableAt = 0x0C;  ///< offset of the header's pointer to the HIGH table
inline constexpr std::size_t kLowTableAt = 0x10;   ///< offset of the header's pointer to the LOW table
inline constexpr std::uint64_t kNoTable = 0;
inline constexpr std::array<const char*, 3> kAxisNames = {"x", "y", "z"};
inline constexpr std::uint16_t kAllConstant = 0b111;  ///< the mask of a record without streams

/// The bits of an angle that the LOW table stores.
[[nodiscard]] constexpr Angle lowPart(std::uint32_t word) { return static_cast<Angle>(word & 0x0FU); }

struct BlockHeader {
    std::uint16_t unknown00 = 0;
    std::uint16_t frameCount = 0;
    Record translation;
    std::uint32_t highTable = 0;  ///< as stored
    std::uint32_t lowTable = 0;
};

/// The header and records of a block. All streams are inside the block.
struct BlockWords {
    core::Bytes bytes;
    BlockHeader header;
    std::uint64_t highTable = 0;  ///< an offset, even if the header has an address
    std::uint64_t lowTable = kNoTable;
    std::vector<Record> high;
    std::vector<Record> low;  ///< as many as in `high`; without a table, all are constant 0

    [[nodiscard]] std::size_t frames() const { return header.frameCount; }
};

/// @throws core::DecodeError if the header is truncated or there are no frames
[[nodiscard]] BlockHeader readHeader(core::LittleEndianReader block);

/// The offset of the HIGH table in blocks of the game's own tool: after the streams of the translation.
[[nodiscard]] std::uint32_t usualHighTable(const BlockHeader& header);

/// True for a pointer into the console's memory.
[[nodiscard]] bool isAddress(std::uint32_t pointer);

/// The value to subtract from the table pointers of a block dumped from the console's memory; 0 for other blocks.
[[nodiscard]] std::uint32_t baseAddress(const BlockHeader& header);

/// The place of a field at an offset of the block.
[[nodiscard]] core::Place placeAt(const core::LittleEndianReader& block, std::size_t offset, std::string_view field);

/// The number of records between the start of the HIGH table and the next part: the LOW table, or the first stream of
/// the HIGH table. Empty if nothing follows. Reads no more records than a block can have.
[[nodiscard]] std::optional<std::uint64_t> recordsInHighTable(core::Bytes bytes, std::uint64_t highTable,
                                                              std::uint64_t lowTable);

/// The number of records if the HIGH table extends to the block's end. Empty if the last record is incomplete, or for
/// more records than kMostBones.
[[nodiscard]] std::optional<std::uint32_t> recordsToTheEnd(const BlockWords& words);

/// Reads everything except the records. Each table must have room for one record.
/// @throws core::DecodeError
[[nodiscard]] BlockWords readHeaderAndPointers(const core::LittleEndianReader& block);

/// Reads the header and the records, and checks that all streams are inside the block.
/// @param bones number of bones of the skeleton; inferred if unset
/// @throws core::DecodeError as decodeAnimation()
[[nodiscard]] BlockWords readWords(const core::LittleEndianReader& block, std::optional<std::uint32_t> bones,
                                   core::Diagnostics& diagnostics);

/// Marks the bits of a block that are values, and the words that point to values.
[[nodiscard]] core::ByteVector usedBits(const BlockWords& words);

/// The end of the last table or stream.
[[nodiscard]] std::size_t endOfContent(const BlockWords& words);

/// The values of the constants and streams.
[[nodiscard]] Animation animationOf(const BlockWords& words);

}  // namespace reanima::ff9
