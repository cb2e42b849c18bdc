/// The images of a model as PNG files. They are encoded while the rest of the model is built.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <vector>

#include "core/bytes.h"
#include "core/limits.h"
#include "core/mesh.h"

namespace reanima::gltf {

/// Encodes on a separate thread, since building animations takes about as long. take() helps with the rest. Without a
/// thread, or if all images are small, take() encodes all of them. The destructor waits for the thread.
class EncodedImages {
  public:
    /// @param images must outlive this object
    /// @throws core::DecodeError of the kind `limit`
    EncodedImages(const std::vector<core::Image>& images, const core::Limits& limits);

    /// An upper bound, in bytes, for the files and for the rows during encoding.
    [[nodiscard]] std::uint64_t memory() const { return memory_; }
    /// One file per image. To be called once.
    [[nodiscard]] std::vector<core::ByteVector> take();

  private:
    /// Encodes all images that no thread has begun.
    void encodeRest();

    const std::vector<core::Image>& images_;
    std::uint64_t memory_;
    std::atomic<std::size_t> next_ = 0;
    std::vector<core::ByteVector> files_;
    std::future<void> done_;  ///< ready when the thread has ended; the last member, since the thread uses the others
};

}  // namespace reanima::gltf
