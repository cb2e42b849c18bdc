/// Animation blocks of Final Fantasy IX (PlayStation), file type 0x03: Euler angles, split into a table of high bytes
/// and one of low nibbles whose records hold constants or lead to streams.
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

/// Values over time, one channel after the other. A channel has a single value where the block stores a constant, else
/// one per frame.
template <typename T>
class Channels {
  public:
    void reserve(std::size_t channels, std::size_t values) {
        ends_.reserve(channels);
        values_.reserve(values);
    }

    /// Appends a channel of so many values, to be filled.
    std::span<T> add(std::size_t count) {
        values_.resize(values_.size() + count);
        ends_.push_back(values_.size());
        return std::span(values_).last(count);
    }
    void add(std::span<const T> values) { std::copy(values.begin(), values.end(), add(values.size()).begin()); }

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
    std::vector<std::size_t> ends_;  // after the last value of each
    std::vector<T> values_;
};

/// What a block says, however it is laid out.
struct Animation {
    std::uint16_t frameCount = 0;  ///< 1 or more
    bool hasLowTable = true;       ///< false: the low four bits of all angles are 0
    Channels<std::int16_t>
        translation;         ///< x, y, z of bone 0 in the game's units, a person has about 458; Y points down
    Channels<Angle> angles;  ///< x, y, z of every bone in turn, in 1/4096 turn, 0 to 4095

    [[nodiscard]] std::size_t boneCount() const { return angles.count() / 3; }
};

/// Eight bytes of a table, or of the header, as stored.
struct Record {
    std::array<std::uint16_t, 3> words{};  ///< x, y and z: the constant, or the offset of the stream
    std::uint16_t mask = 0;                ///< bits 0, 1 and 2: x, y and z is constant

    [[nodiscard]] bool isConstant(std::size_t axis) const { return (mask >> axis & 1U) != 0; }
    friend bool operator==(const Record&, const Record&) = default;
};

/// How a block stores its values where that is not the way of the game's own tool: enough to write it back as it was.
/// The values themselves are not in it, but for the words of constants, whose upper bits mean nothing.
struct Layout {
    std::uint32_t size = 0;  ///< bytes
    std::uint16_t unknown00 = 0;
    Record translation;
    std::uint32_t highTable = 0;  ///< an offset or, with bit 31 set, an address in the console's memory
    std::uint32_t lowTable = 0;   ///< likewise; 0: none
    std::vector<Record> high;
    std::vector<Record> low;

    /// Bytes that hold something although no value uses them, or not all of their bits; used bits are 0 here.
    struct Unused {
        std::uint32_t offset = 0;
        core::ByteVector bytes;

        friend bool operator==(const Unused&, const Unused&) = default;
    };
    std::vector<Unused> unused;
};

/// A block with all that is needed to write it back.
struct Block {
    Animation animation;
    std::optional<Layout> layout;  ///< none: the order of the game's own tool
};

inline constexpr std::uint32_t kMostBones = 255;
inline constexpr std::uint32_t kMostFrames = 65535;

/// What the header and the tables of a block tell; its values are not decoded.
struct BlockFacts {
    std::uint32_t bones = 0;
    std::uint64_t samples = 0;  ///< what decoding it takes of a SampleBudget
};

/// Examines a block that fills an object of a container. Its number of bones, which it does not state, is inferred: the
/// HIGH table ends where the LOW table or the first stream begins. Where nothing follows it, `bones` counts, else the
/// object's end.
/// @throws core::DecodeError for a table or stream outside the object, or if nothing tells how many bones there are
[[nodiscard]] BlockFacts examineBlock(const core::LittleEndianReader& object, std::optional<std::uint32_t> bones);

/// Decodes the values of a block.
/// @param bones the skeleton's; without it they are inferred
/// @throws core::DecodeError for a table or stream outside the block, a bone count that can't be inferred; of the kind
/// `skeletonMismatch` for a skeleton with more bones than the block; of the kind `limit` if the frames exceed the
/// budget (a bone that moves counts six a frame)
[[nodiscard]] Animation decodeAnimation(const core::LittleEndianReader& block, std::optional<std::uint32_t> bones,
                                        core::SampleBudget& budget, core::Diagnostics& diagnostics);

/// What becomes of a block that does not show how many bones it has, if no skeleton tells either.
enum class UnknownBones {
    refused,
    assumed,  ///< as many as have room before its end: whatever they are, all bytes come back
};

/// The same with the layout, for writing the block back.
[[nodiscard]] Block decodeBlock(const core::LittleEndianReader& block, std::optional<std::uint32_t> bones,
                                core::SampleBudget& budget, core::Diagnostics& diagnostics,
                                UnknownBones unknown = UnknownBones::assumed);

/// Encodes a block. The layout is followed as long as the values fit into it, else the order of the game's own tool is
/// taken, with a warning. A decoded block comes back byte for byte.
/// @throws core::DecodeError for values that the format can't hold
[[nodiscard]] core::ByteVector encodeBlock(const Block& block, core::Diagnostics& diagnostics);

/// True if the bytes are a block to the last one: header, tables, streams, and nothing between but padding.
[[nodiscard]] bool isAnimation(core::Bytes bytes);
/// True if they begin like a block that is cut, damaged or laid out in an unusual way.
[[nodiscard]] bool beginsLikeAnimation(core::Bytes bytes);

}  // namespace reanima::ff9
