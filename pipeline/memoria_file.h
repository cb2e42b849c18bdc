/// Animations of Memoria, a replacement engine for Final Fantasy IX on the PC: `.anim`, a JSON text, or the binary form
/// in which Unity 5 stores a legacy AnimationClip. Facts and evidence: docs/outputs.md.
///
/// Bones are paths, `bone000/bone001`, which show their parents. Lengths are the game's, 256 to a metre. Positions have
/// the opposite sign to the common model, rotations are the same: inferred, see the page.
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

/// The id of the row that reads them.
inline constexpr std::string_view kMemoriaFormat = "memoria";

/// The bones of a file as nodes, and its keys as an animation: metres, in the axes of the common model.
///
/// Follows the engine's reader: entries without a bone and keys without a time are skipped, tangents in the text are
/// ignored, times need not be sorted, each component has its own keys, and values ease in and out between keys (a
/// Hermite curve with tangents 0; in the binary form with the stored ones). Rotations are interpolated by component. Of
/// several curves for a bone, or several keys at one time, the last is used. The rest pose is the first key. Bones
/// without a position get one, with a warning (`assumed`).
/// @param name of the file, also used for the animation
/// @throws core::DecodeError if the file can't be read, or has no keys
[[nodiscard]] core::MovingScene readMemoriaAnimation(core::Bytes bytes, const std::string& name,
                                                     const core::Limits& limits, core::Diagnostics& diagnostics);

/// Writes clips as JSON texts of that engine, a file for each: a key per frame, and at least 30 per second, since the
/// engine eases between keys; for constant channels one at the beginning and one at the end. Every joint has an entry.
class MemoriaWriter {
  public:
    /// @param skeleton outlives this
    /// @param clips all clips that are written: a joint that one of them scales has scales in every file
    MemoriaWriter(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips);

    /// The file of one of the clips. Numbers have up to six digits after the point.
    /// @throws core::DecodeError of the kind `limit` if it takes more than Limits::memory
    [[nodiscard]] std::string textOf(const core::Clip& clip, const core::Limits& limits) const;

  private:
    const core::Skeleton& skeleton_;
    std::vector<std::string> paths_;  ///< per joint, as JSON
    std::vector<bool> scales_;        ///< per joint
};

}  // namespace reanima
