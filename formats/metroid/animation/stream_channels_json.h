/// The channels of animations of type 2, from JSON.
#pragma once

#include <cstddef>
#include <vector>

#include "animation.h"
#include "formats/metroid/json_fields.h"
#include "values.h"

namespace reanima::metroid {

/// Facts about the channels that the animation itself does not contain.
struct StreamChannels {
    std::vector<ChannelValues> values;  ///< the values in the JSON
    bool quantized = false;             ///< values were quantised
    bool changed = false;               ///< something differs from the stored form
};

/// Sets the channels of an animation, its multipliers and its divisor. Stored numbers are kept unchanged. Values
/// without numbers are quantised, with a note about the error.
/// @param json the whole animation
/// @param keys the number of keys after the first
/// @throws core::DecodeError that names the path of a value that does not fit
[[nodiscard]] StreamChannels readStreamChannels(const JsonReader& json, Game game, std::size_t keys,
                                                StreamAnimation& stream, core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
