/// Files as JSON, value for value.
#pragma once

#include "input.h"
#include "json/json.h"

namespace reanima {

/// Every value of one file as stored. Errors and warnings name the file. The JSON also contains the warnings.
/// @throws DecodeError if nothing can be read
[[nodiscard]] Json dump(const Input& input, const Companions& given, Context& context);

}  // namespace reanima
