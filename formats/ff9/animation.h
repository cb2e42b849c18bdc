/// Animation blocks of Final Fantasy IX (PlayStation), file type 0x03: Euler angles, split into a table of high bytes
/// and one of low nibbles. The tables' records contain constants or refer to streams.
///
/// Layout, units and evidence: docs/formats/ff9_animation.md
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../../core/byte_reader.h"
#include "../../core/diagnostics.h"
#include "../../core/limits.h"
#include "../../core/rotation.h"

namespace reanima::ff9 {

using core::Angle;

/// Values over time, one channel after the other. A constant channel has one value, others have one per frame.
template <typename T>
class Channels {
  public:
    void reserve(std::size_t channels, std::size_t values) {
        ends_.reserve(channels);
        values_.reserve(values);
    }

    /// Appends a channel of `count` values, to be filled by the caller.
    std::span<T> add(std::size_t count) {
        values_.resize(values_.size() + count);
        ends_.push_back(values_.size());
        return std::span(values_).last(count);
    }
    /// Appends a copy of a channel. The channel may belong to this object.
    void add(std::span<const T> values) {
        const std::vector<T> copied(values.begin(), values.end());
        std::copy(copied.begin(), copied.end(), add(copied.size()).begin());
    }

    [[nodiscard]] std::size_t count() const { return ends_.size(); }
    [[nodiscard]] std::span<const T> operator[](std::size_t channel) const {
        const std::size_t begin = channel == 0 ? 0 : ends_[channel - 1];
        return std::span(values_).subspan(begin, ends_[channel] - begin);
    }
    [[nodiscard]] T at(std::size_t channel, std::size_t frame) const {
        const std::span<const T> values = (*this)[channel];
        return values.size() == 1 ? values.front() : values[frame];
    }

  private:
    std::vector<std::size_t> ends_;  // per channel: the index after its last value
    std::vector<T> values_;
};

/// The content of a block, independent of its layout.
struct Animation {
    std::uint16_t frameCount = 0;  ///< 1 or more
    bool hasLowTable = true;       ///< false: the low four bits of all angles are 0
    Channels<std::int16_t>
        translation;         ///< x, y, z of bone 0 in the game's units (a person is about 458 tall); Y points down
    Channels<Angle> angles;  ///< x, y, z of every bone in turn, in 1/4096 turn, 0 to 4095

    [[nodiscard]] std::size_t boneCount() const { return angles.count() / 3; }
};

/// Eight bytes of a table, or of the header, as stored.
struct Record {
    std::array<std::uint16_t, 3> words{};  ///< for x, y and z: the constant, or the offset of the stream
    std::uint16_t mask = 0;                ///< bit 0: x is constant; bit 1: y; bit 2: z

    [[nodiscard]] bool isConstant(std::size_t axis) const { return (mask >> axis & 1U) != 0; }
    friend bool operator==(const Record&, const Record&) = default;
};

/// A layout that differs from the layout of the game's tool. With the values, it is all that is needed to write the
/// block back unchanged. It includes the words of constants, because their unused upper bits can have any value.
struct Layout {
    std::uint32_t size = 0;  ///< bytes
    std::uint16_t unknown00 = 0;
    Record translation;
    std::uint32_t highTable = 0;  ///< an offset or, with bit 31 set, an address in the console's memory
    std::uint32_t lowTable = 0;   ///< see highTable; 0: none
    std::vector<Record> high;
    std::vector<Record> low;

    /// Non-zero bytes that values do not use, or use only in part. Used bits are 0 here.
    struct Unused {
        std::uint32_t offset = 0;
        core::ByteVector bytes;

        friend bool operator==(const Unused&, const Unused&) = default;
    };
    std::vector<Unused> unused;
};

/// A block with everything needed to write it back.
struct Block {
    Animation animation;
    std::optional<Layout> layout;  ///< empty: the layout of the game's tool
};

inline constexpr std::uint32_t kMostBones = 255;
inline constexpr std::uint32_t kMostFrames = 65535;

/// Facts from the header and tables of a block, without decoding values.
struct BlockFacts {
    std::uint32_t bones = 0;
    std::uint64_t samples = 0;  ///< number of samples that decoding takes from a SampleBudget
};

/// Examines a block that fills an object of a container. The number of bones is not stored; it is inferred from the end
/// of the HIGH table, where the LOW table or the first stream begins. If nothing follows the table, the number is
/// `bones` or, without it, as many as fit before the object's end.
/// @throws core::DecodeError for a table or stream outside the object, or if the number of bones can't be found
[[nodiscard]] BlockFacts examineBlock(const core::LittleEndianReader& object, std::optional<std::uint32_t> bones);

/// Decodes the values of a block.
/// @param bones number of bones of the skeleton; inferred if unset
/// @throws core::DecodeError for a table or stream outside the block, or a bone count that can't be inferred; of the
/// kind `skeletonMismatch` for a skeleton with more bones than the block; of the kind `limit` if the frames exceed the
/// budget (a bone that moves counts six per frame)
[[nodiscard]] Animation decodeAnimation(const core::LittleEndianReader& block, std::optional<std::uint32_t> bones,
                                        core::SampleBudget& budget, core::Diagnostics& diagnostics);

/// How to treat a block whose number of bones can't be inferred, if there is no skeleton.
enum class UnknownBones {
    refused,
    assumed,  ///< as many bones as fit before the block's end; all bytes are preserved
};

/// Decodes a block with its layout, for writing it back.
[[nodiscard]] Block decodeBlock(const core::LittleEndianReader& block, std::optional<std::uint32_t> bones,
                                core::SampleBudget& budget, core::Diagnostics& diagnostics,
                                UnknownBones unknown = UnknownBones::assumed);

/// Encodes a block. Uses the stored layout if the values fit, otherwise the layout of the game's tool, with a warning.
/// A decoded block is reproduced byte for byte.
/// @throws core::DecodeError for values that the format can't store
[[nodiscard]] core::ByteVector encodeBlock(const Block& block, core::Diagnostics& diagnostics);

/// True if all bytes are a block: header, tables, streams, and only padding between them.
[[nodiscard]] bool isAnimation(core::Bytes bytes);
/// True if the bytes begin like a block that is truncated or damaged, or has an unusual layout.
[[nodiscard]] bool beginsLikeAnimation(core::Bytes bytes);

}  // namespace reanima::ff9
