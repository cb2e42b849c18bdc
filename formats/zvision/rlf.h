/// RLF, the run-length frame animation of the ZVision engine (Zork Nemesis, Zork Grand Inquisitor).
///
/// Layout and evidence: docs/formats/rlf.md
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../../core/bytes.h"
#include "../../core/diagnostics.h"
#include "../../core/image_sequence.h"
#include "../../core/limits.h"
#include "runs.h"

namespace reanima::zvision {

/// The size of a chunk's tag and size in bytes. The chunk's size includes them.
inline constexpr std::uint32_t kChunkHeadSize = 8;

using core::Pixel555;

/// The longest side of a picture. Common PNG readers accept up to a million, and pictures on pages have borders.
inline constexpr std::uint32_t kLongestSide = 1000000 - 2;

/// Bytes of a frame before its gap and runs.
inline constexpr std::uint32_t kRlfFrameHeaderSize = 28;

enum class Codec {
    key,    ///< `H RLE Key`: literals and repeated pixels
    delta,  ///< `Delta H RLE`: literals and skipped pixels
};

/// An entry of the index of frames.
struct RlfFrame {
    Codec codec = Codec::key;
    DeltaWay way = DeltaWay::inPlace;  ///< how to decode a delta frame
    std::uint64_t offset = 0;          ///< offset of the frame's tag
    std::uint32_t size = 0;            ///< bytes, header included
    std::uint32_t unknown08 = 0;
    std::uint32_t unknown0C = 0;
    std::uint32_t dataOffset = 0;  ///< relative to the frame's start; out of range if damaged
    std::uint32_t unknown18 = 0;
    core::Bytes body;           ///< content after the header, in Rlf::bytes: a gap up to the data offset, and the runs
    RunExtent extent;           ///< extent of the runs
    std::size_t firstStep = 0;  ///< index in Rlf::steps, for a delta frame
    std::uint32_t stepCount = 0;

    /// True if the frame's data offset is valid.
    [[nodiscard]] bool hasData() const {
        return dataOffset >= kRlfFrameHeaderSize && dataOffset - kRlfFrameHeaderSize <= body.size();
    }
    /// The runs of the frame. Empty if the data offset is invalid.
    [[nodiscard]] core::Bytes data() const {
        return hasData() ? body.subspan(dataOffset - kRlfFrameHeaderSize) : core::Bytes();
    }
    /// True if the frame's data offset is valid and its runs are complete.
    [[nodiscard]] bool isSound() const { return hasData() && extent.isWhole(); }
};

/// The list of codecs for new files.
[[nodiscard]] core::ByteVector usualCodecList();

/// The file: its header and index. An RlfCursor decodes pictures on demand.
struct Rlf {
    std::uint32_t size = 20;  ///< meaning unproven
    std::uint32_t unknown08 = 0;
    std::uint32_t unknown0C = 0;
    std::uint32_t frameCount = 0;  ///< as stored; the true number is frames.size()

    std::uint32_t codecsSize = 112;  ///< size of the chunk, as stored
    core::ByteVector codecs;         ///< content of the chunk after this size
    std::uint32_t pictureSize = 32;  ///< size of the chunk, as stored
    std::array<std::uint8_t, 16> unknown8C{};
    std::uint32_t width = 0;       ///< pixels
    std::uint32_t height = 0;      ///< pixels
    core::ByteVector pictureRest;  ///< further bytes of a longer chunk
    std::uint32_t timeSize = 16;   ///< size of the chunk, as stored
    std::uint32_t unknownAC = 0;
    std::uint32_t frameTime = 0;  ///< in 1/10000 s
    core::ByteVector timeRest;    ///< further bytes of a longer chunk

    std::vector<RlfFrame> frames;
    core::Bytes trailing;          ///< the bytes after the last frame, in `bytes`
    std::vector<DeltaStep> steps;  ///< steps of all delta frames
    core::ByteVector bytes;        ///< the file, with room after it, since pixels are read in blocks

    [[nodiscard]] std::size_t pixels() const { return std::size_t{width} * height; }
    /// True for a key frame that covers every pixel, so that earlier pictures do not matter.
    [[nodiscard]] bool standsAlone(const RlfFrame& frame) const {
        return frame.codec == Codec::key && frame.extent.pixels >= pixels();
    }
    [[nodiscard]] std::span<const DeltaStep> stepsOf(const RlfFrame& frame) const {
        return std::span(steps).subspan(frame.firstStep, frame.stepCount);
    }
};

/// @throws core::DecodeError if a side is 0 or too long, or there are more pixels than the limits allow
void requirePictureSize(std::uint32_t width, std::uint32_t height, const core::Limits& limits,
                        const core::Place& ofWidth, const core::Place& ofHeight);

/// Reads the header and indexes the frames in one scan. Damaged frames are drawn as far as possible, with a warning: a
/// run beyond the end of its data is clipped, and a frame with a wrong data offset leaves the picture unchanged. The
/// video ends, with a warning, at a frame that is incomplete or has no tag, an impossible size or an unknown codec.
/// @throws core::DecodeError if the header is wrong, the first frame ends the video, or the limits are exceeded
[[nodiscard]] std::shared_ptr<const Rlf> decodeRlf(core::Bytes file, const core::Limits& limits,
                                                   core::Diagnostics& diagnostics);

/// Limit in bytes for pictures that a cursor keeps for playing backwards.
inline constexpr std::size_t kKeptMemory = 16U << 20U;

/// Decodes the pictures of a video, in any order.
///
/// Decoding starts at the nearest available picture: the last one shown, a key frame that covers every pixel, or, after
/// the first backward step, one of the kept pictures (kKeptMemory). If 500 pictures of 640 x 344 pixels follow one key
/// frame, playing backwards decodes 1225 frames instead of 124750.
class RlfCursor final : public core::PictureCursor {
  public:
    explicit RlfCursor(std::shared_ptr<const Rlf> video);
    std::span<const Pixel555> picture(std::uint32_t index) override;

    /// The number of frames decoded so far.
    [[nodiscard]] std::uint64_t decodedFrames() const { return decodedFrames_; }

  private:
    struct Kept {
        std::uint32_t index;
        std::vector<Pixel555> pixels;
    };

    [[nodiscard]] bool begins(std::uint32_t index) const;
    void startFrom(std::uint32_t frame);
    void decodeTo(std::uint32_t index, std::uint32_t keepEvery);
    [[nodiscard]] std::uint32_t spacingOfKept(std::uint32_t frames) const;

    std::shared_ptr<const Rlf> video_;
    std::array<std::vector<Pixel555>, 2> pixels_;  ///< with room after the picture, since pixels are moved in blocks
    Surfaces surfaces_;                            ///< pointers into pixels_
    std::uint32_t next_ = 0;                       ///< the next frame to decode; the surface shows the frame before it
    std::uint32_t asked_ = 0;                      ///< the picture requested last
    std::vector<Kept> kept_;                       ///< kept pictures in ascending order
    std::size_t mostKept_ = 0;
    std::uint64_t decodedFrames_ = 0;
};

struct RlfEncoding {
    std::uint32_t frameTime = 667;  ///< in 1/10000 s
    std::uint32_t keyInterval = 0;  ///< a key frame at every n-th picture; 0: only where it is smaller
};

/// Returns the file that was read, byte for byte.
[[nodiscard]] core::ByteVector encodeRlf(const Rlf& video);

/// Encodes pictures. Each becomes a key or a delta frame, whichever is smaller. Unknown words are 0.
/// @throws core::DecodeError for pictures of different or impossible sizes
[[nodiscard]] core::ByteVector encodeRlf(std::uint32_t width, std::uint32_t height,
                                         const std::vector<std::vector<Pixel555>>& pictures,
                                         const RlfEncoding& encoding);

/// True if the file is an RLF of valid frames and ends with the last one.
[[nodiscard]] bool isRlf(core::Bytes file);
/// True if the file begins like an RLF.
[[nodiscard]] bool beginsLikeRlf(core::Bytes file);

}  // namespace reanima::zvision
