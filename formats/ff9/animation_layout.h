/// Writes an animation block: in the order of the game's own tool, or in the layout that a block had.
#pragma once

#include <optional>
#include <vector>

#include "animation.h"
#include "animation_words.h"

namespace reanima::ff9 {

/// A block in the order of the game's own tool: a part that never changes is stored as a constant, and no streams share
/// bytes.
/// @throws core::DecodeError if a stream would begin after the first 64 KiB
[[nodiscard]] core::ByteVector encodeInUsualOrder(const Animation& animation);

/// True if the block begins with the bytes that encodeInUsualOrder() makes.
[[nodiscard]] bool isInUsualOrder(const BlockWords& words, const Animation& animation);

/// Non-zero bytes of a block that values do not use, or use only in part.
[[nodiscard]] std::vector<Layout::Unused> unusedBytes(const BlockWords& words);

/// The layout of a block, with all data for writing it back unchanged.
[[nodiscard]] Layout layoutOf(const BlockWords& words);

/// The block in its stored layout. Empty if a reader would not find the same values: an edited constant may need a
/// stream, and edited streams may no longer agree on shared bytes. Notes which parts of the layout were rewritten.
[[nodiscard]] std::optional<core::ByteVector> encodeInLayout(const Animation& animation, const Layout& layout,
                                                             core::Diagnostics& diagnostics);

}  // namespace reanima::ff9
