/// Values of the common model as glTF extras.
#pragma once

#include <string>
#include <string_view>

#include <tiny_gltf.h>

#include "../core/properties.h"

namespace reanima::gltf {

/// tinygltf drops nulls and turns empty lists into null. Extras hold these texts instead, as JSON spells them; no other
/// text begins with this control character.
inline constexpr char kPlaceholder = '\x01';
inline constexpr std::string_view kNullInJson = "\"\\u0001null\"";
inline constexpr std::string_view kEmptyListInJson = "\"\\u0001[]\"";

/// Well-formed UTF-8 that is no placeholder: tinygltf throws for anything else.
[[nodiscard]] std::string plainText(const std::string& text);

[[nodiscard]] tinygltf::Value toGltf(const core::Properties& properties);

}  // namespace reanima::gltf
