/// Values of the common model as glTF extras.
#pragma once

#include <string>
#include <string_view>

#include <tiny_gltf.h>

#include "../core/properties.h"

namespace reanima::gltf {

/// tinygltf drops nulls and turns empty lists into null. Extras hold these texts instead, as JSON spells them; no other
/// text begins with this control character.
inline constexpr char kSpelledOut = '\x01';
inline constexpr std::string_view kSpelledOutInJson = "\\u0001";  ///< how JSON writes the character

/// Well-formed UTF-8 that does not begin like those texts: tinygltf throws for what is no UTF-8.
[[nodiscard]] std::string plainText(const std::string& text);

[[nodiscard]] tinygltf::Value toGltf(const core::Properties& properties);

}  // namespace reanima::gltf
