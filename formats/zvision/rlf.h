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

/// Bytes of a chunk's tag and size; the size counts them.
inline constexpr std::uint32_t kChunkHeadSize = 8;

using core::Pixel555;

/// The longest side of a picture: common readers of PNG files take no more than a million pixels, and a picture on a
/// page has a border.
inline constexpr std::uint32_t kLongestSide = 1000000 - 2;

/// Bytes of a frame before its gap and runs.
inline constexpr std::uint32_t kRlfFrameHeaderSize = 28;

enum class Codec {
    key,    ///< `H RLE Key`: literals and repeated pixels
    delta,  ///< `Delta H RLE`: literals and skipped pixels
};

/// A frame of the index.
struct RlfFrame {
    Codec codec = Codec::key;
    DeltaWay way = DeltaWay::inPlace;  ///< of a delta frame
    std::uint64_t offset = 0;          ///< of the frame's tag
    std::uint32_t size = 0;            ///< bytes, header included
    std::uint32_t unknown08 = 0;
    std::uint32_t unknown0C = 0;
    std::uint32_t dataOffset = 0;  ///< from the frame's start; outside the frame's data in a damaged one
    std::uint32_t unknown18 = 0;
    core::Bytes body;           ///< what follows the header, in Rlf::bytes: a gap up to the data offset, and the runs
    RunExtent extent;           ///< of the runs
    std::size_t firstStep = 0;  ///< of a delta frame, in Rlf::steps
    std::uint32_t stepCount = 0;

    /// True if the frame's data offset is valid.
    [[nodiscard]] bool hasData() const {
        return dataOffset >= kRlfFrameHeaderSize && dataOffset - kRlfFrameHeaderSize <= body.size();
    }
    /// The runs; none if the data offset can't be right.
    [[nodiscard]] core::Bytes data() const {
        return hasData() ? body.subspan(dataOffset - kRlfFrameHeaderSize) : core::Bytes();
    }
    /// True if the frame's data offset is valid and its runs are complete.
    [[nodiscard]] bool isSound() const { return hasData() && extent.isWhole(); }
};

/// The list of codecs for new files.
[[nodiscard]] core::ByteVector usualCodecList();

/// The file: header and index. Pictures are decoded on demand by an RlfCursor.
struct Rlf {
    std::uint32_t size = 20;  ///< meaning unproven
    std::uint32_t unknown08 = 0;
    std::uint32_t unknown0C = 0;
    std::uint32_t frameCount = 0;  ///< as stored; frames.size() are there

    std::uint32_t codecsSize = 112;  ///< of the chunk, as stored
    core::ByteVector codecs;         ///< what follows the size
    std::uint32_t pictureSize = 32;  ///< of the chunk, as stored
    std::array<std::uint8_t, 16> unknown8C{};
    std::uint32_t width = 0;       ///< pixels
    std::uint32_t height = 0;      ///< pixels
    core::ByteVector pictureRest;  ///< of a longer chunk
    std::uint32_t timeSize = 16;   ///< of the chunk, as stored
    std::uint32_t unknownAC = 0;
    std::uint32_t frameTime = 0;  ///< in 1/10000 s
    core::ByteVector timeRest;    ///< of a longer chunk

    std::vector<RlfFrame> frames;
    core::Bytes trailing;          ///< the bytes after the last frame that was read, in `bytes`
    std::vector<DeltaStep> steps;  ///< of all delta frames
    core::ByteVector bytes;        ///< the file, and room after it: pixels are read in blocks

    [[nodiscard]] std::size_t pixels() const { return std::size_t{width} * height; }
    /// True for a key frame that covers every pixel, so that earlier pictures do not matter.
    [[nodiscard]] bool standsAlone(const RlfFrame& frame) const {
        return frame.codec == Codec::key && frame.extent.pixels >= pixels();
    }
    [[nodiscard]] std::span<const DeltaStep> stepsOf(const RlfFrame& frame) const {
        return std::span(steps).subspan(frame.firstStep, frame.stepCount);
    }
};

/// @throws core::DecodeError if a side is 0 or too long, or the pixels are beyond the limits
void requirePictureSize(std::uint32_t width, std::uint32_t height, const core::Limits& limits,
                        const core::Place& ofWidth, const core::Place& ofHeight);

/// Reads the header and indexes the frames in one scan. Damaged frames are drawn as far as possible, with a warning: a
/// run that passes the end of its data is clipped, and a frame with a wrong data offset leaves the picture unchanged. A
/// frame that is incomplete, has no tag, an impossible size or an unknown codec ends the video, with a warning.
/// @throws core::DecodeError for a wrong header, if the first frame ends the video, or beyond the limits
[[nodiscard]] std::shared_ptr<const Rlf> decodeRlf(core::Bytes file, const core::Limits& limits,
                                                   core::Diagnostics& diagnostics);

/// Limit in bytes for pictures that a cursor keeps for playing backwards.
inline constexpr std::size_t kKeptMemory = 16U << 20U;

/// Decodes the pictures of a video, in any order.
///
/// A picture is decoded from the nearest available one before it: the one shown last, a key frame that covers every
/// pixel, or, after the first backward step, one of those kept within kKeptMemory. Played backwards, 500 pictures of
/// 640 x 344 pixels after one key frame take 1225 decoded frames instead of 124750.
class RlfCursor final : public core::PictureCursor {
  public:
    explicit RlfCursor(std::shared_ptr<const Rlf> video);
    std::span<const Pixel555> picture(std::uint32_t index) override;

    /// Frames that were decoded so far.
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
    std::array<std::vector<Pixel555>, 2> pixels_;  ///< with room after the picture: pixels are moved in blocks
    Surfaces surfaces_;                            ///< in pixels_
    std::uint32_t next_ = 0;                       ///< the next frame to decode; the surface shows the one before it
    std::uint32_t asked_ = 0;                      ///< the picture requested last
    std::vector<Kept> kept_;                       ///< in ascending order
    std::size_t mostKept_ = 0;
    std::uint64_t decodedFrames_ = 0;
};

struct RlfEncoding {
    std::uint32_t frameTime = 667;  ///< in 1/10000 s
    std::uint32_t keyInterval = 0;  ///< a key frame at every n-th picture; 0: only where it is smaller
};

/// The file that was read, byte for byte.
[[nodiscard]] core::ByteVector encodeRlf(const Rlf& video);

/// Encodes pictures, each as the smaller of a key and a delta frame. Unknown words are 0.
/// @throws core::DecodeError for pictures of different or impossible sizes
[[nodiscard]] core::ByteVector encodeRlf(std::uint32_t width, std::uint32_t height,
                                         const std::vector<std::vector<Pixel555>>& pictures,
                                         const RlfEncoding& encoding);

/// True if the file is an RLF of valid frames that ends with the last one.
[[nodiscard]] bool isRlf(core::Bytes file);
/// True if it begins like one.
[[nodiscard]] bool beginsLikeRlf(core::Bytes file);

}  // namespace reanima::zvision
