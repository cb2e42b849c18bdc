/// Binary glTF files in fewer bytes, for pages that play them: drawing/player/packed.js has the other direction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/bytes.h"

namespace reanima::drawing {

/// A .glb in parts, one after the other: the JSON, then the chunk of bytes, of which every image is a part of its own
/// and animations are others than meshes. Characters that share meshes or images have such parts in common.
struct GlbPart {
    core::ByteVector bytes;  ///< rearranged
    std::size_t size = 0;    ///< of what they stand for in the chunk
};

/// The same file comes out again, bit by bit, without chunks after the second.
///
/// A part of the chunk is rearranged, so that it can be compressed. 32-bit floats become integers: the difference of
/// their bits to those of the element before (of the first element: to 0), the sign in the lowest bit. Of rotations the
/// component that is the largest is the difference to what the others leave of a unit quaternion, with the sign that it
/// had in the key before. Then come: the index of that component for each channel of rotations, a byte; the integers of
/// those components, the lowest byte of all, then the next; the other integers likewise; what is no float as it is.
/// @param glb with a JSON that can be parsed; what that says of its chunk may be wrong
[[nodiscard]] std::vector<GlbPart> partsOfGlb(core::Bytes glb);

/// A byte, 1 if a zlib stream follows, 0 where bytes do since that is not longer.
[[nodiscard]] core::ByteVector packed(core::Bytes bytes);

/// Seven bits a character, the highest first, and 0 at the end: of a script element (`html`), or of a string of a
/// script between backticks (`script`). Characters that mean something there stand 128 places further.
enum class TextPlace : std::uint8_t { html, script };
[[nodiscard]] std::string asText(core::Bytes bytes, TextPlace place);

}  // namespace reanima::drawing
