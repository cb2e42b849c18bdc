/// Finds the materials and textures of models: files that the user named, objects of the model's container, or files
/// beside a separate model file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "container.h"
#include "formats/format.h"
#include "look.h"

namespace reanima::ff9 {

/// The user's choices for the look of models.
struct LookOptions {
    std::optional<Materials> materials{};            ///< named by the user
    std::optional<std::vector<Texture>> textures{};  ///< named by the user
    std::optional<Placement> placement{};
};

/// @return warnings in the context's diagnostics for a file that can't be read, which is left out
[[nodiscard]] LookOptions lookOptionsFrom(const Companions& companions, Context& context);

/// The look of a model in a container. Warnings report damaged textures and objects of type 0x12.
/// @param model an object of the container
/// @throws core::DecodeError of the kind `limit` for more textures than the limits allow
[[nodiscard]] Look lookInContainer(const LookOptions& options, core::Bytes file, const std::vector<Object>& objects,
                                   const Object& model, const core::Limits& limits, core::Diagnostics& diagnostics);

/// The look of a separate model file: `X.ff9mat`, and `X.tim` or `X_0.tim`, `X_1.tim`, ... beside it.
/// @param name the model's file name
/// @param siblings files beside the model; may be empty
[[nodiscard]] Look lookBeside(const LookOptions& options, std::string_view name, const Siblings& siblings,
                              Context& context);

}  // namespace reanima::ff9
