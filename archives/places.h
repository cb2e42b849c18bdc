/// What games call the places that entries of archives are of.
#pragma once

#include <string>

#include "archive.h"

namespace reanima::archives {

/// `Dali/Inn`; empty if the game does not name the place of the entry, or if it can't be read. Reads the entry: a field
/// of FF9.IMG, or the script of a DB.
[[nodiscard]] std::string placeOf(const Archive& archive, const Entry& entry, const core::Limits& limits);

}  // namespace reanima::archives
