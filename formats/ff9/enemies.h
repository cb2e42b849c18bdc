/// What monsters are called in the user's own language: a battle formation names them.
///
/// Layout and evidence: docs/formats/ff9_container.md
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "container.h"

namespace reanima::ff9 {

/// By the numbers of their models.
using EnemyNames = std::map<std::uint32_t, std::string>;

/// The names of the enemies of a formation; none if the container holds no formation that is whole. Never throws for
/// what a file holds.
[[nodiscard]] EnemyNames enemyNames(core::Bytes file, std::span<const Object> objects);

/// True if a DB that begins so has the chunks of a formation.
[[nodiscard]] bool mayBeFormation(core::Bytes head);

/// Names as File::told has them (kOwnNameKey): a line of number, blank and name for each model, in UTF-8.
[[nodiscard]] std::string linesOf(const EnemyNames& names);
/// What such lines say; those that say nothing are passed over.
[[nodiscard]] EnemyNames enemyNamesIn(std::string_view lines);

}  // namespace reanima::ff9
