/// The way back from a scene to the asset that it was made from: which clips correspond, and what was edited.
///
/// Programs rotate the axes of bones, put the skeleton under other nodes, scale and rotate it, resample clips, and add
/// or remove keys of constant channels. None of this changes how the game's joints rotate relative to each other,
/// except for a constant rotation per joint. The two rest poses determine that rotation.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "asset.h"
#include "clip_edits.h"
#include "diagnostics.h"
#include "limits.h"
#include "retimed_clip.h"
#include "scene_motion.h"

namespace reanima::core {

/// Which clips of a scene are compared, and what happens to clips that are not in the asset.
struct EditSearch {
    std::vector<std::string> clips{};  ///< names of the clips to compare; empty: all
    std::string jointRoot{};           ///< joints are this node and its descendants; empty: anywhere
    std::vector<std::uint32_t> at{};   ///< Clip::index of the clips to replace, in the scene's order
    bool append = false;               ///< adds each clip as a new one
    std::map<std::string, std::uint32_t>
        known{};  ///< Clip::index of clips that come from the asset, as the scene states
};

/// A clip with the original's motion at another speed or time.
struct RetimedClip {
    std::string name;  ///< the clip's name in the scene
    Retiming retiming{};
    double keyRate = 0;     ///< frames per second at which it has keys
    double rate = 0;        ///< frames per second of the original
    double statedRate = 0;  ///< frames per second that the scene states for the original; 0 if not stated
};

struct FoundEdits {
    std::vector<ClipEdit> clips;          ///< one per clip of the scene, in the scene's order; includes unchanged clips
    std::vector<std::size_t> missing;     ///< clips of the asset that are not in the scene and stay unchanged
    std::vector<std::size_t> unselected;  ///< clips of the asset that EditSearch::clips leaves out
    std::vector<std::string> unknown;     ///< clips of the scene that are not in the asset
    std::vector<RetimedClip> retimed;     ///< clips of `clips` that show the original at another speed or time
    /// True if more than half of the joints of all clips differ, or more than half of the moving joints (and at least
    /// three).
    bool mostDiffers = false;
};

/// @param original the asset with its rest pose and all its clips
/// @param edited a scene whose nodes have the names of the original's joints, with animations of these nodes
/// @throws DecodeError if the scene lacks joints, has a joint twice, is mirrored, or has a rest pose of another shape
/// than the original; of the kind `limit` if its keys or the frames between them exceed the limits; of the kind
/// `option` if no clip, or more than one, fits a wanted index
[[nodiscard]] FoundEdits findEdits(const Asset& original, const MovingScene& edited, const StoredSteps& steps,
                                   const EditSearch& search, const Limits& limits, Diagnostics& diagnostics);

}  // namespace reanima::core
