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

/// A choice of rest pose without the folder of the file that it names: what a file says counts, not where it lies.
[[nodiscard]] std::string restWithoutFolder(const std::string& choice);

/// A rest pose, and the option that asked for it, for messages.
struct RestChoice {
    std::string_view option = "--rest";
    std::string pose;       ///< `zero`, `skeleton`, `CLIP:FRAME`, `FILE[:CLIP:FRAME]`; empty: the default
    bool isSource = false;  ///< of what is bound: there is also `match`, which the binding does
};

/// Puts a rest pose on the asset's skeleton.
/// @param input the first input that the asset comes from, with its companions
/// @throws UsageError, core::DecodeError
void setRestAsAsked(core::Asset& asset, const RestChoice& choice, const Input& input, const Companions& companions,
                    const InputOptions& options, Context& context);

}  // namespace reanima::tool
