/// Converts changed poses to a game's angles and positions: the inverse of formats/angle_clips.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "angle_frames.h"
#include "core/axis_order.h"
#include "core/clip_edits.h"

namespace reanima {

/// The precision of stored poses: half the smallest step of angles, and half the smallest step of positions.
/// @param scale metres per unit of the game
[[nodiscard]] inline core::StoredSteps stepsOfAngles(double scale) { return {360.0 / core::kFullTurn / 2, scale / 2}; }

/// Keeps the first `count` frames. If there are fewer, repeats the last one.
void setFrameCount(AngleFrames& frames, std::uint32_t count);

/// The angles of a changed rotation. Of equivalent angles, those nearest to `near` are used.
/// @param keyBits number of low bits that must be 0
[[nodiscard]] AngleTriple anglesOf(const core::RotationEdit& edit, core::AxisOrder order, const AngleTriple& near,
                                   unsigned keyBits = 0);

/// A changed position in the game's units.
/// @param scale metres per unit
/// @throws core::DecodeError if it does not fit in 16 bits
[[nodiscard]] Position positionOf(const core::TranslationEdit& edit, double scale, const std::string& clip);

/// Sets the angles of a triple in the frames of `edits`. Of equivalent angles, those nearest to the stored ones are
/// used; in added frames, those nearest to the previous frame.
/// @param before number of frames in the file
/// @param keyBits see anglesOf()
void turn(AngleFrames& frames, std::size_t triple, std::span<const core::RotationEdit> edits, core::AxisOrder order,
          std::uint32_t before, unsigned keyBits = 0);

/// Sets the positions in the frames of `edits`. @throws core::DecodeError as positionOf() does
void move(AngleFrames& frames, std::span<const core::TranslationEdit> edits, double scale, const std::string& clip);

}  // namespace reanima
