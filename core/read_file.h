/// Files of the file system, for the calls that take paths.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "bytes.h"
#include "limits.h"

namespace reanima::core {

[[nodiscard]] std::string toUtf8(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path fromUtf8(std::string_view text);

/// A whole file.
/// @throws DecodeError that names the file if it can't be read; of the kind `limit` above Limits::fileSize
[[nodiscard]] ByteVector readFile(const std::filesystem::path& path, const Limits& limits);

}  // namespace reanima::core
