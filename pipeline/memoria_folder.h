/// Folders of Memoria's animations: `Animations/GEO_MAIN_F0_ZDN/` contains the clips of one character, one per file.
///
/// The clips of a folder list different subsets of its joints. None has a rest pose: the first frame of a clip is an
/// arbitrary pose. So the skeleton is the union of all paths. The rest pose is the first frame of the clip that shows
/// the character at rest. Evidence: docs/outputs.md.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "formats/input.h"

namespace reanima {

/// The sorted names of Memoria's animations directly in a folder. Empty for other paths. Also empty for a folder that
/// contains a file or an archive of another format, since it is not a character's. Hidden files and folders in it do
/// not count. Opens one of the animations.
[[nodiscard]] std::vector<std::string> memoriaClipsIn(const std::filesystem::path& folder);

/// True for a folder of animations that contains no folders, so that converting its clips leaves nothing out.
[[nodiscard]] bool isMemoriaCharacter(const std::filesystem::path& path);

/// The paths, in which the clips of a character are replaced by the character's folder.
[[nodiscard]] std::vector<std::filesystem::path> withCharacters(std::vector<std::filesystem::path> files);

/// The path of a folder, in a form that ends with the folder's name: changes `GEO_X/` and `.`.
[[nodiscard]] std::filesystem::path withItsName(const std::filesystem::path& folder);

/// A folder of clips as one input, named after the folder. Its bytes are the concatenated clips.
/// @param names the result of memoriaClipsIn(), not empty
/// @throws core::DecodeError that names an unreadable file; of the kind `limit` if the total is too large
[[nodiscard]] Input memoriaCharacter(const std::filesystem::path& folder, const std::vector<std::string>& names,
                                     const core::Files& files, const core::Limits& limits);

/// Adds the clips beside a single clip, to find its skeleton, rest pose and joint roles. Clips of another skeleton and
/// unreadable clips are skipped.
/// @param input an animation of Memoria, with its path
void addClipsBeside(Input& input, const std::shared_ptr<const core::Files>& files);

}  // namespace reanima
