/// Names of the game locations that archive entries belong to.
#pragma once

#include <string>

#include "archive.h"

namespace reanima::archives {

/// `Dali/Inn`; empty if the game has no name for the entry's location, or if it can't be read. Reads the entry: a field
/// of FF9.IMG, or the script of a DB.
[[nodiscard]] std::string placeOf(const Archive& archive, const Entry& entry, const core::Limits& limits);

}  // namespace reanima::archives
