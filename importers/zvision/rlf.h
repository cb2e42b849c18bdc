/// RLF, the run-length frame animation of the ZVision engine (Zork Nemesis, Zork Grand Inquisitor).
///
/// Layout and evidence: docs/formats/rlf.md
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../../core/bytes.h"
#include "../../core/diagnostics.h"
#include "../../core/image_sequence.h"
#include "../../core/limits.h"

namespace reanima::zvision {

using core::Pixel555;

enum class Codec {
    key,    ///< `H RLE Key`: literals and repeated pixels
    delta,  ///< `Delta H RLE`: literals and skipped pixels
};

/// A frame as the index knows it.
struct RlfFrame {
    Codec codec = Codec::key;
    std::uint64_t offset = 0;  ///< of the frame's tag
    std::uint32_t size = 0;    ///< bytes, header included
    std::uint32_t unknown08 = 0;
    std::uint32_t unknown0C = 0;
    std::uint32_t dataOffset = 0;  ///< from the frame's start
    std::uint32_t unknown18 = 0;
    core::Bytes data;  ///< the runs, in Rlf::bytes
    /// True for a key frame that states every pixel: the pictures before it do not matter.
    bool standsAlone = false;
    /// The number of pixels that more than half of its literals have, or 0. Delta frames with 3 to 7 are
    /// decoded faster.
    std::size_t usualLiteral = 0;
};

/// The file: header and index. Pictures are decoded on demand by an RlfCursor.
struct Rlf {
    std::uint32_t size = 0;  ///< meaning unproven
    std::uint32_t unknown08 = 0;
    std::uint32_t unknown0C = 0;
    std::uint32_t frameCount = 0;  ///< as stored; frames.size() are there
    std::uint32_t width = 0;       ///< pixels
    std::uint32_t height = 0;      ///< pixels
    std::uint32_t frameTime = 0;   ///< in 1/10000 s

    std::vector<RlfFrame> frames;
    core::ByteVector bytes;  ///< the file, and room behind it: pixels are read in blocks

    [[nodiscard]] std::size_t pixels() const { return std::size_t{width} * height; }
};

/// Reads the header and indexes the frames in one scan. The first frame that is damaged or has an unknown codec ends
/// the sequence, with a warning.
/// @throws core::DecodeError for a wrong header, for a movie whose very first frame can't be read, or beyond the limits
[[nodiscard]] std::shared_ptr<const Rlf> decodeRlf(core::Bytes file, const core::Limits& limits,
                                                   core::Diagnostics& diagnostics);

/// Decodes the pictures of a movie, in any order.
class RlfCursor final : public core::PictureCursor {
  public:
    explicit RlfCursor(std::shared_ptr<const Rlf> movie);
    std::span<const Pixel555> picture(std::uint32_t index) override;

  private:
    std::shared_ptr<const Rlf> movie_;
    std::vector<Pixel555> surface_;  ///< with room behind the picture: pixels are written in blocks
    std::uint32_t next_ = 0;         ///< the frame that is decoded next; the surface shows the one before it
};

struct RlfEncoding {
    std::uint32_t frameTime = 667;  ///< in 1/10000 s
    std::uint32_t keyInterval = 0;  ///< a key frame at every so manieth picture; 0: only where it is smaller
};

/// Encodes pictures, each as the smaller of a key and a delta frame. Unknown words are 0.
/// @throws core::DecodeError for pictures of different or impossible sizes
[[nodiscard]] core::ByteVector encodeRlf(std::uint32_t width, std::uint32_t height,
                                         const std::vector<std::vector<Pixel555>>& pictures,
                                         const RlfEncoding& encoding);

/// True if the file is an RLF whose frames end with the last byte.
[[nodiscard]] bool isRlf(core::Bytes file);
/// True if it begins like one.
[[nodiscard]] bool beginsLikeRlf(core::Bytes file);

}  // namespace reanima::zvision
