/// Names of the game locations that archive entries belong to.
#pragma once

#include <string>

#include "archive.h"

namespace reanima::archives {

/// The place of an entry: `Dali/Inn`. Empty if the game has no name for it, or if the entry can't be read. Reads the
/// entry: a field of FF9.IMG, or the script of a DB.
[[nodiscard]] std::string placeOf(const Archive& archive, const Entry& entry, const core::Limits& limits);

}  // namespace reanima::archives
