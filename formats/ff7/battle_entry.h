/// Reads one entry of a battle animation pack: finds its layout and its number of triples per frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "battle_animation.h"
#include "core/byte_reader.h"

namespace reanima::ff7 {

/// The layouts of a chunk. One known file lacks the number of frames.
enum class Layout { usual, withoutFrameCount };

/// Bytes of a chunk before its stream.
[[nodiscard]] constexpr std::uint32_t headerSize(Layout layout) { return layout == Layout::usual ? 5 : 3; }

/// The number of frames that the words of an entry state.
[[nodiscard]] std::uint32_t wantedFrames(const std::optional<std::uint16_t>& streamFrameCount,
                                         std::uint32_t frameCount);

/// Reads the next entry of a pack. A chunk without a readable frame is kept as damaged, with a warning.
/// @param mismatch receives the first error of an entry that does not fit the skeleton
/// @throws core::DecodeError if the header is truncated; of the kind `limit` if the frames exceed the budget
[[nodiscard]] BattleAnimation readEntry(core::LittleEndianReader& pack, std::size_t index, const PackHints& hints,
                                        core::SampleBudget& budget, std::optional<core::DecodeError>& mismatch,
                                        core::Diagnostics& diagnostics);

}  // namespace reanima::ff7
