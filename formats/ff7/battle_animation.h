/// Battle animation packs of Final Fantasy VII (PC), `**da` and `*.a00`: bit-packed changes of Euler angles.
///
/// Layout, units and evidence: docs/formats/ff7_battle_animation.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../core/bytes.h"
#include "../../core/diagnostics.h"
#include "../../core/limits.h"
#include "../../core/rotation.h"
#include "../angle_frames.h"

namespace reanima::ff7 {

using core::Angle;

/// The content of one stream. Triple 0 is the root's. A hip is about 466 units above the ground; Y points down.
struct Frames : AngleFrames {
    /// The rest of the stream after the last frame: the last bits of a byte, then whole bytes. Usually there are 0 to 7
    /// bits, which are not always zero.
    std::uint8_t tailBits = 0;
    core::ByteVector tailBytes;

    /// A run of changes that are stored in the wide form although the short form fits. No known tool of the game writes
    /// them. `first` counts the changes after frame 0: per frame three of the translation, then three per triple.
    struct WideRun {
        std::uint32_t first;
        std::uint32_t count;

        friend bool operator==(const WideRun&, const WideRun&) = default;
    };
    std::vector<WideRun> wideRuns;
};

/// One entry of a pack, with its words as stored.
struct BattleAnimation {
    enum class Kind {
        animation,
        special,  ///< a chunk too short for an animation: keeps its place and its bytes
        damaged,  ///< no frame can be read: keeps its place and its bytes
    };

    Kind kind = Kind::animation;
    std::uint64_t offset = 0;      ///< offset of the 12-byte header; 0 if it was not decoded
    std::uint32_t boneCount = 0;   ///< bones + 1, or 1 for a weapon; unreliable
    std::uint32_t frameCount = 0;  ///< unreliable
    std::uint32_t blockSize = 0;   ///< bytes of the chunk
    std::uint32_t missing = 0;     ///< bytes of the chunk missing from a truncated file

    // Of an animation:
    std::optional<std::uint16_t> streamFrameCount;  ///< the true number of frames; one known file lacks it
    std::uint16_t streamSize = 0;                   ///< bytes
    std::uint8_t keyBits = 0;                       ///< 0, 2 or 4: angles are multiples of 1 << keyBits
    std::uint32_t rotationCount = 0;                ///< triples per frame
    std::uint32_t decodedRotationCount = 0;         ///< rotationCount before an edit
    Frames frames;
    core::ByteVector padding;  ///< bytes of the chunk after the stream

    core::ByteVector raw;  ///< the chunk of a special or damaged entry
};

/// The memory of an animation, including the object itself.
[[nodiscard]] std::uint64_t memoryOf(const BattleAnimation& animation);

struct BattlePack {
    std::uint32_t count = 0;  ///< number of animations as stored
    std::vector<BattleAnimation> animations;
    core::ByteVector trailing;  ///< bytes after the last animation
};

/// Facts about the model that tell the decoder of a pack how many triples to expect.
struct PackHints {
    std::optional<std::uint32_t> bones;
    std::optional<std::uint32_t> bodyAnimations;  ///< animations before the first weapon animation
};

/// The smallest chunk that can be an animation; shorter ones are special.
inline constexpr std::uint32_t kSmallestAnimation = 11;
inline constexpr std::array<std::uint8_t, 3> kKeyBits = {0, 2, 4};

/// Triples of a body animation: one for the root and one per bone. A model of one bone has only the root's.
[[nodiscard]] constexpr std::uint32_t bodyRotations(std::uint32_t bones) { return bones == 1 ? 1 : bones + 1; }

/// Decodes a pack. A damaged animation is kept with a warning, and does not affect the others.
/// @throws core::DecodeError if the number of animations can't be read, or if all together exceed the limits
[[nodiscard]] BattlePack decodeBattlePack(core::Bytes file, const PackHints& hints, const core::Limits& limits,
                                          core::Diagnostics& diagnostics);

/// Encodes a pack with the shortest codes, except for the wide ones of `wideRuns`. Stored words are kept if readers
/// decode the same frames with them. Others are rewritten, with a warning. A decoded file is reproduced byte for byte.
/// @throws core::DecodeError for frames that the format can't store
[[nodiscard]] core::ByteVector encodeBattlePack(const BattlePack& pack, core::Diagnostics& diagnostics);

/// The size in bytes of an animation's frames as a stream; 0 without frames.
[[nodiscard]] std::size_t streamSizeOf(const BattleAnimation& animation);

/// The largest of kKeyBits for which the low bits of every angle are 0. It gives the shortest stream without loss.
[[nodiscard]] std::uint8_t coarsestKey(const std::vector<AngleTriple>& rotations);

/// True if all bytes have the structure of a pack that contains something like an animation.
[[nodiscard]] bool isBattlePack(core::Bytes file);
/// True if the bytes begin like a truncated or damaged pack.
[[nodiscard]] bool beginsLikeBattlePack(core::Bytes file);

}  // namespace reanima::ff7
