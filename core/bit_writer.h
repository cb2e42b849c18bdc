/// Writes streams of bits.
#pragma once

#include "bit_reader.h"

namespace reanima::core {

/// The counterpart of the BitReader with the same order and words.
template <BitOrder order, BitWord word>
class BitWriter {
    static_assert(order == BitOrder::lsb || word == BitWord::u8, "msb of big-endian words is the same as msb of bytes");

  public:
    /// Appends the low `count` bits (0 to 32) of `value`.
    void bits(std::uint32_t value, unsigned count) {
        const std::uint64_t masked = value & ((std::uint64_t{1} << count) - 1);
        if constexpr (order == BitOrder::msb)
            pending_ = pending_ << count | masked;
        else
            pending_ |= masked << pendingBits_;
        pendingBits_ += count;
        while (pendingBits_ >= kWordBits) {
            pendingBits_ -= kWordBits;
            if constexpr (order == BitOrder::msb) {
                append(pending_ >> pendingBits_);
            } else {
                append(pending_);
                pending_ >>= kWordBits;
            }
        }
    }

    void signedBits(std::int32_t value, unsigned count) { bits(static_cast<std::uint32_t>(value), count); }

    /// Number of bits written.
    [[nodiscard]] std::size_t position() const { return bytes_.size() * 8 + pendingBits_; }

    /// The number of bits missing from the last word: 0 to 7, or 0 to 31 with 32-bit words.
    [[nodiscard]] unsigned bitsToWholeWord() const { return (kWordBits - pendingBits_) % kWordBits; }

    /// The bytes; a last unfinished word is filled with zero bits.
    [[nodiscard]] ByteVector take() {
        bits(0, bitsToWholeWord());
        return std::move(bytes_);
    }

  private:
    static constexpr unsigned kWordBits = 8 * bytesOf(word);

    /// Appends the low bits of `bits` as a word.
    void append(std::uint64_t bits) {
        for (unsigned shift = kWordBits; shift > 0; shift -= 8)
            bytes_.push_back(static_cast<std::uint8_t>(bits >> (shift - 8)));
    }

    ByteVector bytes_;
    std::uint64_t pending_ = 0;
    unsigned pendingBits_ = 0;
};

}  // namespace reanima::core
