/// What enemies of Final Fantasy VII (PC) are called in the user's language: `scene.bin`.
///
/// Layout and evidence: docs/formats/ff7_scene.md
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/bytes.h"

namespace reanima::ff7 {

/// More than so many bytes are no `scene.bin`: 256 scenes, were each alone in its block.
inline constexpr std::uint64_t kLargestSceneFile = 256U * 0x2000U;

/// The names of enemies in UTF-8 by their ids, each as the first scene that names it has it. Scenes that can't be
/// unpacked, names of letters that are not known, and what follows the 256th scene are passed over. Never throws but
/// for lack of memory.
[[nodiscard]] std::map<std::uint32_t, std::string> sceneNames(core::Bytes file);

/// The letters that the files of a battle model begin with, by its id: 0 -> `aa`, 461 -> `rt`; empty beyond `zz`.
[[nodiscard]] std::string battleCode(std::uint32_t id);

}  // namespace reanima::ff7
