/// Offset tables at the start of Final Fantasy VIII's files and sections.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/byte_reader.h"

namespace reanima::ff8 {

/// @param reader positioned at the first offset; offsets count from the place `least` bytes before the table's end
/// @throws core::DecodeError unless all offsets are between `least` and the end of the data
[[nodiscard]] std::vector<std::uint32_t> readOffsets(core::LittleEndianReader& reader, std::string_view name,
                                                     std::size_t count, std::uint64_t least);

/// The places of a section's parts, relative to its first byte.
struct Parts {
    std::vector<std::uint32_t> starts;  ///< in the order of the table
    std::vector<std::uint32_t> bounds;  ///< all starts, and the end of the section, ascending
    std::uint32_t tableEnd = 0;

    /// The next part's start, or the section's end.
    [[nodiscard]] std::uint32_t endOf(std::uint32_t start) const;
    /// @throws core::DecodeError of the kind `limit` that names `place` if the parts together are far larger than the
    /// section, because they share bytes
    void requireLittleSharing(const core::Place& place) const;
    /// True if the parts are in the order of the table.
    [[nodiscard]] bool areInOrder() const;
};

/// Reads a u32 `countName` and that many u32 `offsetsName`.
/// @param wordsAfter number of u32 after the table
/// @throws core::DecodeError if the table or a part is out of range
[[nodiscard]] Parts readParts(core::LittleEndianReader section, std::string_view countName,
                              std::string_view offsetsName, std::size_t wordsAfter = 0);

}  // namespace reanima::ff8
