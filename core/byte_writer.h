/// Collects bytes of one byte order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>

#include "bytes.h"

namespace reanima::core {

/// The counterpart of ByteReader.
template <std::endian order>
class ByteWriter {
  public:
    template <typename T>
    requires std::integral<T> || std::floating_point<T>
    void write(T value) {
        for (const std::uint8_t byte : inOrder(value))  // GCC 12 -O3 warns falsely about insert() and memcpy()
            bytes_.push_back(byte);
    }

    void write(Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

    /// Adds zeros up to a multiple of `alignment` bytes.
    void pad(std::size_t alignment) { bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment); }

    /// Replaces the bytes at `position`.
    template <typename T>
    requires std::integral<T> || std::floating_point<T>
    void patch(std::size_t position, T value) {
        const auto raw = inOrder(value);
        std::copy(raw.begin(), raw.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(position));
    }

    void reserve(std::size_t size) { bytes_.reserve(size); }

    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    [[nodiscard]] Bytes bytes() const { return bytes_; }
    [[nodiscard]] ByteVector take() { return std::move(bytes_); }

  private:
    template <typename T>
    static std::array<std::uint8_t, sizeof(T)> inOrder(T value) {
        auto raw = std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(value);
        if constexpr (order != std::endian::native)
            std::reverse(raw.begin(), raw.end());
        return raw;
    }

    ByteVector bytes_;
};

using LittleEndianWriter = ByteWriter<std::endian::little>;
using BigEndianWriter = ByteWriter<std::endian::big>;

}  // namespace reanima::core
