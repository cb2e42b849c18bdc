/// What becomes of changed clips in a game's file.
#pragma once

#include <string>
#include <vector>

#include "core/bytes.h"

namespace reanima {

struct EditedFile {
    core::ByteVector bytes;
    /// What the format can't hold and was left out: `run: bone003 moves, only the root can`.
    std::vector<std::string> losses{};
};

}  // namespace reanima
