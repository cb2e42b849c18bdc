/// The formats that this library reads.
#pragma once

#include <span>

#include "format.h"

namespace reanima {

/// Every format, in the order in which ties between claims are broken.
[[nodiscard]] std::span<const Format* const> formats();

/// The format of that id, or null.
[[nodiscard]] const Format* formatNamed(std::string_view id);

/// Files of the games that are recognised and named, but hold nothing to convert.
[[nodiscard]] std::span<const OtherFile> otherFiles();

/// Every option of every format, or of the formats of a kind; each key once.
[[nodiscard]] std::vector<OptionInfo> formatOptions(std::optional<Kind> kind = {});

}  // namespace reanima
