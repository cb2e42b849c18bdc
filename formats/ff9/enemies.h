/// What monsters are called in the user's own language: a battle formation names them.
///
/// Layout and evidence: docs/formats/ff9_container.md
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "container.h"

namespace reanima::ff9 {

/// The names of the enemies of a formation by the numbers of their models; none if the container holds no formation
/// that is whole. Never throws for what a file holds.
[[nodiscard]] std::map<std::uint32_t, std::string> enemyNames(core::Bytes file, std::span<const Object> objects);

}  // namespace reanima::ff9
