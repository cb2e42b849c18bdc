/// Packs binary glTF files for preview pages; drawing/player/packed.js unpacks them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/bytes.h"

namespace reanima::drawing {

/// A part of a .glb: the JSON, or a part of the binary chunk. Images, meshes and animations are separate parts, so
/// characters with the same meshes or images share parts.
struct GlbPart {
    core::ByteVector bytes;  ///< rearranged
    std::size_t size = 0;    ///< number of original bytes in the chunk
};

/// Splits a .glb into parts. Lossless, except that chunks after the second are dropped. Parts of the chunk are
/// rearranged so that they compress better. 32-bit floats become integers: the difference between their bits and the
/// bits of the previous element (for the first: 0), with the sign in the lowest bit. The largest component of a
/// rotation is stored differently: relative to the value that completes a unit quaternion. That value has the sign of
/// the component in the previous key. The order of a part:
/// * a byte per rotation channel: the index of its largest component
/// * the integers of these components, all lowest bytes first, then the next ones
/// * the other integers in the same way
/// * all other data, unchanged
/// @param glb its JSON must be valid, but may describe the chunk wrongly
[[nodiscard]] std::vector<GlbPart> partsOfGlb(core::Bytes glb);

/// Packs bytes. The result begins with 1 for a zlib stream, or with 0 for raw bytes if those are not longer.
[[nodiscard]] core::ByteVector packed(core::Bytes bytes);

/// Where a text is used: in a script element, or in a string between backticks in a script.
enum class TextPlace : std::uint8_t { html, script };
/// Encodes bytes as characters of seven bits, the highest bits first, padded with 0. Characters with a special meaning
/// in that place get 128 added.
[[nodiscard]] std::string asText(core::Bytes bytes, TextPlace place);

}  // namespace reanima::drawing
