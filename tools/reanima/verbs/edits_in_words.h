/// Describes changes of a game's clips for people and in the report of `encode`.
#pragma once

#include <cstddef>
#include <string>

#include "core/clip_edits.h"
#include "json/json.h"
#include "pipeline/encode_asset.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

/// `1 frame`, `2 frames`
[[nodiscard]] std::string counted(std::size_t number, const char* what);

/// `run: 2 joints in 3 frames; bone003 by 20.0 degrees in frame 4; 40 frames instead of 30`
[[nodiscard]] std::string lineOf(const core::ClipEdit& edit, const core::Asset& original);

/// Reports what was changed, how another character's motion was bound, and what was left out.
/// @param edited name of the scene
/// @return `1 clip changed, 3 as before`
[[nodiscard]] std::string sayEdits(const EncodedAsset& encoded, const std::string& edited, const Console& console);

enum class FileWas { there, made, leftAlone };

/// @param was for a new file all clips are added; for one that stays unchanged none is written
/// @param file the game's, by its path
[[nodiscard]] Json reportOf(const EncodedAsset& encoded, FileWas was, const std::string& file);

/// The report of a clip that could not be compared with the one that it was.
[[nodiscard]] Json reportOfUncompared(const std::string& clip, const std::string& file);

/// Appends the lists of a report to those of another one, which may be null.
void addToReport(Json& report, Json more);

}  // namespace reanima::tool
