/// The accessors of animations that are added to a file.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model.h"
#include "patched_buffers.h"
#include "patched_document.h"

namespace reanima::gltf {

/// Appends accessors to the file's list. New accessors first get the numbers of accessors that are no longer used. The
/// numbers of all others stay the same.
class PatchedAccessors {
  public:
    PatchedAccessors(PatchedDocument& file, const PatchedBuffers& buffers) : file_(file), buffers_(buffers) {}

    /// Releases accessors that are no longer used. To be called before take().
    void giveUp(std::vector<std::uint32_t> accessors) { free_ = std::move(accessors); }

    /// Moves a model's accessors to the file, and updates the model's animations. The model counts accessors and views
    /// from the ends of the file's lists.
    void take(Model& model);
    /// Writes the list. Released accessors that were not reused become empty.
    void finish();

    /// The size of the collected text in bytes.
    [[nodiscard]] std::uint64_t size() const { return added_.size(); }

  private:
    [[nodiscard]] int numberOf(int built) const;

    PatchedDocument& file_;
    const PatchedBuffers& buffers_;
    std::vector<std::uint32_t> free_;
    std::size_t reused_ = 0;  // number of accessors of `free_` that were reused
    ListText added_;
};

}  // namespace reanima::gltf
