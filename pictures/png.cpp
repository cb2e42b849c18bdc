#include "pictures/png.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <png.h>

#include "core/decode_error.h"

namespace reanima::pictures {

namespace {

/// The pixels without what is the same everywhere.
core::ByteVector withoutAlpha(const Picture& picture) {
    core::ByteVector rgb;
    rgb.reserve(picture.pixels.size() * 3);
    for (const Rgba& p : picture.pixels)
        rgb.insert(rgb.end(), p.begin(), p.begin() + 3);
    return rgb;
}

}  // namespace

core::ByteVector encodePng(const Picture& picture) {
    const bool alpha =
        std::any_of(picture.pixels.begin(), picture.pixels.end(), [](const Rgba& p) { return p[3] != 255; });
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = picture.width;
    image.height = picture.height;
    image.format = alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
    const core::ByteVector rgb = alpha ? core::ByteVector() : withoutAlpha(picture);
    const void* pixels = alpha ? static_cast<const void*>(picture.pixels.data()) : rgb.data();
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    core::ByteVector file(size);
    if (png_image_write_to_memory(&image, file.data(), &size, 0, pixels, 0, nullptr) == 0)
        throw std::runtime_error(fmt::format("libpng: {}", image.message));
    file.resize(size);
    return file;
}

Picture decodePng(core::Bytes file, const core::Limits& limits) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const auto fail = [&image](core::DecodeError::Kind kind, std::string problem) {
        png_image_free(&image);
        throw core::DecodeError({}, std::move(problem), kind);
    };
    if (png_image_begin_read_from_memory(&image, file.data(), file.size()) == 0)
        fail(core::DecodeError::Kind::malformed, fmt::format("is no PNG that can be read: {}", image.message));
    if (std::uint64_t{image.width} * image.height > limits.picturePixels)
        fail(core::DecodeError::Kind::limit,
             fmt::format("has {} x {} pixels, the limit is {}", image.width, image.height, limits.picturePixels));
    image.format = PNG_FORMAT_RGBA;
    Picture picture{image.width, image.height, {}};
    picture.pixels.resize(std::size_t{image.width} * image.height);
    if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr) == 0)
        fail(core::DecodeError::Kind::malformed, fmt::format("is damaged: {}", image.message));
    return picture;
}

}  // namespace reanima::pictures
