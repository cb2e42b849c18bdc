/// The files of the disk for a process that must notice if the disk fails, or if an input changes while it is read.
#pragma once

#include <functional>
#include <memory>
#include <system_error>

#include "decode_error.h"
#include "files.h"

namespace reanima::core {

/// True for errors of a disk, a network or the system. False if a path does not exist or may not be read.
[[nodiscard]] bool isFault(const std::error_code& error);

/// Like steadyDiskFiles(), but a file that changes while it is read is an error.
/// @param refused called for these errors and for faults (isFault()), even if the caller can do without the file or
/// folder. Any thread may call it.
[[nodiscard]] std::shared_ptr<const Files> watchedDiskFiles(std::function<void(const DecodeError& error)> refused);

}  // namespace reanima::core
