/// The BIN chunk of a patched file, and what of the file refers to it: buffers, buffer views and images.
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
    /// @param heldBefore bytes that the file and the clips take
    PatchedBuffers(PatchedDocument& file, const core::Limits& limits, std::uint64_t heldBefore,
                   core::Diagnostics& diagnostics)
        : file_(file),
          viewCount_(file.countOf("bufferViews")),
          limits_(limits),
          heldBefore_(heldBefore),
          diagnostics_(diagnostics) {}

    /// Buffers that are files or URIs join the BIN chunk, and their views follow: data URIs have no place in a .glb.
    /// Extensions of views may refer to buffers by number, so there only the first buffer is the BIN chunk.
    /// @throws core::DecodeError if the bytes of a buffer are not there
    void gather();

    /// Images that are found join the BIN chunk; warnings name the others.
    void embedImages();

    /// Pads the BIN chunk. @return where data begin that are appended
    [[nodiscard]] std::size_t beginData();
    /// Appends data that begin at beginData(), with their views.
    void add(core::ByteVector data, const std::vector<tinygltf::BufferView>& views);
    /// Of the file and of what was added.
    [[nodiscard]] std::size_t viewCount() const { return viewCount_; }

    /// @param more bytes than those of the file, of the clips and of the BIN chunk
    /// @throws core::DecodeError of the kind `limit`
    void requireMemory(std::uint64_t more) const;

    /// Writes the lists of views and buffers. Ends the work.
    /// @param bufferName of the file that the data go to; empty: they are the BIN chunk
    /// @return the data
    [[nodiscard]] ByteBlocks finish(const std::string& bufferName);

  private:
    std::size_t append(ByteBlocks bytes);
    [[nodiscard]] std::string changed(const TextRange& object, std::initializer_list<std::string_view> without,
                                      const std::string& added) const;
    void rewriteList(const std::string& bufferName);
    void embed(const Field& image, const TextRange& object);
    [[nodiscard]] std::optional<core::ByteVector> found(const Field& uri) const;

    PatchedDocument& file_;
    ListText views_;         // that are added
    std::size_t viewCount_;  // with the added ones
    ByteBlocks data_;        // the BIN chunk
    bool isGathered_ = true;
    const core::Limits& limits_;
    std::uint64_t heldBefore_;
    core::Diagnostics& diagnostics_;
};

}  // namespace reanima::gltf
