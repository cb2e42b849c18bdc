/// Writes changed and new clips into a game's file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.h"

namespace reanima {

/// Clips for which a new file is made.
struct NewClips {
    std::vector<std::uint32_t> places;  ///< unique Clip::index of each; only 0 if files contain a single clip
    double rate = 0;                    ///< frames per second, for formats that store it
    bool isStill = false;               ///< all are single frames
    std::function<bool(std::string_view)> hasJoint;  ///< true if the scene of the clips has a joint of this name
};

struct EditedFile {
    core::ByteVector bytes;
    /// Edits that were left out because the format can't store them: `run: bone003 moves, only the root can`.
    std::vector<std::string> losses{};
};

}  // namespace reanima
