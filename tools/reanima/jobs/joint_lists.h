/// Joints and rigs of other programs, for `info`.
#pragma once

#include <string>

#include "binding/roles/roles.h"
#include "core/rig.h"
#include "json/json.h"

namespace reanima::tool {

/// A row for each joint, with its role if certain.
/// @param width maximal width of tables
[[nodiscard]] std::string jointTable(const core::Skeleton& skeleton, const roles::Anatomy& anatomy, std::size_t width);
/// The joints as a list of objects.
[[nodiscard]] Json jointRows(const core::Skeleton& skeleton, const roles::Anatomy& anatomy);

/// A summary of a rig, its clips and its joints.
/// @param width maximal width of tables
[[nodiscard]] std::string rigTable(const core::Rig& rig, const roles::Anatomy& anatomy, std::size_t width);
/// The summary as members of an object: `rig`, `clips`, `joints`.
[[nodiscard]] Json rigMembers(const core::Rig& rig, const roles::Anatomy& anatomy);

}  // namespace reanima::tool
