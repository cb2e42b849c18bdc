/// Disc images that are stored in chunks, most of them packed. Readers see plain bytes by ranges.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "core/source.h"

namespace reanima::archives {

/// An upper bound for the size of all supported discs.
inline constexpr std::uint64_t kLargestDisc = 16ULL << 30U;
/// The largest chunk in bytes.
inline constexpr std::uint64_t kLargestChunk = 64ULL << 20U;

/// Unpacks chunks when a range needs them, and keeps the last few. Any thread may read.
class ChunkedSource : public core::Source {
  public:
    ChunkedSource(std::shared_ptr<const core::Source> file, std::uint64_t size) : file_(std::move(file)), size_(size) {}

    [[nodiscard]] std::uint64_t size() const override { return size_; }

  protected:
    struct Chunk {
        enum class Kind { zeros, stored, packed };
        Kind kind = Kind::zeros;
        std::uint64_t start = 0;  ///< offset of its first byte on the disc
        std::uint64_t size = 0;
        std::uint64_t place = 0;  ///< stored chunk: offset of its first byte in the file; packed chunk: its number
    };

    /// The chunk that contains a byte of the disc. @throws core::DecodeError if no chunk does
    [[nodiscard]] virtual Chunk chunkAt(std::uint64_t offset) const = 0;
    /// Unpacks a whole chunk into `into`. @throws core::DecodeError if that fails
    virtual void unpackChunk(const Chunk& chunk, std::span<std::uint8_t> into) const;

    [[nodiscard]] const core::Source& file() const { return *file_; }

    /// Limits how often chunks are unpacked. Small files in large chunks may need the same chunk many times, but only a
    /// hostile image exceeds this limit.
    /// @param start of the chunk on the disc
    /// @param bytes to be unpacked, or equivalent work
    /// @param asked how many of these bytes are needed
    /// @throws core::DecodeError of the kind `limit`
    void countUnpacked(std::uint64_t start, std::uint64_t bytes, std::uint64_t asked) const;

    bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const final;

  private:
    using Bytes = std::shared_ptr<const core::ByteVector>;
    [[nodiscard]] Bytes unpacked(const Chunk& chunk, std::uint64_t asked) const;
    [[nodiscard]] Bytes kept(std::uint64_t number) const;
    void keep(std::uint64_t number, Bytes bytes) const;

    std::shared_ptr<const core::Source> file_;
    std::uint64_t size_;
    mutable std::mutex mutex_;
    mutable std::uint64_t unpackedBytes_ = 0;
    mutable std::uint64_t askedBytes_ = 0;                      // requested bytes of packed chunks
    mutable std::deque<std::pair<std::uint64_t, Bytes>> kept_;  // chunks by number, most recently used first
};

/// A disc of uncompressed blocks. Blocks of zeros are not stored.
class SparseSource : public ChunkedSource {
  public:
    /// @param blocks offset of each block in the file; 0 if it is not stored
    SparseSource(std::shared_ptr<const core::Source> file, std::uint64_t blockSize, std::vector<std::uint64_t> blocks)
        : ChunkedSource(std::move(file), blockSize * blocks.size()),
          blockSize_(blockSize),
          blocks_(std::move(blocks)) {}

  protected:
    [[nodiscard]] Chunk chunkAt(std::uint64_t offset) const override {
        const std::uint64_t number = offset / blockSize_;
        const std::uint64_t place = blocks_[static_cast<std::size_t>(number)];
        return {place == 0 ? Chunk::Kind::zeros : Chunk::Kind::stored, number * blockSize_, blockSize_, place};
    }

  private:
    std::uint64_t blockSize_;
    std::vector<std::uint64_t> blocks_;
};

/// True if a file begins with these bytes.
[[nodiscard]] bool beginsWith(const core::Source& source, std::string_view bytes, std::uint64_t offset = 0);

}  // namespace reanima::archives
