/// The way back: motion that another program changed, written into the game's file that it came from.
#pragma once

#include <string>
#include <vector>

#include "../core/asset.h"
#include "../core/find_edits.h"
#include "../core/scene_motion.h"
#include "../formats/format.h"
#include "../formats/input.h"

namespace reanima {

struct EncodeSettings {
    core::EditSearch search{};
    bool allChanged = false;  ///< write even if most joints of all clips differ
    bool allowLoss = false;   ///< write even if something has no place in the format
};

struct EncodedAsset {
    core::Asset original;             ///< what the file is without the changes
    core::FoundEdits found;           ///< what is different
    std::vector<std::string> losses;  ///< what the format can't hold
    core::ByteVector bytes;           ///< the original's own where nothing differs
};

/// Finds what a scene changed of the clips of a game's file, and writes the file with these changes. Everything else
/// keeps its bytes.
/// @param edited made from the file, by this library or by programs that had it from there
/// @param original of a format with Format::fromAsset
/// @param given companions, besides those that lie beside the original
/// @throws core::DecodeError that names the original if it can't be read or can't be written; one that names the scene
/// if it shows another skeleton, or (unless the settings allow it) other motion altogether or what the format can't
/// hold
[[nodiscard]] EncodedAsset encodeAsset(const core::MovingScene& edited, const std::string& editedName,
                                       const Input& original, const Companions& given, const EncodeSettings& settings,
                                       Context& context);

}  // namespace reanima
