/// Action scripts of Final Fantasy VII's battle models, `**ab`: which clips of its pack a character plays when it acts.
///
/// Layout and evidence: docs/formats/ff7_action_scripts.md
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/bytes.h"

namespace reanima::ff7 {

/// The clips that each script plays, in its order, as often as it does; none of one that is not used, leaves the file,
/// or holds what is no instruction.
using ActionScripts = std::vector<std::vector<std::uint8_t>>;

/// The scripts of a file by their numbers; none where it holds no scripts, or its table can't be read. Never throws.
[[nodiscard]] ActionScripts readActionScripts(core::Bytes file);

}  // namespace reanima::ff7
