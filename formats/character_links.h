/// Links between a game's files: which animation belongs to which character (judged by file names), and which models
/// in a file are the skeletons for animations in other files. A game with such links has a row in registry.cpp.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "input.h"

namespace reanima {

struct CharacterLinks {
    const Format& animations;  ///< the format of files that contain only animations
    const Format& characters;  ///< the format of files with several models
    /// One model of a file with several, as a file. Empty if no model has that id. Never throws because of the content.
    std::optional<Input> (*skeletonIn)(const File& file, std::string_view model);
    /// Decides by file names whether an animation belongs to a character. Empty if the names don't show it.
    /// @param character a model's id, or the name of a character's file
    /// @param animation an animation's file name
    std::optional<bool> (*belongs)(std::string_view character, std::string_view animation);
};

[[nodiscard]] std::span<const CharacterLinks* const> characterLinks();

/// The model with that id. If there is none, the first model with that name, ignoring case. Null if neither exists.
[[nodiscard]] const ModelSummary* modelCalled(std::span<const ModelSummary> models, std::string_view text);

}  // namespace reanima
