/// Bytes in data URIs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.h"

namespace reanima::gltf {

/// The bytes of a text. Empty if it is not base64. The padding may be missing.
[[nodiscard]] std::optional<core::ByteVector> fromBase64(std::string_view text);

/// The bytes as base64 in one line, with padding.
[[nodiscard]] std::string toBase64(core::Bytes bytes);

}  // namespace reanima::gltf
