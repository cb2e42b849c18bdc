/// The BIN chunk of a patched file, and the buffers, buffer views and images that refer to it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "byte_blocks.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "model_text.h"
#include "patched_document.h"

namespace reanima::gltf {

/// Moves the file's data into the BIN chunk and appends further data to it.
class PatchedBuffers {
  public:
    /// @param heldBefore bytes of memory that the file and the clips need
    PatchedBuffers(PatchedDocument& file, const core::Limits& limits, std::uint64_t heldBefore,
                   core::Diagnostics& diagnostics)
        : file_(file),
          viewCount_(file.countOf("bufferViews")),
          limits_(limits),
          heldBefore_(heldBefore),
          diagnostics_(diagnostics) {}

    /// Releases views that are no longer used. Their bytes are left out, and new views reuse their numbers. To be
    /// called before gather().
    void giveUp(std::vector<std::uint32_t> views) { free_ = std::move(views); }

    /// Moves buffers from files or URIs into the BIN chunk, since a .glb should not use data URIs, and updates their
    /// views. If views have extensions, which may refer to buffers by number, only the first buffer moves.
    /// @throws core::DecodeError if the bytes of a buffer are missing
    void gather();

    /// Moves images that are found into the BIN chunk. Warnings name the others.
    void embedImages();

    /// Pads the BIN chunk. @return the offset of appended data
    [[nodiscard]] std::size_t beginData();
    /// Appends data at the offset that beginData() returned, with its views.
    void add(core::ByteVector data, const std::vector<tinygltf::BufferView>& views);
    /// The number of views in the file, including appended ones.
    [[nodiscard]] std::size_t viewCount() const { return viewCount_; }
    /// The number that a view will get if `further` others are added before it.
    [[nodiscard]] std::size_t numberOfNext(std::size_t further) const {
        return further < free_.size() ? free_[further] : viewCount_ + further - free_.size();
    }

    /// @param more bytes in addition to the file, the clips and the BIN chunk
    /// @throws core::DecodeError of the kind `limit`
    void requireMemory(std::uint64_t more) const;

    /// Writes the lists of views and buffers. To be called last.
    /// @param bufferName file name of the data; empty: it is the BIN chunk
    /// @return the data
    [[nodiscard]] ByteBlocks finish(const std::string& bufferName);

  private:
    /// A part of a buffer that is left out.
    struct Cut {
        std::uint64_t begin;
        std::uint64_t end;
    };

    std::size_t append(ByteBlocks bytes);
    [[nodiscard]] std::vector<Cut> cutsOf(std::uint32_t buffer) const;
    [[nodiscard]] bool isFree(std::size_t view) const;
    [[nodiscard]] std::string changed(const TextRange& object, std::initializer_list<std::string_view> without,
                                      const std::string& added) const;
    void rewriteList(const std::string& bufferName);
    void embed(const Field& image, const TextRange& object);
    [[nodiscard]] std::optional<core::ByteVector> found(const Field& uri) const;

    PatchedDocument& file_;
    ListText views_;                   // added views
    std::size_t viewCount_;            // including appended ones
    std::vector<std::uint32_t> free_;  // numbers of released views, for new views
    ByteBlocks data_;                  // the BIN chunk
    bool isGathered_ = true;
    const core::Limits& limits_;
    std::uint64_t heldBefore_;
    core::Diagnostics& diagnostics_;
};

}  // namespace reanima::gltf
