/// Inputs and outputs of the command.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "../../importers/format.h"

namespace reanima::tool {

/// Reads a file whole. Errors carry the path as it was given.
/// @throws core::DecodeError if it can't be read or is larger than the limit
[[nodiscard]] File readFile(const std::filesystem::path& path, const core::Limits& limits);

/// An input with the files of its folder as siblings.
[[nodiscard]] Input readInput(const std::filesystem::path& path, const Format* format, const core::Limits& limits);

/// Refuses outputs that exist (unless `force`), are inputs, or occur twice: before any work is done.
/// @throws UsageError
void checkOutputs(const std::vector<std::filesystem::path>& outputs, const std::vector<std::filesystem::path>& inputs,
                  bool force);

/// Writes a file whole or not at all: to a temporary file in the same folder, which then takes the target's place.
/// Missing folders are made. Devices and pipes are written directly.
/// @throws OutputError that names the path and the system's reason
void writeOutput(const std::filesystem::path& target, core::Bytes bytes);

/// True for what an output would destroy: a regular file, or a folder that is not empty.
[[nodiscard]] bool existsAsFile(const std::filesystem::path& path);

}  // namespace reanima::tool
