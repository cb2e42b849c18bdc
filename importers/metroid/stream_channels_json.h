/// The channels of animations of type 2, from JSON.
#pragma once

#include <cstddef>
#include <vector>

#include "animation.h"
#include "json_fields.h"
#include "values.h"

namespace reanima::metroid {

/// What is known of the channels beside what the animation holds.
struct StreamChannels {
    std::vector<ChannelValues> values;  ///< as the JSON has them
    bool quantized = false;             ///< true if values were quantised
    bool changed = false;               ///< true if something is not as stored
};

/// Sets the channels of an animation, and the multipliers and the divisor that their values are quantised with: stored
/// numbers as they are, and values without any quantised, with a note about the error.
/// @param json of the whole animation
/// @param keys number of keys after the first
/// @param newBitmap true if the key frames are not as stored
/// @throws core::DecodeError that names the path of a value that does not fit
[[nodiscard]] StreamChannels readStreamChannels(const JsonReader& json, Game game, std::size_t keys, bool newBitmap,
                                                StreamAnimation& stream, core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
