/// The groups of models as JSON.
#pragma once

#include <vector>

#include "json/json.h"
#include "mesh.h"

namespace reanima::ff9 {

/// @throws core::DecodeError of the kind `limit` if the JSON needs too much memory
[[nodiscard]] Json toJson(const std::vector<Group>& groups, const core::Limits& limits);

/// @param json the list of groups
/// @throws core::DecodeError that names the path of a value that does not fit
[[nodiscard]] std::vector<Group> groupsFromJson(const JsonReader& json, std::size_t bones,
                                                core::Diagnostics& diagnostics);

}  // namespace reanima::ff9
