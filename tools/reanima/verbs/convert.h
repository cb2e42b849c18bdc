/// `convert` for other verbs.
#pragma once

#include <string>

#include "tools/reanima/front/recipe.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

struct OneConversion {
    std::string input;
    std::string output;
    ConversionOptions options;
    bool force = false;  ///< replace an existing output
};

/// Converts one input to one output, like `convert INPUT -o OUT`.
/// @return the exit status
int convertOne(const OneConversion& one, const Console& console);

}  // namespace reanima::tool
