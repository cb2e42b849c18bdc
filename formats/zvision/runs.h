/// The runs of RLF frames: scanned once when a file is read, and decoded when a picture is requested.
///
/// Layout: docs/formats/rlf.md, "Pixels"
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../core/bytes.h"
#include "../../core/image_sequence.h"

namespace reanima::zvision {

/// Runs are moved in blocks, which may extend past a run's end: up to this many pixels are read after a frame's data,
/// and read and written after a surface.
inline constexpr std::size_t kRunRoom = 160;

/// The smallest number of repeats of a pixel. Stored counts are relative to it.
inline constexpr std::size_t kFewestRepeats = 2;

/// A run that is cut off by the end of its frame's data.
struct CutRun {
    std::uint8_t pixels = 0;   ///< stated length; 0: no run is cut
    std::uint8_t present = 0;  ///< visible pixels: complete literals; 0 for a repetition without its pixel
};

/// The pixels that the runs of a frame cover.
struct RunExtent {
    std::uint64_t pixels = 0;      ///< pixels from the picture's first one to the end of the last run
    std::uint32_t wholeBytes = 0;  ///< size of the runs before `cut`
    CutRun cut;                    ///< the last run, if it is incomplete

    [[nodiscard]] bool isWhole() const { return cut.pixels == 0; }
};

// ---------------------------------------------------------------------------------------------------------------------
// Key frames

/// Walks the runs of a key frame without decoding them.
[[nodiscard]] RunExtent extentOfKey(core::Bytes data);

/// Draws a key frame on a surface of `pixels` pixels and kRunRoom more. Pixels beyond the end of the picture go into
/// that room. Pixels after the last run do not change.
/// @param data must have readable room after it
/// @param extent its extentOfKey()
void decodeKey(core::Bytes data, const RunExtent& extent, core::Pixel555* surface, std::size_t pixels);

// ---------------------------------------------------------------------------------------------------------------------
// Delta frames

/// One or two runs of a delta frame: literals, then unchanged pixels. Only one of the two may be 0.
///
/// The start of a run in the data depends on the count before it, so the processor has to wait. A separate list of
/// counts avoids that.
struct DeltaStep {
    std::uint8_t literals = 0;  ///< 0 to 128
    std::uint8_t kept = 0;      ///< 0 to 128
};

/// Appends the steps of a delta frame to `steps`, up to the end of a picture of `pixels` pixels. A run beyond that end,
/// or beyond the end of the data, is clipped.
[[nodiscard]] RunExtent appendDeltaSteps(core::Bytes data, std::size_t pixels, std::vector<DeltaStep>& steps);

/// Walks the runs of a delta frame without storing them.
[[nodiscard]] RunExtent extentOfDelta(core::Bytes data);

/// How a delta frame is decoded, always to the same picture. Blocks avoid waiting for pixels that were just written.
enum class DeltaWay : std::uint8_t {
    inPlace,   ///< onto the previous picture, for few or distant changes
    blocks8,   ///< onto another surface, in blocks of 8 pixels, with copies of unchanged ones; for dense changes
    blocks16,  ///< the same in blocks of 16
    blocks24,  ///< the same in blocks of 24
};

/// The way that is probably the fastest.
[[nodiscard]] DeltaWay fastestWay(std::span<const DeltaStep> steps, std::size_t pixels);

/// Two surfaces. Each has room for `pixels` pixels and kRunRoom more.
struct Surfaces {
    core::Pixel555* shown = nullptr;  ///< the picture
    core::Pixel555* other = nullptr;  ///< for decoding; its content does not matter
};

/// Draws a delta frame. May exchange the surfaces.
/// @param data must have readable room after it
/// @param steps the steps that appendDeltaSteps() found
void decodeDelta(core::Bytes data, std::span<const DeltaStep> steps, DeltaWay way, std::size_t pixels,
                 Surfaces& surfaces);

}  // namespace reanima::zvision
