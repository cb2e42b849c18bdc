/// Companions that settings name by their paths.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "archives/open_archives.h"
#include "settings.h"

namespace reanima {

/// The paths of the files below a folder, in their order; nothing if the path is not a folder.
using FilesBelow = std::function<std::optional<std::vector<std::string>>(const std::string& path)>;

/// FilesBelow of the file system. Links to folders are not followed.
[[nodiscard]] std::optional<std::vector<std::string>> filesBelow(const std::string& path);

/// The textures that a path means: itself, or those (`*.tim`) in a folder or an archive, in the order of their names or
/// of the archive. One that its archive can't deliver has no bytes: materials count those before them.
/// @param files may be empty, of a host that can't look into folders
/// @param open a file, or ARCHIVE:ENTRY
/// @throws core::DecodeError that names the path if there are none, or if a file or an archive can't be read
[[nodiscard]] std::vector<Input> texturesAt(const std::string& path, archives::OpenArchives& archives,
                                            const core::Limits& limits, const FilesBelow& files,
                                            const std::function<Input(const std::string& path)>& open);

/// Adds what Settings::events, materials and textures name.
/// @param open a file, or ARCHIVE:ENTRY
/// @throws core::DecodeError if a file can't be read; of the kind `option` for one of another kind
void addNamedCompanions(Companions& companions, const Settings& settings, archives::OpenArchives& archives,
                        const FilesBelow& files, const std::function<Input(const std::string& path)>& open);

}  // namespace reanima
