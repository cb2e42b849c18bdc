/// Textures of Metroid Prime and Metroid Prime 2: Echoes (TXTR): a picture in one of the console's eleven formats, in
/// blocks, with smaller levels after it.
///
/// Layout and evidence: docs/formats/metroid_txtr.md
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "core/mesh.h"

namespace reanima::metroid {

enum class TexelFormat : std::uint32_t { i4, i8, ia4, ia8, c4, c8, c14x2, rgb565, rgb5a3, rgba8, cmpr };
inline constexpr std::uint32_t kLastTexelFormat = 10;

enum class PaletteFormat : std::uint32_t { ia8, rgb565, rgb5a3 };
inline constexpr std::uint32_t kLastPaletteFormat = 2;

struct Palette {
    PaletteFormat format = PaletteFormat::ia8;
    std::uint16_t width = 0;
    std::uint16_t height = 0;
    std::vector<std::uint16_t> colors;  ///< width x height
};

/// How many bytes may be missing at the end of the picture. They are read as zeros.
inline constexpr std::size_t kMostMissing = 32;

struct Txtr {
    TexelFormat format = TexelFormat::i4;
    std::uint16_t width = 0;   ///< width of the picture in texels; not 0
    std::uint16_t height = 0;  ///< height of the picture in texels; not 0
    std::uint32_t levels = 0;  ///< as stored; 0 means 1
    std::optional<Palette> palette{};
    core::ByteVector data{};  ///< the picture, smaller levels, and trailing bytes
};

/// How rows of a texture become rows of an image.
enum class Rows {
    bottomUp,  ///< last row first: textures of models are stored this way
    topDown,   ///< as stored
};

/// `CMPR`
[[nodiscard]] std::string_view nameOf(TexelFormat format);
[[nodiscard]] bool hasPalette(TexelFormat format);

/// The size of the picture in bytes, in whole blocks, without smaller levels.
[[nodiscard]] std::uint64_t pictureBytes(const Txtr& txtr);

/// The size of the complete levels in bytes, up to the stated number of levels.
[[nodiscard]] std::uint64_t levelBytes(const Txtr& txtr);

/// Decodes a texture. Up to 32 missing bytes of a picture are read as zeros, with a warning.
/// @throws core::DecodeError for an unknown format, a side of 0, a truncated palette or picture, and files of other
/// games; of the kind `limit` for more than Limits::picturePixels
[[nodiscard]] Txtr decodeTxtr(core::Bytes file, const core::Limits& limits, core::Diagnostics& diagnostics);

/// Encodes a texture. A decoded file is reproduced byte for byte.
[[nodiscard]] core::ByteVector encodeTxtr(const Txtr& txtr);

/// The picture, without a name. Texels with an index that is not in the palette become transparent, with a warning.
/// @param limits memory limit for the image
/// @throws core::DecodeError of the kind `limit`
[[nodiscard]] core::Image imageOf(const Txtr& txtr, Rows rows, const core::Limits& limits,
                                  core::Diagnostics& diagnostics);

/// True if the file is a texture of complete levels, with nothing but padding after them.
[[nodiscard]] bool isTxtr(core::Bytes file);

}  // namespace reanima::metroid
