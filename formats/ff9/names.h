/// What models and animations are called, by their numbers, and which belong together by their names.
///
/// Sources: docs/formats/ff9_container.md
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/called.h"

namespace reanima::ff9 {

/// `ANH_MAIN_F0_ZDN_RUN`; empty if no table knows the animation.
[[nodiscard]] std::string_view animationName(std::uint32_t animation);
/// `GEO_MAIN_F0_ZDN`; empty if no table knows the model.
[[nodiscard]] std::string_view modelName(std::uint32_t model);

/// What a clip of that full name is called: `turn_l`, `stand`; empty if there is no word for it.
[[nodiscard]] std::string shortClipName(std::string_view animationName);

/// Who a model is; unknown if no table tells.
[[nodiscard]] core::Called calledByTable(std::uint32_t model);

/// Whether a model plays an animation, by their names: the code of both is the same, or the animation is one of
/// another form of the same character. Nothing if no table knows both.
[[nodiscard]] std::optional<bool> belongByName(std::uint32_t model, std::uint32_t animation);

/// The model whose name has the code of an animation, else one that plays it, too; the lowest number of several.
/// Nothing if no table knows the animation.
[[nodiscard]] std::optional<std::uint32_t> ownerByName(std::uint32_t animation);

/// The numbers of the models that a text names: a number, a title (`zidane`) or a full name, without case.
[[nodiscard]] std::vector<std::uint32_t> modelsCalled(std::string_view text);

/// The title that is closest to a mistyped one; empty if none is close.
[[nodiscard]] std::string titleNear(std::string_view text);

/// The number that a file is called after: `7655` of `7655.ff9anim` and `7655_2.ff9anim`.
[[nodiscard]] std::optional<std::uint32_t> numberInName(std::string_view fileName);

}  // namespace reanima::ff9
