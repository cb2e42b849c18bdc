/// Companions that settings name by their paths.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "archives/open_archives.h"
#include "settings.h"

namespace reanima {

/// The textures that a path means: itself, or those (`*.tim`) in a folder or an archive, in the order of their names or
/// of the archive. One that its archive can't deliver has no bytes: materials count those before them.
/// @throws core::DecodeError that names the path if there are none, or if a file or an archive can't be read
[[nodiscard]] std::vector<Input> texturesAt(const std::string& path,
                                            const std::shared_ptr<const archives::OpenArchives>& files,
                                            const core::Limits& limits);

}  // namespace reanima
