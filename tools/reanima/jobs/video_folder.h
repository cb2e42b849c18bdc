/// Pictures in a folder, with frames.json: written by `frames` and read by `encode`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "core/fraction.h"
#include "core/image_sequence.h"
#include "core/limits.h"

namespace reanima::tool {

/// The content of frames.json. States the palindrome only if the pictures are the whole sequence.
/// @param files names of the pictures' files, in order
[[nodiscard]] std::string framesJson(const core::ImageSequence& images, const std::vector<std::string>& files);

/// A sequence of the pictures named in frames.json. Without frames.json, the sequence contains all PNG files in the
/// folder, at 15 per second. frame10 follows frame9.
/// @param rate pictures per second, instead of the usual rate
/// @throws core::DecodeError for an unreadable picture, different sizes, sheets of pictures, or exceeded limits
[[nodiscard]] core::ImageSequence readVideoFolder(const std::filesystem::path& folderOrJson,
                                                  std::optional<core::Fraction> rate, const core::Limits& limits,
                                                  core::Diagnostics& diagnostics);

}  // namespace reanima::tool
