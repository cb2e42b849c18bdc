/// Action scripts of Final Fantasy VII's battle models, `**ab`: the clips that a character plays for each action.
///
/// Layout and evidence: docs/formats/ff7_action_scripts.md
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/bytes.h"

namespace reanima::ff7 {

/// The clips that each script plays, in order and with repetitions. Empty for a script that is unused, extends beyond
/// the file, or contains an invalid instruction.
using ActionScripts = std::vector<std::vector<std::uint8_t>>;

/// The scripts of a file by number; empty if there are none or the table can't be read. Never throws.
[[nodiscard]] ActionScripts readActionScripts(core::Bytes file);

}  // namespace reanima::ff7
