/// What is known of a game's characters beyond single files: whose an animation is by the names of files, and models
/// inside of files as skeletons for animations that lie elsewhere. A game that tells has a row; registry.cpp lists
/// them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "input.h"

namespace reanima {

struct CharacterLinks {
    const Format& animations;  ///< the format of files with animations alone
    const Format& characters;  ///< the format of files with several models
    /// One of the models of such a file as a file of its own; nothing if there is none of that id. Never throws for
    /// what a file holds.
    std::optional<Input> (*skeletonIn)(const File& file, std::string_view model);
    /// Whether an animation belongs to a character, as names of files tell; nothing where they don't tell.
    /// @param character id of a model, or the name of a character's file
    /// @param animation name of a file
    std::optional<bool> (*belongs)(std::string_view character, std::string_view animation);
};

[[nodiscard]] std::span<const CharacterLinks* const> characterLinks();

/// The model of that id, else the first one of that name, without case; null if there is none.
[[nodiscard]] const ModelSummary* modelCalled(std::span<const ModelSummary> models, std::string_view text);

}  // namespace reanima
