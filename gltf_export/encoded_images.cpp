#include "gltf_export/encoded_images.h"

#include <algorithm>
#include <optional>

#include "core/decode_error.h"
#include "pictures/png.h"

namespace reanima::gltf {

namespace {

std::uint64_t texelBytes(const std::vector<core::Image>& images) {
    std::uint64_t bytes = 0;
    for (const core::Image& image : images)
        bytes += image.rgba.size();
    return bytes;
}

/// An image's picture and its filtered rows, beside the files.
std::uint64_t mostMemory(const std::vector<core::Image>& images) {
    std::uint64_t largest = 0;
    for (const core::Image& image : images)
        largest = std::max<std::uint64_t>(largest, image.rgba.size());
    return texelBytes(images) + 2 * largest;
}

std::vector<core::ByteVector> encoded(const std::vector<core::Image>& images) {
    std::vector<core::ByteVector> files;
    files.reserve(images.size());
    for (const core::Image& image : images)
        files.push_back(pictures::encodePng(image));
    return files;
}

std::launch policyFor(const std::vector<core::Image>& images) {
    constexpr std::uint64_t kWorthAThread = 1U << 16U;  // encoding less takes no longer than a thread's start
    return texelBytes(images) < kWorthAThread ? std::launch::deferred : std::launch::async | std::launch::deferred;
}

}  // namespace

EncodedImages::EncodedImages(const std::vector<core::Image>& images, const core::Limits& limits)
    : memory_(mostMemory(images)) {
    core::requireMemory(memory_, limits, {"the images of the glTF file", std::nullopt});
    files_ = std::async(policyFor(images), [&images] { return encoded(images); });
}

}  // namespace reanima::gltf
