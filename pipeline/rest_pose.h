/// Choices of a rest pose: for a skeleton without a stored one, or in place of the stored one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "settings.h"

namespace reanima {

/// Parses `match`, `zero`, `skeleton`, `CLIP:FRAME` or `FILE[:CLIP:FRAME]`. After FILE, a colon is a separator only if
/// that file exists.
/// @param saidBy the setting, and the text as written
/// @throws core::DecodeError of the kind `option`
[[nodiscard]] RestPose parseRestPose(std::string_view text, core::OptionHint saidBy, const SettingFiles& files);

/// The length of the file name at the start of a rest pose's text. Empty if that file does not exist.
[[nodiscard]] std::optional<std::size_t> fileLengthInRestPose(std::string_view text,
                                                              const std::function<bool(const std::string&)>& exists);

/// Sets the rest pose of the asset's skeleton. `match` is not accepted: it needs a binding.
/// @param input the first input of the asset, with its companions
/// @throws core::DecodeError of the kind `option` if the asset has no such pose
void setRestPose(core::Asset& asset, const RestPose& rest, const Input& input, const Companions& companions,
                 Context& context);

}  // namespace reanima
