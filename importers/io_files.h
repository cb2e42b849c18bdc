/// File access through Assimp's IOSystem.
#pragma once

#include <memory>
#include <string>

#include <assimp/IOSystem.hpp>

#include "archives/open_archives.h"

namespace reanima {

/// True for the name of a file that is read from memory. Such a name has no folder.
[[nodiscard]] bool isMemory(std::string_view path);

/// The files of an IOSystem, which must outlive the result. ARCHIVE:ENTRY is never read as a file, even if the IOSystem
/// knows entries by name. Instead, its archive is opened, so that the entry's siblings are found in it.
[[nodiscard]] std::shared_ptr<const core::Files> ioFiles(Assimp::IOSystem& io);

/// Like ioFiles(), with access to the archives among the files.
[[nodiscard]] std::shared_ptr<const archives::OpenArchives> ioFilesAndArchives(Assimp::IOSystem& io);

}  // namespace reanima
