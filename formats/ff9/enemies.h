/// Monster names in the user's language, from battle formations.
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

/// Keyed by model number.
using EnemyNames = std::map<std::uint32_t, std::string>;

/// The names of the enemies of a formation. Empty if the container has no complete formation. Never throws because of
/// the content.
[[nodiscard]] EnemyNames enemyNames(core::Bytes file, std::span<const Object> objects);

/// True if a DB with these first bytes has the chunks of a formation.
[[nodiscard]] bool mayBeFormation(core::Bytes head);

/// Names in the form of File::told (kOwnNameKey): one line per model with its number, a blank and its name, in UTF-8.
[[nodiscard]] std::string linesOf(const EnemyNames& names);
/// The names in such lines; invalid lines are skipped.
[[nodiscard]] EnemyNames enemyNamesIn(std::string_view lines);

}  // namespace reanima::ff9
