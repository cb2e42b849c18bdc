/// Frames in a stream of bits. A format describes the stream once, by a function that walks over the values of a frame.
/// A port reads these values from the bits or writes them.
///
///     template <typename Port>
///     void walk(Port& port, Toy& toy, std::size_t frame) {
///         port.place(toy, frame, kPlaceWidths);
///         for (std::size_t bone = 0; bone < port.triples(); ++bone)
///             port.angles(toy, frame, bone, kAngleWidths);
///     }
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "../core/bit_writer.h"
#include "../core/byte_reader.h"
#include "../core/diagnostics.h"
#include "../core/limits.h"
#include "angle_frames.h"
#include "records.h"

namespace reanima {

/// Frames, with everything needed to reproduce their stream byte for byte.
struct PackedFrames : AngleFrames {
    /// A stored change of 0, or one that is wider than necessary.
    struct Wide {
        std::uint32_t value;  ///< index among all values of the stream that have changes
        std::uint8_t code;    ///< index of the change's width

        friend bool operator==(const Wide&, const Wide&) = default;
    };

    std::vector<Wide> wide;     ///< ascending by `value`
    std::uint8_t tailBits = 0;  ///< the unused bits of the last byte
    bool isDamaged = false;     ///< the frames can't be read; `gap` has all their bytes
    core::ByteVector gap;       ///< bytes after the frames
};

/// How changes are stored: a code, then as many bits as the code selects.
struct ChangeWidths {
    /// The part before the code.
    enum class Flag {
        none,
        ifChanged,  ///< one bit; 0: the change is 0, and nothing follows
    };

    Flag flag = Flag::none;
    unsigned codeBits = 2;  ///< 0: all changes have the first width
    std::array<unsigned, 4> bits{};

    [[nodiscard]] std::uint8_t lastCode() const { return static_cast<std::uint8_t>((1U << codeBits) - 1); }
    /// The code of the smallest width that fits a change, or of the last width if none fits.
    [[nodiscard]] std::uint8_t codeOf(std::int32_t change) const {
        std::uint8_t code = 0;
        while (code < lastCode() && core::signExtended(static_cast<std::uint32_t>(change), bits[code]) != change)
            ++code;
        return code;
    }
    /// True if a change must be listed in `PackedFrames::wide`.
    [[nodiscard]] bool isWide(std::int32_t change, std::uint8_t code) const {
        return code != codeOf(change) || (flag == Flag::ifChanged && change == 0);
    }
};

/// The common part of reading and writing. `Port` has `change()`: its argument is the change to write, its result the
/// change in the bits.
template <typename Port>
class FramePort {
  public:
    explicit FramePort(std::size_t triples) : triples_(triples) {}

    [[nodiscard]] std::size_t triples() const { return triples_; }

    /// The position of a frame, as changes from the previous frame, modulo 2^16.
    void place(AngleFrames& frames, std::size_t frame, const ChangeWidths& widths) {
        const Position before = frame == 0 ? Position{} : frames.translations[frame - 1];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::int16_t& stored = frames.translations[frame][axis];
            const auto change = static_cast<std::int16_t>(stored - before[axis]);
            stored = static_cast<std::int16_t>(before[axis] + port().change(change, widths));
        }
    }

    /// The angles of a triple, as changes from the previous frame, modulo a turn.
    /// @param unit the rotation of a change of 1
    void angles(AngleFrames& frames, std::size_t frame, std::size_t triple, const ChangeWidths& widths, int unit = 1) {
        const AngleTriple before = frame == 0 ? AngleTriple{} : frames.rotations[(frame - 1) * triples_ + triple];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            core::Angle& stored = frames.rotations[frame * triples_ + triple][axis];
            const std::int32_t change = port().change(core::signedStep(before[axis], stored) / unit, widths);
            stored = static_cast<core::Angle>(before[axis] + change * unit) % core::kFullTurn;
        }
    }

  private:
    Port& port() { return static_cast<Port&>(*this); }

    std::size_t triples_;
};

/// Reads the values of frames.
template <core::BitOrder order>
class FrameReader : public FramePort<FrameReader<order>> {
  public:
    FrameReader(core::Bytes bytes, std::size_t triples, PackedFrames& frames)
        : FramePort<FrameReader>(triples), bits_(bytes), frames_(frames) {}

    bool flag(bool) { return bits_.bits(1) != 0; }

    std::int32_t change(std::int32_t, const ChangeWidths& widths) {
        const std::uint32_t value = values_++;
        if (widths.flag == ChangeWidths::Flag::ifChanged && bits_.bits(1) == 0)
            return 0;
        const auto code = static_cast<std::uint8_t>(bits_.bits(widths.codeBits));
        const std::int32_t change = bits_.signedBits(widths.bits[code]);
        if (widths.isWide(change, code))
            frames_.wide.push_back({value, code});
        return change;
    }

    [[nodiscard]] bool overrun() const { return bits_.overrun(); }
    /// The number of bytes read so far. The unread bits of the last byte are the tail bits.
    std::size_t finish() {
        frames_.tailBits = static_cast<std::uint8_t>(bits_.bits(static_cast<unsigned>(-bits_.position() % 8)));
        return bits_.position() / 8;
    }

  private:
    core::BitReader<order, core::BitWord::u8> bits_;
    PackedFrames& frames_;
    std::uint32_t values_ = 0;
};

/// Writes the values of frames, and replaces each value by the one that readers get.
template <core::BitOrder order>
class FrameWriter : public FramePort<FrameWriter<order>> {
  public:
    explicit FrameWriter(PackedFrames& frames)
        : FramePort<FrameWriter>(frames.triples()), frames_(frames), wide_(std::exchange(frames.wide, {})) {}

    bool flag(bool value) {
        bits_.bits(value ? 1 : 0, 1);
        return value;
    }

    std::int32_t change(std::int32_t change, const ChangeWidths& widths) {
        const std::uint32_t value = values_++;
        while (next_ < wide_.size() && wide_[next_].value < value)
            ++next_;
        const bool isListed = next_ < wide_.size() && wide_[next_].value == value;
        if (widths.flag == ChangeWidths::Flag::ifChanged && !flag(change != 0 || isListed))
            return 0;
        const std::uint8_t listed = isListed ? std::min(wide_[next_].code, widths.lastCode()) : std::uint8_t{0};
        const std::uint8_t code = std::max(widths.codeOf(change), listed);
        bits_.bits(code, widths.codeBits);
        bits_.signedBits(change, widths.bits[code]);
        if (widths.isWide(change, code))
            frames_.wide.push_back({value, code});
        return change;
    }

    core::ByteVector finish() {
        const unsigned room = bits_.bitsToWholeWord();
        frames_.tailBits = static_cast<std::uint8_t>(frames_.tailBits & ((1U << room) - 1));
        bits_.bits(frames_.tailBits, room);
        return bits_.take();
    }

  private:
    core::BitWriter<order, core::BitWord::u8> bits_;
    PackedFrames& frames_;
    std::vector<PackedFrames::Wide> wide_;
    std::size_t next_ = 0;
    std::uint32_t values_ = 0;
};

/// Reads `count` frames and advances `file`.
/// @param least the fewest bits that a frame needs
/// @param walk called with a port, the frames, and the index of a frame
/// @throws core::DecodeError if the frames are incomplete
template <core::BitOrder order, typename Frames, typename Walk>
void readPacked(core::LittleEndianReader& file, const RecordCount& count, std::size_t triples, std::size_t least,
                core::SampleBudget& budget, Frames& frames, const Walk& walk) {
    const core::Bytes stream = core::LittleEndianReader(file).rest();
    if (count.records > 8 * stream.size() / least)
        throw core::DecodeError(
            count.place, fmt::format("is {}, but there is room for only {}", count.records, 8 * stream.size() / least));
    budget.take(AngleFrames::samples(count.records, triples), count.place);
    FrameReader<order> port(stream, triples, frames);
    for (std::size_t frame = 0; frame < count.records; ++frame) {
        frames.translations.emplace_back();
        frames.rotations.resize(frames.rotations.size() + triples);
        walk(port, frames, frame);
        if (port.overrun())
            throw core::DecodeError(count.place,
                                    fmt::format("is {}, but the data ends in frame {}", count.records, frame));
    }
    (void)file.bytes(port.finish(), "frames");
    budget.keep(frames.wide.size() * sizeof(PackedFrames::Wide), count.place);
}

/// Calls `read`, which reads frames from `file`, and keeps the remaining bytes as the frames' gap. If the frames can't
/// be read, all bytes are kept, with a warning.
template <typename Frames, typename Read>
void readOrKeep(core::LittleEndianReader& file, core::SampleBudget& budget, core::Diagnostics& diagnostics,
                Frames& frames, const Read& read) {
    const core::LittleEndianReader start = file;
    const Frames before = frames;
    try {
        read();
    } catch (const core::DecodeError& error) {
        if (error.kind() == core::DecodeError::Kind::limit)
            throw;
        diagnostics.warn(core::Code::damaged, error);
        frames = before;
        frames.isDamaged = true;
        file = start;
    }
    budget.keep(file.remaining(), file.place("gap"));
    frames.gap = core::copyOf(file.rest());
}

/// Warns about parts of edited frames that the stream can't store.
/// @param written the frames that are read back from the stream
/// @param path the frames' path in JSON
void reportLosses(const PackedFrames& frames, const PackedFrames& written, const std::string& path,
                  core::Diagnostics& diagnostics);

/// Encodes frames as a stream. Frames that were read from a stream give the same bytes.
/// @param path the frames' path in JSON, for warnings about parts that can't be stored
template <core::BitOrder order, typename Frames, typename Walk>
[[nodiscard]] core::ByteVector writePacked(const Frames& frames, const std::string& path,
                                           core::Diagnostics& diagnostics, const Walk& walk) {
    Frames written = frames;
    FrameWriter<order> port(written);
    for (std::size_t frame = 0; frame < frames.count(); ++frame)
        walk(port, written, frame);
    core::ByteVector stream = port.finish();
    reportLosses(frames, written, path, diagnostics);
    return stream;
}

}  // namespace reanima
