/// Names of models and animations by number. Their names show which of them belong together.
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

/// `ANH_MAIN_F0_ZDN_RUN`; empty if the animation is in no table.
[[nodiscard]] std::string_view animationName(std::uint32_t animation);
/// `GEO_MAIN_F0_ZDN`; empty if the model is in no table.
[[nodiscard]] std::string_view modelName(std::uint32_t model);

/// The short name of a clip with this full name: `turn_l`, `stand`; empty if there is none.
[[nodiscard]] std::string shortClipName(std::string_view animationName);

/// The character of a model; unknown if it is in no table.
[[nodiscard]] core::Called calledByTable(std::uint32_t model);

/// Decides by their names whether a model plays an animation. It does if both have the same code, or if the animation
/// belongs to another form of the same character. Empty unless both are in the tables.
[[nodiscard]] std::optional<bool> belongByName(std::uint32_t model, std::uint32_t animation);

/// The model that plays an animation, judged by names: a model with the same code or, without one, another form that
/// also plays it. Of several such models, the one with the lowest number. Empty if the animation is in no table.
[[nodiscard]] std::optional<std::uint32_t> ownerByName(std::uint32_t animation);

/// The numbers of the models that a text names: by a number, a title (`zidane`) or a full name. Case is ignored.
[[nodiscard]] std::vector<std::uint32_t> modelsCalled(std::string_view text);

/// The title that is closest to a mistyped one; empty if none is close.
[[nodiscard]] std::string titleNear(std::string_view text);

/// The number in a file's name: `7655` of `7655.ff9anim` and `7655_2.ff9anim`.
[[nodiscard]] std::optional<std::uint32_t> numberInName(std::string_view fileName);

}  // namespace reanima::ff9
