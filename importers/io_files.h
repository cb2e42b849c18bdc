/// Files through Assimp's IOSystem alone.
#pragma once

#include <memory>
#include <string>

#include <assimp/IOSystem.hpp>

#include "archives/open_archives.h"

namespace reanima {

/// True for the name of a file that is read from memory: it has no folder.
[[nodiscard]] bool isMemory(std::string_view path);

/// What an IOSystem reads, which must live as long as the result. Where it also knows entries of archives by their
/// names, ARCHIVE:ENTRY is not taken for a file: its archive is opened, and what lies beside the entry is found there.
[[nodiscard]] std::shared_ptr<const core::Files> ioFiles(Assimp::IOSystem& io);

/// These with the archives among them.
[[nodiscard]] std::shared_ptr<const archives::OpenArchives> ioFilesAndArchives(Assimp::IOSystem& io);

}  // namespace reanima
