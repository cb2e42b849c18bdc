/// The rest pose that the user asked for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "../../core/asset.h"
#include "options.h"

namespace reanima::tool {

/// The file that a choice of rest pose names, if it names one that exists: a colon counts only behind a file.
/// @param folder what a relative path is relative to
[[nodiscard]] std::optional<std::filesystem::path> fileOfRest(const std::string& choice,
                                                              const std::filesystem::path& folder = {});

/// Puts a rest pose on the asset's skeleton: `zero`, `skeleton`, `CLIP:FRAME`, `FILE[:CLIP:FRAME]`, or the default if
/// `choice` is empty.
/// @param input the first input that the asset comes from, with its companions
/// @throws UsageError, core::DecodeError
void setRestAsAsked(core::Asset& asset, const std::string& choice, const Input& input, const Companions& companions,
                    const InputOptions& options, Context& context);

}  // namespace reanima::tool
