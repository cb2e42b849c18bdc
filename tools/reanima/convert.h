/// The work of `convert`, for other verbs.
#pragma once

#include <string>

#include "console.h"
#include "recipe.h"

namespace reanima::tool {

/// Converts one input to one output, as `convert INPUT -o OUT` does.
/// @return the exit status
int convertTo(const std::string& output, const std::string& input, ConversionOptions conversion, bool force,
              const Console& console);

}  // namespace reanima::tool
