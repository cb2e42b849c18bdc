/// Animations of Metroid Prime and Metroid Prime 2: Echoes (ANIM): arrays of floats, or bit-packed changes of numbers.
///
/// Layout, units and evidence: docs/formats/metroid_anim.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "../../../core/bytes.h"
#include "../../../core/diagnostics.h"
#include "../../../core/limits.h"
#include "../game.h"

namespace reanima::metroid {

/// Marks an animation without events. 0 has the same meaning.
inline constexpr std::uint32_t kNoEvents = 0xFFFFFFFF;
/// Marks slots without a channel, in the tables of arrays.
inline constexpr std::uint8_t kNoChannel = 0xFF;

// ---------------------------------------------------------------------------------------------------------------------
// Type 2: a stream of bits

/// X, Y or Z of a property: the value in frame 0, then one change per key. The running value wraps at 16 bits.
struct Component {
    std::int16_t initial = 0;
    std::uint8_t bits = 0;                ///< width of every change, 0 to 32
    std::vector<std::int32_t> changes{};  ///< one per key of the stream; empty if bits is 0
};

/// The rotation, translation or scale of one channel.
struct Property {
    std::uint16_t keyCount = 0;  ///< as stored, never 0; the true number follows from the key bitmap and frame count
    std::array<Component, 3> components{};
};

struct StreamChannel {
    std::uint32_t bone = 0;
    std::optional<Property> rotation{};  ///< numbers of core::SineRotations
    std::vector<std::int32_t>
        signs{};  ///< sign of W at every key of the stream: 0, or -1 for negative; frame 0 is positive
    std::optional<Property> translation{};
    std::optional<Property> scale{};  ///< Echoes only
};

/// The number of bits in a word of a key bitmap or a stream.
inline constexpr std::uint32_t kWordBits = 32;

struct StreamAnimation {
    std::uint32_t scratchSize = 0;          ///< bytes that the game allocates for reading, without a check
    std::uint32_t unknown1 = 1;             ///< Prime: 1, in 32 bits. Echoes: 0x0101, two bytes of 1
    std::uint32_t looping = 0;              ///< 0 or 1
    std::uint32_t rotationDivisor = 32767;  ///< the number that means a quarter turn
    float translationMultiplier = 1;
    float scaleMultiplier = 1;          ///< Echoes only
    std::uint32_t channelCount = 0;     ///< as stored in the header; not used by the game
    std::uint32_t unknown2 = 1;         ///< 1
    std::uint32_t frameCount = 1;       ///< length of the key bitmap in bits
    std::vector<std::uint32_t> bitmap;  ///< bit i % 32 of word i / 32 is set where frame i has keys; bit 0 is not used
    std::uint32_t channelCount2 = 0;    ///< Prime only: as stored after the bitmap; not used by the game
    std::vector<StreamChannel> channels;
    std::uint32_t tailBits = 0;  ///< the bits after the last key, in the last word of the stream
};

/// The number of keys in the stream: the set bits from frame 1 on.
[[nodiscard]] std::size_t streamKeyCount(const StreamAnimation& stream);

// ---------------------------------------------------------------------------------------------------------------------
// Type 0: arrays with a key in every frame

struct ArrayAnimation {
    std::uint32_t durationKind = 0;  ///< the game's kind of time: 0 to 4
    std::uint32_t intervalKind = 0;
    std::uint32_t keyCount = 0;                   ///< frames
    core::ByteVector slots;                       ///< bone id -> channel, or kNoChannel
    core::ByteVector rotationOf;                  ///< Echoes: channel -> array of rotations; in Prime, array = channel
    core::ByteVector translationOf;               ///< channel -> array of translations
    core::ByteVector scaleOf;                     ///< Echoes: channel -> array of scales
    std::vector<std::array<float, 4>> rotations;  ///< W X Y Z; [array * keyCount + key]
    std::vector<std::array<float, 3>> translations;  ///< [array * keyCount + key]
    std::vector<std::array<float, 3>> scales;        ///< [array * keyCount + key]
};

// ---------------------------------------------------------------------------------------------------------------------

struct Animation {
    Game game = Game::prime;
    float duration = 0;  ///< seconds
    float interval = 0;  ///< seconds from frame to frame
    std::uint32_t rootBone = 3;
    std::uint32_t events = kNoEvents;  ///< Prime only: id of the EVNT
    std::variant<StreamAnimation, ArrayAnimation> content;
    core::ByteVector padding;  ///< bytes after the content

    [[nodiscard]] const StreamAnimation* stream() const { return std::get_if<StreamAnimation>(&content); }
    [[nodiscard]] const ArrayAnimation* arrays() const { return std::get_if<ArrayAnimation>(&content); }
};

/// Decodes an animation. Without a game, both layouts are tried. The one that more redundant fields agree with is used.
/// @throws core::DecodeError for an animation of another game, a truncated file, impossible counts, tables with invalid
/// entries, unusable values, and more keys than the limits allow
[[nodiscard]] Animation decodeAnimation(core::Bytes file, std::optional<Game> game, const core::Limits& limits,
                                        core::Diagnostics& diagnostics);

/// Encodes an animation. A decoded file is reproduced byte for byte.
/// @throws core::DecodeError if the numbers of changes and keys differ, or a change does not fit in its bits
[[nodiscard]] core::ByteVector encodeAnimation(const Animation& animation);

/// Seconds from the first frame to the last.
[[nodiscard]] double lengthOf(std::uint32_t frames, float interval);

/// A scratch size that is large enough for the game to read the animation, in any layout.
[[nodiscard]] std::uint32_t sufficientScratchSize(const StreamAnimation& stream);

/// The id of an animation's events, if it can be read and names events.
[[nodiscard]] std::optional<std::uint32_t> eventsIdOf(core::Bytes file);

/// True if all bytes have the structure of an animation, without warnings.
[[nodiscard]] bool isAnimation(core::Bytes file);
/// True if the bytes begin like a truncated or damaged animation.
[[nodiscard]] bool beginsLikeAnimation(core::Bytes file);

}  // namespace reanima::metroid
