/// Packs binary glTF files for preview pages; drawing/player/packed.js unpacks them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/bytes.h"

namespace reanima::drawing {

/// A part of a .glb: the JSON, or a part of the binary chunk. Every image is a separate part, and animations are
/// separate from meshes, so that characters with the same meshes or images share parts.
struct GlbPart {
    core::ByteVector bytes;  ///< rearranged
    std::size_t size = 0;    ///< of the original bytes in the chunk
};

/// Lossless, except that chunks after the second are dropped.
///
/// Parts of the chunk are rearranged so that they compress better. 32-bit floats become integers: the difference of
/// their bits from those of the previous element (for the first: from 0), the sign in the lowest bit. The largest
/// component of rotations is instead the difference from the value that completes a unit quaternion, with its sign in
/// the previous key. The order is: a byte per rotation channel with the index of that component; the integers of those
/// components, lowest bytes first, then the next; the other integers in the same way; then everything that is not a
/// float, unchanged.
/// @param glb with valid JSON; its statements about the chunk may be wrong
[[nodiscard]] std::vector<GlbPart> partsOfGlb(core::Bytes glb);

/// A byte, then the data: 1 for a zlib stream, 0 for raw bytes if those are not longer.
[[nodiscard]] core::ByteVector packed(core::Bytes bytes);

/// Encodes bytes as characters of seven bits, highest bits first, padded with 0: for a script element (`html`), or for
/// a string between backticks in a script (`script`). Characters with a meaning there are shifted by 128.
enum class TextPlace : std::uint8_t { html, script };
[[nodiscard]] std::string asText(core::Bytes bytes, TextPlace place);

}  // namespace reanima::drawing
