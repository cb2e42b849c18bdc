/// Folders of Memoria's animations: `Animations/GEO_MAIN_F0_ZDN/` has the clips of one character, a file each.
///
/// Clips of a folder list different sets of its joints, and none holds a rest pose: a clip's first frame is a pose like
/// any other. So the skeleton is the union of all paths, and the rest pose the first frame of the clip that shows the
/// character at rest. Evidence: docs/outputs.md.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "formats/input.h"

namespace reanima {

/// The names of the animations of Memoria that lie in a folder itself, sorted; none for what is not a folder.
/// One file alone is looked into: all are of one kind, or the folder is not one character.
[[nodiscard]] std::vector<std::string> memoriaClipsIn(const std::filesystem::path& folder);

/// Paths in a folder, with the folder itself in place of the clips of a character.
[[nodiscard]] std::vector<std::filesystem::path> withCharacters(std::vector<std::filesystem::path> files);

/// A folder of clips as one input, called after the folder: its bytes are those of all clips, one after the other.
/// @param names memoriaClipsIn(), at least one
/// @throws core::DecodeError that names a file that can't be read; of the kind `limit` if all are too large together
[[nodiscard]] Input memoriaCharacter(const std::filesystem::path& folder, const std::vector<std::string>& names,
                                     const core::Files& files, const core::Limits& limits);

/// Makes a single clip know those beside it, for its skeleton, its rest pose and what its joints are for. A clip of
/// another skeleton is passed over, and so is one that can't be read.
/// @param input an animation of Memoria, with its path
void addClipsBeside(Input& input, const std::shared_ptr<const core::Files>& files);

}  // namespace reanima
