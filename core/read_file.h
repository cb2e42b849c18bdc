/// Files of the file system, for the calls that take paths.
#pragma once

#include <filesystem>

#include "bytes.h"
#include "file_system.h"
#include "limits.h"

namespace reanima::core {

/// A whole file.
/// @throws DecodeError that names the file if it can't be read; of the kind `limit` above Limits::fileSize
[[nodiscard]] ByteVector readFile(const std::filesystem::path& path, const Limits& limits);

}  // namespace reanima::core
