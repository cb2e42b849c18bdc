/// A names file to fill in.
#pragma once

#include <string>

#include "binding/roles/roles.h"
#include "core/asset.h"

namespace reanima::tool {

/// Lines for parseNames() with the current names of clips and joints, and with the certain roles of joints.
[[nodiscard]] std::string namesTemplateOf(const core::Asset& asset, const roles::Anatomy& anatomy);

}  // namespace reanima::tool
