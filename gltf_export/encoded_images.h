/// The images of a model as PNG files, encoded while the rest of it is built.
#pragma once

#include <cstdint>
#include <future>
#include <vector>

#include "core/bytes.h"
#include "core/limits.h"
#include "core/mesh.h"

namespace reanima::gltf {

/// Encodes on a thread of its own: animations take about as long. Where the system gives no thread, and for images so
/// small that a thread costs more, the one that takes the files does it. The destructor waits for the end.
class EncodedImages {
  public:
    /// @param images must outlive this
    /// @throws core::DecodeError of the kind `limit`
    EncodedImages(const std::vector<core::Image>& images, const core::Limits& limits);

    /// At most what the files take, and the rows of one while it is encoded, in bytes.
    [[nodiscard]] std::uint64_t memory() const { return memory_; }
    /// One file per image. To be called once.
    [[nodiscard]] std::vector<core::ByteVector> take() { return files_.get(); }

  private:
    std::uint64_t memory_;
    std::future<std::vector<core::ByteVector>> files_;
};

}  // namespace reanima::gltf
