/// Pictures in a folder, with frames.json: written by `frames` and read by `encode`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/image_sequence.h"
#include "core/limits.h"

namespace reanima::tool {

/// The content of frames.json. It states the palindrome only if the pictures are the whole sequence.
/// @param files names of the pictures' files, in order
[[nodiscard]] std::string framesJson(const core::ImageSequence& images, const std::vector<std::string>& files);

/// A sequence of the pictures that frames.json names, or of all PNG files of a folder in the order of their names, with
/// frame10 after frame9 (then 15 per second).
/// @throws core::DecodeError for a picture that can't be read or has another size, or beyond the limits
[[nodiscard]] core::ImageSequence readVideoFolder(const std::filesystem::path& folderOrJson,
                                                  const core::Limits& limits);

}  // namespace reanima::tool
