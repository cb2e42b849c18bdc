/// Animations of Memoria, the engine that players of Final Fantasy IX on the PC put in place of the game's own:
/// `.anim`, a JSON text, or the binary form in which Unity 5 stores a legacy AnimationClip. Facts and evidence:
/// docs/outputs.md.
///
/// Bones are paths, `bone000/bone001`, by which a bone's parents are known. Lengths are the game's, 256 to a metre.
/// Places have the opposite signs of those of the common model, and rotations are the same: inferred, see the page.
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
/// What the engine's reader does is done here, too: entries without a bone and keys without a time are passed over,
/// tangents of the text are ignored, times need not be sorted, each component has keys of its own, and between keys
/// values ease in and out (a Hermite curve whose tangents are 0; in the binary form those that are stored). Rotations
/// go from key to key by their components. Of several curves of a bone the last one is used; so are of keys at one
/// time. The rest pose is the first key. Bones without a place get one, with a warning (`assumed`).
/// @param name of the file, which gives the animation's
/// @throws core::DecodeError if the file can't be read, or has no keys
[[nodiscard]] core::MovingScene readMemoriaAnimation(core::Bytes bytes, const std::string& name,
                                                     const core::Limits& limits, core::Diagnostics& diagnostics);

/// Writes clips as JSON texts of that engine, a file for each: a key per frame, and at least 30 per second, since the
/// engine eases between keys; of what stands still one at the beginning and one at the end. Every joint has an entry.
class MemoriaWriter {
  public:
    /// @param skeleton outlives this
    /// @param clips all that are written: what one of them scales has scales in every file
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
