/// Textures of the PlayStation (TIM): a picture of 4, 8, 15 or 24 bits per texel, with or without a table of colours
/// (CLUT). Both have a place in the console's texture memory.
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
    std::uint32_t byteCount = 0;         ///< as stored: the size of the words and the 12 bytes before them
    std::uint16_t x = 0;                 ///< in words
    std::uint16_t y = 0;                 ///< in rows
    std::uint16_t width = 0;             ///< in words
    std::uint16_t height = 0;            ///< in rows
    std::vector<std::uint16_t> words{};  ///< width x height, row by row
};
/// The header before the words.
void describe(auto&& f, fields::RecordOf<TimBlock> auto& block) {
    f("bytes", block.byteCount, fields::kMayLack);
    f("x", block.x);
    f("y", block.y);
    f("width", block.width);
    f("height", block.height);
}

struct Tim {
    std::uint8_t mode = 0;  ///< stands for the bits per texel: 0 for 4, 1 for 8, 2 for 15, 3 for 24
    std::optional<TimBlock> clut{};
    core::ByteVector clutRest{};  ///< the CLUT block's bytes after its words
    /// True if the image follows the CLUT's words directly, although the CLUT's byte count points into the last of
    /// these words, where no image fits.
    bool imageFollowsWords = false;
    TimBlock image{};
    core::ByteVector rest{};  ///< all bytes after the image's words
};

inline constexpr std::uint8_t kHighestTimMode = 3;

/// Texels in a row of the image.
[[nodiscard]] std::uint32_t pixelWidthOf(const Tim& tim);

/// Decodes a texture. A block whose stated length disagrees with its words is read with a warning.
/// @throws core::DecodeError for a wrong mark, unknown flags, or a block that extends beyond the file
[[nodiscard]] Tim decodeTim(core::LittleEndianReader file, core::Diagnostics& diagnostics);

/// Encodes a texture. A decoded file is reproduced byte for byte.
[[nodiscard]] core::ByteVector encodeTim(const Tim& tim);

/// True if the file is a texture, with nothing but zeros after it.
[[nodiscard]] bool isTim(core::Bytes file);
/// True if the bytes begin like a texture.
[[nodiscard]] bool beginsLikeTim(core::Bytes file);

}  // namespace reanima::psx
