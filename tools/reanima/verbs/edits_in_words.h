/// Describes changes of a game's clips, for people and for the report of `encode`.
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

/// Prints the changes, the binding of another character's motion, and the omitted parts.
/// @param edited name of the scene
/// @return `1 clip changed, 3 unchanged`
[[nodiscard]] std::string sayEdits(const EncodedAsset& encoded, const std::string& edited, const Console& console);

enum class FileWas { there, made, leftAlone };

/// @param was whether the file is new (all clips are added) or unchanged (no clips are written)
/// @param file path of the game's file
[[nodiscard]] Json reportOf(const EncodedAsset& encoded, FileWas was, const std::string& file);

/// The report of a clip that could not be compared with its original.
[[nodiscard]] Json reportOfUncompared(const std::string& clip, const std::string& file);

/// Appends the lists of a report to another report, which may be null.
void addToReport(Json& report, Json more);

}  // namespace reanima::tool
