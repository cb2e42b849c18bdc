/// Cursors over streams of bits.
///
/// Reads past the end return zero bits and set overrun(). So a decoder can read a whole frame and check once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>

#include "bytes.h"

namespace reanima::core {

/// Which bit of a word comes first in a stream.
enum class BitOrder {
    msb,  ///< the most significant one; a value's first bit is its highest
    lsb,  ///< the least significant one; a value's first bit is its lowest
};

/// The words that a stream consists of. A value may cross words; trailing bytes that are not a whole word are ignored.
enum class BitWord { u8, u32be };

[[nodiscard]] constexpr std::size_t bytesOf(BitWord word) { return word == BitWord::u8 ? 1 : 4; }

/// The low `width` bits of `value`, read as a signed number in two's complement. For a width of 0 the result is 0.
[[nodiscard]] constexpr std::int32_t signExtended(std::uint32_t value, unsigned width) {
    if (width == 0)
        return 0;
    const unsigned unused = 32 - width;
    return static_cast<std::int32_t>(value << unused) >> unused;
}

/// Eight bytes as a number, the first one most significant. Compilers turn this form into one load.
[[nodiscard]] constexpr std::uint64_t bigEndian64(const std::uint8_t* bytes) {
    return std::uint64_t{bytes[0]} << 56U | std::uint64_t{bytes[1]} << 48U | std::uint64_t{bytes[2]} << 40U |
           std::uint64_t{bytes[3]} << 32U | std::uint64_t{bytes[4]} << 24U | std::uint64_t{bytes[5]} << 16U |
           std::uint64_t{bytes[6]} << 8U | std::uint64_t{bytes[7]};
}

/// Eight bytes as a number, the first one least significant.
[[nodiscard]] constexpr std::uint64_t littleEndian64(const std::uint8_t* bytes) {
    return std::uint64_t{bytes[7]} << 56U | std::uint64_t{bytes[6]} << 48U | std::uint64_t{bytes[5]} << 40U |
           std::uint64_t{bytes[4]} << 32U | std::uint64_t{bytes[3]} << 24U | std::uint64_t{bytes[2]} << 16U |
           std::uint64_t{bytes[1]} << 8U | std::uint64_t{bytes[0]};
}

/// A cursor over bits: `BitReader<BitOrder::msb, BitWord::u8>` (FF7), `<lsb, u32be>` (Metroid Prime), `<lsb, u8>`.
template <BitOrder order, BitWord word>
class BitReader {
    static_assert(order == BitOrder::lsb || word == BitWord::u8, "msb of big-endian words is the same as msb of bytes");

  public:
    constexpr explicit BitReader(Bytes bytes) : bytes_(bytes.first(bytes.size() / kWordBytes * kWordBytes)) {}

    /// The next bits. The first one is the most (msb) or least (lsb) significant. At least 57 of them are valid, or 33
    /// with 32-bit words.
    [[nodiscard]] constexpr std::uint64_t window() const {
        const std::size_t byte = position_ / kWordBits * kWordBytes;
        std::uint64_t words = 0;
        if (byte + 8 <= bytes_.size()) [[likely]] {
            words = load(bytes_.data() + byte);
        } else {
            words = lastWords(byte);
        }
        const std::size_t used = position_ % kWordBits;
        return order == BitOrder::msb ? words << used : words >> used;
    }

    /// The next `count` bits (0 to 32) as a number. The cursor does not move.
    [[nodiscard]] constexpr std::uint32_t peek(unsigned count) const {
        if constexpr (order == BitOrder::msb)
            return count == 0 ? 0 : static_cast<std::uint32_t>(window() >> (64 - count));
        else
            return static_cast<std::uint32_t>(window() & ((std::uint64_t{1} << count) - 1));
    }

    constexpr void skip(std::size_t count) { position_ += count; }

    /// The next `count` bits (0 to 32) as a number.
    constexpr std::uint32_t bits(unsigned count) {
        const std::uint32_t value = peek(count);
        position_ += count;
        return value;
    }

    /// The next `count` bits (0 to 32) as a number in two's complement.
    constexpr std::int32_t signedBits(unsigned count) { return signExtended(bits(count), count); }

    [[nodiscard]] constexpr std::size_t position() const { return position_; }
    [[nodiscard]] constexpr std::size_t size() const { return bytes_.size() * 8; }
    /// The number of bits left; 0 after an overrun.
    [[nodiscard]] constexpr std::size_t remaining() const { return position_ < size() ? size() - position_ : 0; }
    [[nodiscard]] constexpr bool overrun() const { return position_ > size(); }
    constexpr void seek(std::size_t position) { position_ = position; }

  private:
    static constexpr std::size_t kWordBytes = bytesOf(word);
    static constexpr std::size_t kWordBits = 8 * kWordBytes;

    /// Eight bytes as a number. The first word is the most (msb) or least (lsb) significant.
    [[nodiscard]] static constexpr std::uint64_t load(const std::uint8_t* bytes) {
        if constexpr (order == BitOrder::msb)
            return bigEndian64(bytes);
        else if constexpr (word == BitWord::u8)
            return littleEndian64(bytes);
        else
            return std::rotl(bigEndian64(bytes), 32);
    }

    /// load() at the end of the bytes, padded with zeros.
    [[nodiscard]] constexpr std::uint64_t lastWords(std::size_t byte) const {
        std::array<std::uint8_t, 8> last{};
        for (std::size_t i = 0; byte + i < bytes_.size(); ++i)
            last[i] = bytes_[byte + i];
        return load(last.data());
    }

    Bytes bytes_;
    std::size_t position_ = 0;
};

}  // namespace reanima::core
