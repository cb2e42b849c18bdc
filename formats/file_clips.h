/// Makes the clips of a file that contains a skeleton and several animations.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "core/asset.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "formats/angle_clips.h"

namespace reanima {

/// One of a file's animations, with a triple per joint.
struct AngleAnimation {
    const AngleFrames* frames;
    bool isDamaged = false;  ///< the decoder gave a warning, and no clip is made
    bool isDivided = true;   ///< false: no keys are added
};

struct FileClipSettings {
    std::string source;          ///< name of the file
    std::string stem;            ///< clips are called <stem>_000, <stem>_001, ...
    AngleClipSettings channels;  ///< the scale applies to translations
};

/// Adds a clip to the asset for every animation that has frames. For the others only a warning is given, and their
/// indices stay unused. Joint 0 carries the translation. Notes report added keys and large steps.
/// @param asset has the skeleton
/// @param finish completes a clip; may do nothing
/// @param index the animation's number in the file
/// @throws core::DecodeError of the kind `limit` if the clips exceed the limits
template <AxisOrder order>
void addFileClips(core::Asset& asset, std::span<const AngleAnimation> animations, const FileClipSettings& settings,
                  const std::function<void(core::Clip& clip, std::size_t index)>& finish, const core::Limits& limits,
                  core::Diagnostics& diagnostics);

extern template void addFileClips<AxisOrder::yxz>(core::Asset&, std::span<const AngleAnimation>,
                                                  const FileClipSettings&,
                                                  const std::function<void(core::Clip&, std::size_t)>&,
                                                  const core::Limits&, core::Diagnostics&);
extern template void addFileClips<AxisOrder::zyx>(core::Asset&, std::span<const AngleAnimation>,
                                                  const FileClipSettings&,
                                                  const std::function<void(core::Clip&, std::size_t)>&,
                                                  const core::Limits&, core::Diagnostics&);

}  // namespace reanima
