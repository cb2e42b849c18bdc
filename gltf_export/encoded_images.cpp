#include "gltf_export/encoded_images.h"

#include <algorithm>
#include <optional>
#include <thread>

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

/// An upper bound for the files and, for each of two threads, a picture and its filtered rows.
std::uint64_t mostMemory(const std::vector<core::Image>& images) {
    std::uint64_t largest = 0;
    for (const core::Image& image : images)
        largest = std::max<std::uint64_t>(largest, image.rgba.size());
    return texelBytes(images) + (images.size() > 1 ? 4 : 2) * largest;
}

std::launch policyFor(const std::vector<core::Image>& images) {
    constexpr std::uint64_t kWorthAThread = 1U << 16U;  // encoding fewer bytes is faster than starting a thread
    // Without threads, as in browsers, libc++'s async() would wait forever for a thread that it could not start.
    return texelBytes(images) >= kWorthAThread && std::thread::hardware_concurrency() > 1
               ? std::launch::async | std::launch::deferred
               : std::launch::deferred;
}

}  // namespace

EncodedImages::EncodedImages(const std::vector<core::Image>& images, const core::Limits& limits)
    : images_(images), memory_(mostMemory(images)) {
    core::requireMemory(memory_, limits, {"the images of the glTF file", std::nullopt});
    files_.resize(images.size());
    done_ = std::async(policyFor(images), [this] { encodeRest(); });
}

std::vector<core::ByteVector> EncodedImages::take() {
    encodeRest();
    done_.get();
    return std::move(files_);
}

void EncodedImages::encodeRest() {
    for (std::size_t i = next_++; i < images_.size(); i = next_++)
        files_[i] = pictures::encodePng(images_[i]);
}

}  // namespace reanima::gltf
