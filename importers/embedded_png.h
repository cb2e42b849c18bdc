/// Images inside a scene.
#pragma once

#include <memory>
#include <string>

#include <assimp/texture.h>

#include "core/bytes.h"

namespace reanima {

/// A texture that contains a PNG file.
[[nodiscard]] std::unique_ptr<aiTexture> embeddedPng(const core::ByteVector& png, const std::string& name);

}  // namespace reanima
