/// Collectors of streams of bits.
#pragma once

#include "bytes.h"

namespace reanima::core {

/// Bits into the most significant bit of each byte first (FF7). The counterpart of MsbBitReader.
class MsbBitWriter {
  public:
    /// Appends the low `count` bits (0 to 32) of `value`.
    void bits(std::uint32_t value, unsigned count) {
        const std::uint64_t masked = value & ((std::uint64_t{1} << count) - 1);
        pending_ = pending_ << count | masked;
        pendingBits_ += count;
        while (pendingBits_ >= 8) {
            pendingBits_ -= 8;
            bytes_.push_back(static_cast<std::uint8_t>(pending_ >> pendingBits_));
        }
    }

    void signedBits(std::int32_t value, unsigned count) { bits(static_cast<std::uint32_t>(value), count); }

    /// Number of bits written.
    [[nodiscard]] std::size_t position() const { return bytes_.size() * 8 + pendingBits_; }

    /// Bits that are missing to a whole byte, 0 to 7.
    [[nodiscard]] unsigned bitsToWholeByte() const { return (8 - pendingBits_) % 8; }

    /// The bytes; a last unfinished byte is filled with zero bits.
    [[nodiscard]] ByteVector take() {
        bits(0, bitsToWholeByte());
        return std::move(bytes_);
    }

  private:
    ByteVector bytes_;
    std::uint64_t pending_ = 0;
    unsigned pendingBits_ = 0;
};

/// Bits into the least significant bit of each 32-bit big-endian word first (Metroid Prime). The counterpart of
/// LsbBitReader.
class LsbBitWriter {
  public:
    /// Appends the low `count` bits (0 to 32) of `value`.
    void bits(std::uint32_t value, unsigned count) {
        const std::uint64_t masked = value & ((std::uint64_t{1} << count) - 1);
        pending_ |= masked << pendingBits_;
        pendingBits_ += count;
        if (pendingBits_ >= 32) {
            for (const unsigned shift : {24U, 16U, 8U, 0U})
                bytes_.push_back(static_cast<std::uint8_t>(pending_ >> shift));
            pending_ >>= 32U;
            pendingBits_ -= 32;
        }
    }

    void signedBits(std::int32_t value, unsigned count) { bits(static_cast<std::uint32_t>(value), count); }

    /// Number of bits written.
    [[nodiscard]] std::size_t position() const { return bytes_.size() * 8 + pendingBits_; }

    /// Bits that are missing to a whole word, 0 to 31.
    [[nodiscard]] unsigned bitsToWholeWord() const { return (32 - pendingBits_) % 32; }

    /// The bytes; a last unfinished word is filled with zero bits.
    [[nodiscard]] ByteVector take() {
        bits(0, bitsToWholeWord());
        return std::move(bytes_);
    }

  private:
    ByteVector bytes_;
    std::uint64_t pending_ = 0;
    unsigned pendingBits_ = 0;
};

}  // namespace reanima::core
