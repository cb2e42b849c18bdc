/// Bytes that are read by ranges, so that archives need not be loaded.
#pragma once

#include <bit>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "byte_reader.h"
#include "bytes.h"

namespace reanima::core {

/// A file, an entry of another archive, or a host's file. Any thread may read.
class Source {
  public:
    Source() = default;
    virtual ~Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    [[nodiscard]] virtual std::uint64_t size() const = 0;

    /// The number of bytes on the disk that this source was made from: less than size() if they were packed. Limits use
    /// it.
    [[nodiscard]] virtual std::uint64_t storedSize() const { return size(); }

    /// The bytes of a range.
    /// @throws DecodeError that names `place` if the range leaves the source, or can't be read
    [[nodiscard]] ByteVector read(std::uint64_t offset, std::uint64_t count, const Place& place) const;
    /// Reads a range into existing memory, like read().
    void readInto(std::uint64_t offset, std::span<std::uint8_t> into, const Place& place) const;

  protected:
    /// Fills `into` from a range inside the source. @return false if the range can't be read
    /// @throws DecodeError that names the damaged part of the underlying data
    virtual bool fill(std::uint64_t offset, std::span<std::uint8_t> into) const = 0;
};

/// Bytes that a program holds.
[[nodiscard]] std::shared_ptr<const Source> inMemory(ByteVector bytes);
/// Bytes that were unpacked from `storedSize` bytes.
[[nodiscard]] std::shared_ptr<const Source> inMemory(ByteVector bytes, std::uint64_t storedSize);

/// A range within another source, without a copy.
[[nodiscard]] std::shared_ptr<const Source> rangeOf(std::shared_ptr<const Source> source, std::uint64_t offset,
                                                    std::uint64_t size);

/// Reads numbers of one byte order from a source, in order. It reads in blocks, so tables may have any length.
template <std::endian order>
class TableReader {
  public:
    explicit TableReader(const Source& source, std::uint64_t offset = 0, std::string path = {})
        : source_(source), start_(offset), path_(std::move(path)) {}

    /// @throws DecodeError if fewer bytes are left
    template <typename T>
    T read(std::string_view field) {
        return next(sizeof(T)).template read<T>(field);
    }

    /// The next `count` bytes, valid until the next read. @throws DecodeError if fewer are left
    Bytes bytes(std::uint64_t count, std::string_view field) { return next(count).bytes(count, field); }

    [[nodiscard]] std::uint64_t offset() const { return start_ + position_; }
    [[nodiscard]] std::uint64_t remaining() const { return offset() < source_.size() ? source_.size() - offset() : 0; }
    /// The place of the next field, or of the field that began `back` bytes earlier.
    [[nodiscard]] Place place(std::string_view field, std::uint64_t back = 0) const {
        return {detail::joinPath(path_, field), offset() - back};
    }

    /// From now on, fields are called `path.field`.
    void name(std::string path) { path_ = std::move(path); }

  private:
    /// A reader of at least `count` bytes, or of the rest if fewer are left. Moves on by `count` bytes.
    ByteReader<order> next(std::uint64_t count) {
        constexpr std::uint64_t kBlock = 64U << 10U;
        if (count > block_.size() - position_) {
            start_ = offset();
            position_ = 0;
            block_ = source_.read(start_, std::min(remaining(), std::max(count, kBlock)), place({}));
        }
        ByteReader<order> reader(Bytes(block_).subspan(position_), path_, offset());
        position_ += static_cast<std::size_t>(std::min<std::uint64_t>(count, block_.size() - position_));
        return reader;
    }

    const Source& source_;
    std::uint64_t start_;  // offset of the block
    ByteVector block_;
    std::size_t position_ = 0;  // in the block
    std::string path_;
};

using LittleEndianTable = TableReader<std::endian::little>;
using BigEndianTable = TableReader<std::endian::big>;

}  // namespace reanima::core
