/// Changed poses as angles and places of a game: the way back from formats/angle_clips.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "angle_frames.h"
#include "core/axis_order.h"
#include "core/clip_edits.h"

namespace reanima {

/// Half of what the least change of an angle turns, and half a unit.
/// @param scale metres per unit of the game
[[nodiscard]] inline core::StoredSteps stepsOfAngles(double scale) { return {360.0 / core::kFullTurn / 2, scale / 2}; }

/// Leaves the first `count` frames, or repeats the last one until there are so many.
void setFrameCount(AngleFrames& frames, std::uint32_t count);

/// Angles for a changed rotation, those nearest to others.
/// @param keyBits low bits of them that are 0
[[nodiscard]] AngleTriple anglesOf(const core::RotationEdit& edit, core::AxisOrder order, const AngleTriple& near,
                                   unsigned keyBits = 0);

/// A changed place in the game's units.
/// @param scale metres per unit
/// @throws core::DecodeError if 16 bits do not hold it
[[nodiscard]] Position positionOf(const core::TranslationEdit& edit, double scale, const std::string& clip);

/// Turns a triple in the frames of `edits`. A frame's angles are those nearest to the stored ones, or of frames that
/// were added, to the frame before.
/// @param before frames that the file has
/// @param keyBits as anglesOf() has it
void turn(AngleFrames& frames, std::size_t triple, std::span<const core::RotationEdit> edits, core::AxisOrder order,
          std::uint32_t before, unsigned keyBits = 0);

/// Sets the places of the frames of `edits`. @throws as positionOf() does
void move(AngleFrames& frames, std::span<const core::TranslationEdit> edits, double scale, const std::string& clip);

}  // namespace reanima
