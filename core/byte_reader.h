/// A bounds-checked cursor over bytes that knows the name of the field it reads.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <concepts>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "bytes.h"
#include "decode_error.h"

namespace reanima::core {

#ifdef REANIMA_TRACE_FIELDS
/// The place of a number that was read. Fuzzing changes such numbers.
struct ReadField {
    std::uint64_t offset;  ///< from the file's first byte
    std::uint8_t size;     ///< bytes
    std::endian order;
};
/// The list in which readers record each number that they read. Null: they record nothing.
inline std::vector<ReadField>* readFields = nullptr;
#endif

namespace detail {

/// Throws `path.field at offset: needs N bytes, but only M are left`.
[[noreturn]] void throwTooShort(Place place, std::uint64_t needed, std::uint64_t left);

/// `path.field`, without the dot if one of the two is empty.
[[nodiscard]] std::string joinPath(std::string_view path, std::string_view field);

}  // namespace detail

/// Reads numbers of one byte order from a range of bytes, in order.
///
/// Every read names its field; an error then carries the field's path (`animations[14].key_bits`) and its offset from
/// the file's first byte. Copies are independent cursors over the same bytes.
template <std::endian order>
class ByteReader {
  public:
    /// @param base offset of the first byte in its file
    explicit ByteReader(Bytes bytes, std::string path = {}, std::uint64_t base = 0)
        : bytes_(bytes), path_(std::move(path)), base_(base) {}

    /// @throws DecodeError if fewer bytes are left
    template <typename T>
    requires std::integral<T> || std::floating_point<T> T read(std::string_view field) {
        require(sizeof(T), field);
#ifdef REANIMA_TRACE_FIELDS
        constexpr std::size_t kMostFields = 4096;
        if (readFields != nullptr && readFields->size() < kMostFields)
            readFields->push_back({offset(), sizeof(T), order});
#endif
        std::array<std::uint8_t, sizeof(T)> raw;  // NOLINT: filled by memcpy
        std::memcpy(raw.data(), bytes_.data() + position_, sizeof(T));
        if constexpr (order != std::endian::native)
            std::reverse(raw.begin(), raw.end());
        position_ += sizeof(T);
        return std::bit_cast<T>(raw);
    }

    /// The next `count` bytes, not copied. @throws DecodeError if fewer are left
    Bytes bytes(std::uint64_t count, std::string_view field) {
        require(count, field);
        const Bytes result = bytes_.subspan(position_, static_cast<std::size_t>(count));
        position_ += result.size();
        return result;
    }

    /// The next `count` bytes, or the rest if fewer are left.
    Bytes bytesUpTo(std::uint64_t count) { return bytes(std::min<std::uint64_t>(count, remaining()), {}); }

    /// Everything that is left.
    Bytes rest() { return bytes(remaining(), {}); }

    /// A reader of only the next `count` bytes, under the same path. @throws DecodeError if fewer are left
    ByteReader slice(std::uint64_t count, std::string_view field) {
        const std::uint64_t start = offset();
        return ByteReader(bytes(count, field), path_, start);
    }

    /// A reader of the next `count` bytes, or of the rest if fewer are left.
    ByteReader sliceUpTo(std::uint64_t count) {
        const std::uint64_t start = offset();
        return ByteReader(bytesUpTo(count), path_, start);
    }

    /// A reader that begins at `position` of this reader's bytes and ends with them.
    /// @throws DecodeError if the position is outside
    ByteReader at(std::uint64_t position, std::string_view field) const {
        if (position > bytes_.size())
            detail::throwTooShort({detail::joinPath(path_, field), base_ + bytes_.size()}, position, bytes_.size());
        return ByteReader(bytes_.subspan(static_cast<std::size_t>(position)), path_, base_ + position);
    }

    [[nodiscard]] std::size_t remaining() const { return bytes_.size() - position_; }
    [[nodiscard]] bool atEnd() const { return remaining() == 0; }
    /// Offset of the next byte from the file's first byte.
    [[nodiscard]] std::uint64_t offset() const { return base_ + position_; }
    [[nodiscard]] const std::string& path() const { return path_; }

    /// The place of the next field, or of the field that began `back` bytes earlier, for errors and warnings.
    [[nodiscard]] Place place(std::string_view field, std::uint64_t back = 0) const {
        return {detail::joinPath(path_, field), offset() - back};
    }

    /// Appends a part to the path until the end of a scope. Reuses the path's memory, since lists may be long.
    class Scope {
      public:
        Scope(ByteReader& reader, std::string_view name) : reader_(reader), length_(reader.path_.size()) {
            if (!reader.path_.empty() && !name.empty())
                reader.path_ += '.';
            reader.path_ += name;
        }
        Scope(ByteReader& reader, std::string_view name, std::size_t index) : Scope(reader, name) {
            std::array<char, std::numeric_limits<std::size_t>::digits10 + 1> digits{};
            const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), index);
            reader.path_ += '[';
            reader.path_.append(digits.data(), end);
            reader.path_ += ']';
        }
        ~Scope() { reader_.path_.resize(length_); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        ByteReader& reader_;
        std::size_t length_;
    };

    /// While the result lives, fields are called `name[index].field`.
    [[nodiscard]] Scope enter(std::string_view name, std::size_t index) { return Scope(*this, name, index); }

    /// While the result lives, fields are called `name.field`.
    [[nodiscard]] Scope enter(std::string_view name) { return Scope(*this, name); }

  private:
    void require(std::uint64_t count, std::string_view field) const {
        if (count > remaining()) [[unlikely]]
            detail::throwTooShort(place(field), count, remaining());
    }

    Bytes bytes_;
    std::size_t position_ = 0;
    std::string path_;
    std::uint64_t base_;
};

using LittleEndianReader = ByteReader<std::endian::little>;
using BigEndianReader = ByteReader<std::endian::big>;

}  // namespace reanima::core
