/// Links between a game's files. They show the owner of an animation by file names, and models inside files that are
/// skeletons for animations elsewhere. Each game with such links has a row; registry.cpp lists them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "input.h"

namespace reanima {

struct CharacterLinks {
    const Format& animations;  ///< the format of files that contain only animations
    const Format& characters;  ///< the format of files with several models
    /// One of the models of such a file as a separate file. Empty if no model has that id. Never throws because of a
    /// file's content.
    std::optional<Input> (*skeletonIn)(const File& file, std::string_view model);
    /// Whether an animation belongs to a character, by file names. Empty if they don't show it.
    /// @param character id of a model, or the name of a character's file
    /// @param animation name of a file
    std::optional<bool> (*belongs)(std::string_view character, std::string_view animation);
};

[[nodiscard]] std::span<const CharacterLinks* const> characterLinks();

/// The model with that id, else the first one with that name, ignoring case; null if there is none.
[[nodiscard]] const ModelSummary* modelCalled(std::span<const ModelSummary> models, std::string_view text);

}  // namespace reanima
