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

/// Unpacks a chunk when a range of it is read, and keeps the last few chunks. Any thread may read.
class ChunkedSource : public core::Source {
  public:
    ChunkedSource(std::shared_ptr<const core::Source> file, std::uint64_t size) : file_(std::move(file)), size_(size) {}

    [[nodiscard]] std::uint64_t size() const override { return size_; }
    [[nodiscard]] std::uint64_t storedSize() const override { return file_->storedSize(); }

  protected:
    struct Chunk {
        enum class Kind { zeros, stored, packed };
        Kind kind = Kind::zeros;
        std::uint64_t start = 0;  ///< offset of its first byte on the disc
        std::uint64_t size = 0;
        std::uint64_t place = 0;  ///< stored chunk: offset of its first byte in the file; packed chunk: its number

        [[nodiscard]] bool operator==(const Chunk&) const = default;
    };

    /// The chunk that contains a byte of the disc. @throws core::DecodeError if no chunk does
    [[nodiscard]] virtual Chunk chunkAt(std::uint64_t offset) const = 0;
    /// Unpacks a whole chunk into `into`. @throws core::DecodeError if that fails
    virtual void unpackChunk(const Chunk& chunk, std::span<std::uint8_t> into) const;

    [[nodiscard]] const core::Source& file() const { return *file_; }

    /// Counts bytes before they are unpacked or filled, and limits their number. Reading many small files in large
    /// chunks may unpack chunks repeatedly, but only hostile images exceed this limit.
    /// @param start the chunk's offset on the disc
    /// @param bytes number of bytes to unpack or fill, or the equivalent for other work
    /// @throws core::DecodeError of the kind `limit`
    void countMade(std::uint64_t start, std::uint64_t bytes) const;

    bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const final;

  private:
    using Bytes = std::shared_ptr<const core::ByteVector>;
    [[nodiscard]] Bytes unpacked(const Chunk& chunk) const;
    [[nodiscard]] Bytes kept(const Chunk& chunk) const;
    void keep(const Chunk& chunk, Bytes bytes) const;

    std::shared_ptr<const core::Source> file_;
    std::uint64_t size_;
    mutable std::mutex mutex_;
    mutable std::uint64_t madeBytes_ = 0;
    /// Most recently used first. A hostile image may use one packed chunk in several places with different sizes.
    mutable std::deque<std::pair<Chunk, Bytes>> kept_;
};

/// A disc of uncompressed blocks. Blocks of zeros need not be stored.
class SparseSource : public ChunkedSource {
  public:
    /// @param size the disc's size
    /// @param blocks each block's offset in the file; 0: it is not stored. Blocks beyond the list are not stored either
    SparseSource(std::shared_ptr<const core::Source> file, std::uint64_t size, std::uint64_t blockSize,
                 std::vector<std::uint64_t> blocks)
        : ChunkedSource(std::move(file), size), blockSize_(blockSize), blocks_(std::move(blocks)) {}

  protected:
    [[nodiscard]] Chunk chunkAt(std::uint64_t offset) const override {
        const std::uint64_t number = offset / blockSize_;
        const std::uint64_t place = number < blocks_.size() ? blocks_[static_cast<std::size_t>(number)] : 0;
        return {place == 0 ? Chunk::Kind::zeros : Chunk::Kind::stored, number * blockSize_, blockSize_, place};
    }

  private:
    std::uint64_t blockSize_;
    std::vector<std::uint64_t> blocks_;
};

/// True if a file begins with these bytes.
[[nodiscard]] bool beginsWith(const core::Source& source, std::string_view bytes, std::uint64_t offset = 0);

}  // namespace reanima::archives
