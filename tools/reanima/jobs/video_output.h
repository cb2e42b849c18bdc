/// Writes a video as pictures or as one file.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/image_sequence.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

/// Values of `--as`.
inline constexpr std::array<std::string_view, 6> kVideoForms = {"png", "sheet", "apng", "y4m", "raw", "raw555"};

/// The requested output.
struct VideoOutput {
    std::string input;           ///< name of the input in messages
    std::filesystem::path path;  ///< `-` is standard output
    std::string form = "png";    ///< one of kVideoForms
    std::string range;           ///< `A-B`, `A`; empty: all pictures
    bool unique = false;         ///< without the mirrored half of a palindrome
    unsigned threads = 1;
};

/// True for forms with several files in a folder.
[[nodiscard]] bool isFolderForm(std::string_view form);

/// The extension of a form's file, with a dot. Empty for a folder.
[[nodiscard]] std::string_view extensionOfForm(std::string_view form);

/// The requested pictures, as indices of the sequence.
/// @throws UsageError for a wrong range; core::DecodeError if the range exceeds the video, or if all of its pictures
/// are in the mirrored half that is left out
[[nodiscard]] std::vector<std::uint32_t> wantedPictures(const core::ImageSequence& images, const VideoOutput& output);

/// Writes the pictures. An interrupted run leaves no output.
/// @throws OutputError
void writeVideo(const core::ImageSequence& images, const std::vector<std::uint32_t>& wanted, const VideoOutput& to,
                const Console& console);

/// The ffmpeg command that makes a modern video: `reanima frames X --as y4m -o - | ffmpeg -i - X.mp4`.
/// @param words the arguments of `frames` that select input and frames
/// @param video output file
[[nodiscard]] std::string ffmpegCommand(const core::ImageSequence& images, std::span<const std::string> words,
                                        const std::string& video);

/// True for the name of a video in a modern format.
[[nodiscard]] bool isVideoForPlayers(const std::filesystem::path& path);

/// True for the name of a picture or of another verb's output. Such names are rejected for a folder of frames.
[[nodiscard]] bool isFileOfOtherKind(const std::filesystem::path& path);

}  // namespace reanima::tool
