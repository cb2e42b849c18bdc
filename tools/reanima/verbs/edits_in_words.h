/// What changed of a game's clips, for people and as the report of `encode`.
#pragma once

#include <cstddef>
#include <string>

#include "core/clip_edits.h"
#include "json/json.h"
#include "pipeline/encode_asset.h"

namespace reanima::tool {

/// `1 frame`, `2 frames`
[[nodiscard]] std::string counted(std::size_t number, const char* what);

/// `run: 2 joints in 3 frames; bone003 by 20.0 degrees in frame 4; 40 frames instead of 30`
[[nodiscard]] std::string lineOf(const core::ClipEdit& edit, const core::Asset& original);

enum class FileWas { there, made };

/// @param was of a file that was made, all clips are added
[[nodiscard]] Json reportOf(const EncodedAsset& encoded, FileWas was);

/// Puts the lists of a report after those of another one, which may be null.
void addToReport(Json& report, Json more);

}  // namespace reanima::tool
