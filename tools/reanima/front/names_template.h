/// A file of names to be filled in.
#pragma once

#include <string>

#include "binding/roles/roles.h"
#include "core/asset.h"

namespace reanima::tool {

/// Lines as parseNames() reads them, with the names that clips and joints have now; what a joint is for where that is
/// certain.
[[nodiscard]] std::string namesTemplateOf(const core::Asset& asset, const roles::Anatomy& anatomy);

}  // namespace reanima::tool
