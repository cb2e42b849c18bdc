/// Folders of Memoria's animations: `Animations/GEO_MAIN_F0_ZDN/` has the clips of one character, a file each.
///
/// Clips of a folder list different subsets of its joints, and none has a rest pose: a clip's first frame is an
/// arbitrary pose. So the skeleton is the union of all paths, and the rest pose is the first frame of the clip that
/// shows the character at rest. Evidence: docs/outputs.md.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "formats/input.h"

namespace reanima {

/// The names of Memoria's animations directly in a folder, sorted; none if it is not a folder. Only one file is opened,
/// since a folder with files of other kinds is not a character.
[[nodiscard]] std::vector<std::string> memoriaClipsIn(const std::filesystem::path& folder);

/// Paths in a folder, with character folders in place of their clips.
[[nodiscard]] std::vector<std::filesystem::path> withCharacters(std::vector<std::filesystem::path> files);

/// A folder of clips as one input, named after the folder: its bytes are the concatenated clips.
/// @param names memoriaClipsIn(), at least one
/// @throws core::DecodeError that names a file that can't be read; of the kind `limit` if the total is too large
[[nodiscard]] Input memoriaCharacter(const std::filesystem::path& folder, const std::vector<std::string>& names,
                                     const core::Files& files, const core::Limits& limits);

/// Adds the clips beside a single clip, to find its skeleton, rest pose and joint roles. Clips of another skeleton and
/// unreadable ones are skipped.
/// @param input an animation of Memoria, with its path
void addClipsBeside(Input& input, const std::shared_ptr<const core::Files>& files);

}  // namespace reanima
