#include "formats/opened.h"

#include <nlohmann/json.hpp>

#include "formats/retime.h"

namespace reanima {

namespace {

[[noreturn]] void refuse() { throw core::DecodeError("has a format that does not support this operation"); }

}  // namespace

core::Asset Opened::asset(const std::string&, core::Diagnostics&) { refuse(); }

Json Opened::dump() { refuse(); }

core::StoredSteps Opened::steps() { refuse(); }

EditedFile Opened::written(const core::Asset&, std::span<const core::ClipEdit>, core::Diagnostics&) { refuse(); }

RetimedFile Opened::retimed(const RetimeSettings&) { refuse(); }

}  // namespace reanima
