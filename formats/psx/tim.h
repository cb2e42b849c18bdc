/// Textures of the PlayStation (TIM): a picture of 4, 8, 15 or 24 bits a texel, with or without a table of colours
/// (CLUT), and where the console's texture memory takes them.
///
/// Layout and evidence: docs/formats/psx_tim.md
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "../../core/byte_reader.h"
#include "../../core/diagnostics.h"
#include "../fields.h"

namespace reanima::psx {

/// A rectangle of words for the texture memory.
struct TimBlock {
    std::uint32_t byteCount = 0;         ///< as stored: of the words and the 12 bytes before them
    std::uint16_t x = 0;                 ///< in words
    std::uint16_t y = 0;                 ///< in rows
    std::uint16_t width = 0;             ///< in words
    std::uint16_t height = 0;            ///< in rows
    std::vector<std::uint16_t> words{};  ///< width x height, row by row
};
/// What stands before the words.
void describe(auto&& f, fields::RecordOf<TimBlock> auto& block) {
    f("bytes", block.byteCount, fields::kMayLack);
    f("x", block.x);
    f("y", block.y);
    f("width", block.width);
    f("height", block.height);
}

struct Tim {
    std::uint8_t mode = 0;  ///< 0: 4 bits, 1: 8 bits, 2: 15 bits, 3: 24 bits a texel
    std::optional<TimBlock> clut{};
    core::ByteVector clutRest{};  ///< what the block of the CLUT holds after its words
    /// The image follows the words of the CLUT, whose count of bytes leads elsewhere: into the last word, where no
    /// image has room.
    bool imageFollowsWords = false;
    TimBlock image{};
    core::ByteVector rest{};  ///< everything after the image's words
};

inline constexpr std::uint8_t kHighestTimMode = 3;

/// Texels in a row of the image.
[[nodiscard]] std::uint32_t pixelWidthOf(const Tim& tim);

/// Blocks that state another length than that of their words are read with a warning.
/// @throws core::DecodeError for another mark, unknown flags, or a block whose words leave the file
[[nodiscard]] Tim decodeTim(core::LittleEndianReader file, core::Diagnostics& diagnostics);

/// The file: the same bytes for what was decoded.
[[nodiscard]] core::ByteVector encodeTim(const Tim& tim);

/// True if the bytes are a texture to the last one, but for zeros after it.
[[nodiscard]] bool isTim(core::Bytes file);
/// True if they begin like one.
[[nodiscard]] bool beginsLikeTim(core::Bytes file);

}  // namespace reanima::psx
