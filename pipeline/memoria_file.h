/// Animations of Memoria, a replacement engine for Final Fantasy IX on the PC. A `.anim` file is a JSON text, or the
/// binary form of a legacy AnimationClip in Unity 5. Facts and evidence: docs/outputs.md.
///
/// Bones are paths, `bone000/bone001`, which show their parents. Lengths are in the game's unit, 256 per metre.
/// Positions have the opposite sign to the common model, rotations are equal. Both facts are inferred: see that page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"
#include "core/clip.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "core/scene_motion.h"
#include "core/skeleton.h"

namespace reanima {

/// The id of the format row for Memoria's animations.
inline constexpr std::string_view kMemoriaFormat = "memoria";

/// Reads the bones of a file as nodes, and its keys as an animation: in metres, in the axes of the common model.
///
/// Follows the engine's reader. Entries without a bone and keys without a time are skipped, and times need not be
/// sorted. Each component has its own keys. Between keys, values follow a Hermite curve. In the text its tangents are
/// 0; the binary form stores them. Rotations are interpolated by component. If a bone has several curves, or a time has
/// several keys, the last one is used. The rest pose is the first key. Bones without a position get an assumed
/// position, with a warning (`assumed`).
/// @param name name of the file, also used for the animation
/// @throws core::DecodeError if the file can't be read, or contains no keys
[[nodiscard]] core::MovingScene readMemoriaAnimation(core::Bytes bytes, const std::string& name,
                                                     const core::Limits& limits, core::Diagnostics& diagnostics);

/// The frame rate of a clip, multiplied by a whole number if it is below the engine's 30.
[[nodiscard]] double memoriaKeyRate(double rate);

/// Writes clips as JSON texts for Memoria, one file per clip. A channel has a key per frame, and at least 30 per
/// second, since the engine eases between keys. Constant channels have two keys, at the beginning and at the end. Every
/// joint has an entry.
class MemoriaWriter {
  public:
    /// @param skeleton outlives this
    /// @param clips all clips to write; if one of them scales a joint, every file contains scales of that joint
    MemoriaWriter(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips);

    /// The JSON text of one clip. Numbers have up to six digits after the point.
    /// @throws core::DecodeError of the kind `limit` if it needs more than Limits::memory
    [[nodiscard]] std::string textOf(const core::Clip& clip, const core::Limits& limits) const;

  private:
    const core::Skeleton& skeleton_;
    std::vector<std::string> paths_;  ///< per joint, as JSON
    std::vector<bool> scales_;        ///< per joint
};

}  // namespace reanima
