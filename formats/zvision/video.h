/// Converts a video to a sequence of the common model.
#pragma once

#include <memory>
#include <string>

#include "core/asset.h"
#include "rlf.h"

namespace reanima::zvision {

enum class Transpose { automatic, yes, no };

struct VideoSettings {
    std::string source;  ///< name of the file
    std::string stem;
    double rate = 0;  ///< pictures per second, 0.001 to 1000; 0: the file's
    Transpose transpose = Transpose::automatic;
    std::optional<Pixel555> colorKey;
};

/// Panoramas are stored transposed. Only the fifth letter of the file's name shows it: `w`; flat videos have `a`. This
/// is true of all 52 panoramas and all 100 flat videos in one game's list.
/// @param fileName the file's name in UTF-8
[[nodiscard]] bool isNamedLikePanorama(const std::string& fileName);

/// The video as a sequence. Its rate in pictures per second is that of the settings or, without one, exactly 10000 /
/// frame time; 15 if the frame time is 0.
[[nodiscard]] core::ImageSequence toSequence(const std::shared_ptr<const Rlf>& video, const VideoSettings& settings,
                                             core::Diagnostics& diagnostics);

/// The frame time whose rate is nearest to that of a sequence, with a note if they differ.
/// @throws core::DecodeError for a rate that no frame time can reach
[[nodiscard]] std::uint32_t frameTimeFor(const core::ImageSequence& sequence, core::Diagnostics& diagnostics);

}  // namespace reanima::zvision
