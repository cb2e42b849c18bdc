/// Companions that settings name by their paths.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "archives/open_archives.h"
#include "settings.h"

namespace reanima {

/// What a path of textures leads to.
struct FoundTextures {
    std::vector<Input> textures;  ///< in the order in which materials count them
    std::vector<Input> places;    ///< Role::texturePlace
};

/// The textures that a path means: itself, or those in a folder or an archive, in the order of their names or of the
/// archive. Those that materials count (`*.tim`) are read: one that its archive can't deliver has no bytes. Those that
/// are known by ids (`*.TXTR`) are not: materials ask for few of them.
/// @throws core::DecodeError that names the path if there are none, or if a file or an archive can't be read
[[nodiscard]] FoundTextures texturesAt(const std::string& path,
                                       const std::shared_ptr<const archives::OpenArchives>& files,
                                       const core::Limits& limits);

}  // namespace reanima
