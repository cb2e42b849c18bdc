/// Cursors over streams of bits.
///
/// Reading past the end gives zero bits and is remembered (overrun()), so that a decoder may read a whole frame and ask
/// once whether it was there.
#pragma once

#include <bit>
#include <cstddef>

#include "bytes.h"

namespace reanima::core {

/// `value`'s low `width` bits as a signed number in two's complement. A width of 0 gives 0.
[[nodiscard]] constexpr std::int32_t signExtended(std::uint32_t value, unsigned width) {
    if (width == 0)
        return 0;
    const unsigned unused = 32 - width;
    return static_cast<std::int32_t>(value << unused) >> unused;
}

/// Eight bytes as a number, the first one on top. Compilers make one load of this form.
[[nodiscard]] constexpr std::uint64_t bigEndian64(const std::uint8_t* bytes) {
    return std::uint64_t{bytes[0]} << 56U | std::uint64_t{bytes[1]} << 48U | std::uint64_t{bytes[2]} << 40U |
           std::uint64_t{bytes[3]} << 32U | std::uint64_t{bytes[4]} << 24U | std::uint64_t{bytes[5]} << 16U |
           std::uint64_t{bytes[6]} << 8U | std::uint64_t{bytes[7]};
}

/// What both kinds of cursor do alike; `Reader` has peek().
template <typename Reader>
class BitCursor {
  public:
    constexpr void skip(std::size_t count) { position_ += count; }

    /// The next `count` bits (0 to 32) as a number.
    constexpr std::uint32_t bits(unsigned count) {
        const std::uint32_t value = static_cast<const Reader&>(*this).peek(count);
        position_ += count;
        return value;
    }

    /// The next `count` bits (0 to 32) as a number in two's complement.
    constexpr std::int32_t signedBits(unsigned count) { return signExtended(bits(count), count); }

    [[nodiscard]] constexpr std::size_t position() const { return position_; }
    [[nodiscard]] constexpr std::size_t size() const { return bytes_.size() * 8; }
    /// Bits that are left; 0 after an overrun.
    [[nodiscard]] constexpr std::size_t remaining() const { return position_ < size() ? size() - position_ : 0; }
    [[nodiscard]] constexpr bool overrun() const { return position_ > size(); }
    constexpr void seek(std::size_t position) { position_ = position; }

  protected:
    constexpr explicit BitCursor(Bytes bytes) : bytes_(bytes) {}

    Bytes bytes_;
    std::size_t position_ = 0;
};

/// Bits from the most significant bit of each byte on (FF7).
class MsbBitReader : public BitCursor<MsbBitReader> {
  public:
    constexpr explicit MsbBitReader(Bytes bytes) : BitCursor(bytes) {}

    /// The next bits with the first one on top; at least 57 of them are valid.
    [[nodiscard]] constexpr std::uint64_t window() const {
        const std::size_t byte = position_ / 8;
        std::uint64_t word = 0;
        if (byte + 8 <= bytes_.size()) [[likely]] {
            word = bigEndian64(bytes_.data() + byte);
        } else {
            word = lastBytes(byte);
        }
        return word << (position_ % 8);
    }

    /// The next `count` bits (0 to 32) as a number; the cursor stays.
    [[nodiscard]] constexpr std::uint32_t peek(unsigned count) const {
        return count == 0 ? 0 : static_cast<std::uint32_t>(window() >> (64 - count));
    }

  private:
    [[nodiscard]] constexpr std::uint64_t lastBytes(std::size_t byte) const {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < 8; ++i)
            word = word << 8U | (byte + i < bytes_.size() ? bytes_[byte + i] : 0U);
        return word;
    }
};

/// Bits from the least significant bit of each 32-bit word on; the words are big-endian (Metroid Prime). A value may go
/// on in the next word. Bytes that make no whole word are no part of the stream.
class LsbBitReader : public BitCursor<LsbBitReader> {
  public:
    constexpr explicit LsbBitReader(Bytes bytes) : BitCursor(bytes.first(bytes.size() / kWordBytes * kWordBytes)) {}

    /// The next bits with the first one at the bottom; at least 33 of them are valid.
    [[nodiscard]] constexpr std::uint64_t window() const {
        const std::size_t byte = position_ / kWordBits * kWordBytes;
        std::uint64_t words = 0;
        if (byte + 2 * kWordBytes <= bytes_.size()) [[likely]] {
            words = bigEndian64(bytes_.data() + byte);
        } else if (byte + kWordBytes <= bytes_.size()) {
            for (std::size_t i = 0; i < kWordBytes; ++i)
                words = words << 8U | bytes_[byte + i];
            words <<= kWordBits;
        }
        return std::rotl(words, kWordBits) >> (position_ % kWordBits);
    }

    /// The next `count` bits (0 to 32) as a number; the cursor stays.
    [[nodiscard]] constexpr std::uint32_t peek(unsigned count) const {
        return static_cast<std::uint32_t>(window() & ((std::uint64_t{1} << count) - 1));
    }

  private:
    static constexpr std::size_t kWordBytes = 4;
    static constexpr int kWordBits = 32;
};

}  // namespace reanima::core
