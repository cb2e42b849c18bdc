/// Enemy names of Final Fantasy VII (PC) in the user's language: `scene.bin`.
///
/// Layout and evidence: docs/formats/ff7_scene.md
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/bytes.h"

namespace reanima::ff7 {

/// The size of the largest possible `scene.bin`: 256 scenes, each in a separate block.
inline constexpr std::uint64_t kLargestSceneFile = 256U * 0x2000U;

/// The names of enemies by id, in UTF-8. If several scenes name an enemy, the first one is used. Scenes that can't be
/// unpacked, names with unknown letters, and data after the 256th scene are skipped. Throws only for lack of memory.
[[nodiscard]] std::map<std::uint32_t, std::string> sceneNames(core::Bytes file);

/// The first letters of a battle model's file names, by its id: 0 -> `aa`, 461 -> `rt`; empty beyond `zz`.
[[nodiscard]] std::string battleCode(std::uint32_t id);

}  // namespace reanima::ff7
