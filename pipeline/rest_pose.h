/// Choices of a rest pose, for skeletons that store none or to replace the stored one.
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

/// The length of the file name at the start of such a text, if that file exists; none otherwise.
[[nodiscard]] std::optional<std::size_t> fileLengthInRestPose(std::string_view text,
                                                              const std::function<bool(const std::string&)>& exists);

/// Sets the rest pose of the asset's skeleton. `match` only makes sense for binding and is not accepted.
/// @param input the first input that the asset comes from, with its companions
/// @throws core::DecodeError of the kind `option` if the asset has no such pose
void setRestPose(core::Asset& asset, const RestPose& rest, const Input& input, const Companions& companions,
                 Context& context);

}  // namespace reanima
