/// Companions that settings name by their paths.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "archives/open_archives.h"
#include "settings.h"

namespace reanima {

/// The textures at a path.
struct FoundTextures {
    std::vector<Input> textures;  ///< in the order of the materials' indices
    std::vector<Input> places;    ///< Role::texturePlace
};

/// The textures at a path: a file, a folder or an archive. They are sorted by name, or in the order of the archive.
/// Files that materials refer to by index (`*.tim`) are read; unreadable ones have no bytes. Files with ids (`*.TXTR`)
/// are read on demand, since materials use few of them.
/// @throws core::DecodeError that names the path, if it contains no textures, or if a file or an archive can't be read
[[nodiscard]] FoundTextures texturesAt(const std::string& path,
                                       const std::shared_ptr<const archives::OpenArchives>& files,
                                       const core::Limits& limits);

}  // namespace reanima
