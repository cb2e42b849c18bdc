/// The rest pose that the user asked for.
#pragma once

#include <string>

#include "../../core/asset.h"
#include "options.h"

namespace reanima::tool {

/// Puts a rest pose on the asset's skeleton: `zero`, `skeleton`, `CLIP:FRAME`, `FILE[:CLIP:FRAME]`, or the default if
/// `choice` is empty.
/// @param input the first input that the asset comes from, with its companions
/// @throws UsageError, core::DecodeError
void setRestAsAsked(core::Asset& asset, const std::string& choice, const Input& input, const Companions& companions,
                    const InputOptions& options, Context& context);

}  // namespace reanima::tool
