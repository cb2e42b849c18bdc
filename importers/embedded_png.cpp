#include "importers/embedded_png.h"

#include <cstring>

namespace reanima {

std::unique_ptr<aiTexture> embeddedPng(const core::ByteVector& png, const std::string& name) {
    auto texture = std::make_unique<aiTexture>();
    texture->mWidth = static_cast<unsigned>(png.size());  // if the height is 0, this is the size of a file
    texture->mHeight = 0;
    texture->mFilename = name;
    std::strcpy(texture->achFormatHint, "png");  // NOLINT: the array has nine characters
    texture->pcData = new aiTexel[(png.size() + sizeof(aiTexel) - 1) / sizeof(aiTexel)];
    std::memcpy(texture->pcData, png.data(), png.size());
    return texture;
}

}  // namespace reanima
