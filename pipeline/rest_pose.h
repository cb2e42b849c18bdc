/// Choices of a rest pose: which one a skeleton is to have that stores none, or another one than it stores.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "settings.h"

namespace reanima {

/// `match`, `zero`, `skeleton`, `CLIP:FRAME` or `FILE[:CLIP:FRAME]`; a colon separates only after a file that exists.
/// @param saidBy the setting, and the text as written
/// @throws core::DecodeError of the kind `option`
[[nodiscard]] RestPose parseRestPose(std::string_view text, core::OptionHint saidBy, const SettingFiles& files);

/// How far such a text reaches that names a file which `exists` knows: the length of the name; none if it names none.
[[nodiscard]] std::optional<std::size_t> fileLengthInRestPose(std::string_view text,
                                                              const std::function<bool(const std::string&)>& exists);

/// Puts a rest pose on the asset's skeleton. `match` is the binding's matter and is not accepted.
/// @param input the first input that the asset comes from, with its companions
/// @throws core::DecodeError of the kind `option` if the asset has no such pose
void setRestPose(core::Asset& asset, const RestPose& rest, const Input& input, const Companions& companions,
                 Context& context);

}  // namespace reanima
