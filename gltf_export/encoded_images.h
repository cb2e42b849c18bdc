/// The images of a model as PNG files, encoded while the rest of it is built.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <vector>

#include "core/bytes.h"
#include "core/limits.h"
#include "core/mesh.h"

namespace reanima::gltf {

/// Encodes on a thread of its own, since animations take about as long; who takes the files helps with what is left.
/// Where the system gives no thread, and for images so small that a thread costs more, that one does it alone. The
/// destructor waits for the end.
class EncodedImages {
  public:
    /// @param images must outlive this
    /// @throws core::DecodeError of the kind `limit`
    EncodedImages(const std::vector<core::Image>& images, const core::Limits& limits);

    /// At most what the files take, and the rows of those that are being encoded, in bytes.
    [[nodiscard]] std::uint64_t memory() const { return memory_; }
    /// One file per image. To be called once.
    [[nodiscard]] std::vector<core::ByteVector> take();

  private:
    /// Encodes images that no thread has begun yet, until there are none.
    void encodeRest();

    const std::vector<core::Image>& images_;
    std::uint64_t memory_;
    std::atomic<std::size_t> next_ = 0;
    std::vector<core::ByteVector> files_;
    std::future<void> done_;  ///< of the thread; the last member: it uses the others
};

}  // namespace reanima::gltf
