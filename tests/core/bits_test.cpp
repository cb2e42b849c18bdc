#include <gtest/gtest.h>

#include "core/bit_reader.h"
#include "core/bit_writer.h"

namespace reanima::core {
namespace {

using MsbBitReader = BitReader<BitOrder::msb, BitWord::u8>;
using MsbBitWriter = BitWriter<BitOrder::msb, BitWord::u8>;
using LsbBitReader = BitReader<BitOrder::lsb, BitWord::u8>;
using LsbBitWriter = BitWriter<BitOrder::lsb, BitWord::u8>;
using LsbWordBitReader = BitReader<BitOrder::lsb, BitWord::u32be>;
using LsbWordBitWriter = BitWriter<BitOrder::lsb, BitWord::u32be>;

TEST(MsbBitReader, TakesTheMostSignificantBitFirst) {
    const ByteVector bytes = {0b1010'0110, 0b1100'0001};
    MsbBitReader bits{Bytes(bytes)};
    EXPECT_EQ(bits.bits(1), 1U);
    EXPECT_EQ(bits.bits(3), 0b010U);
    EXPECT_EQ(bits.bits(7), 0b0110'110U);
    EXPECT_EQ(bits.position(), 11U);
    EXPECT_EQ(bits.remaining(), 5U);
    EXPECT_EQ(bits.peek(5), 0b00001U);
    EXPECT_EQ(bits.bits(0), 0U);
    EXPECT_EQ(bits.position(), 11U);
}

TEST(MsbBitReader, SignedValuesAreTwosComplement) {
    const ByteVector bytes = {0b1'0'10'0111, 0b1000'0000, 0, 0};
    MsbBitReader bits{Bytes(bytes)};
    EXPECT_EQ(bits.signedBits(0), 0);
    EXPECT_EQ(bits.signedBits(1), -1);
    EXPECT_EQ(bits.signedBits(1), 0);
    EXPECT_EQ(bits.signedBits(2), -2);
    EXPECT_EQ(bits.signedBits(4), 7);
    MsbBitReader whole{Bytes(bytes).subspan(0)};
    (void)whole.bits(8);
    EXPECT_EQ(whole.signedBits(24), -8388608);
}

TEST(MsbBitReader, EveryWidthAtEveryPosition) {
    ByteVector bytes(16);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(i * 37 + 11);
    for (std::size_t position = 0; position < 128; ++position)
        for (unsigned width = 0; width <= 32; ++width) {
            std::uint64_t expected = 0;  // bit for bit
            for (std::size_t bit = position; bit < position + width; ++bit)
                expected = expected << 1U | (bit < 128 ? bytes[bit / 8] >> (7 - bit % 8) & 1U : 0U);
            MsbBitReader bits{Bytes(bytes)};
            bits.seek(position);
            ASSERT_EQ(bits.bits(width), expected) << position << " " << width;
        }
}

TEST(MsbBitReader, BitsAfterTheEndAreZeroAndRemembered) {
    const ByteVector bytes = {0xFF};
    MsbBitReader bits{Bytes(bytes)};
    EXPECT_EQ(bits.bits(12), 0xFF0U);
    EXPECT_TRUE(bits.overrun());
    EXPECT_EQ(bits.remaining(), 0U);
    EXPECT_EQ(bits.bits(32), 0U);
}

TEST(MsbBitWriter, WritesWhatTheReaderReads) {
    MsbBitWriter out;
    out.bits(1, 1);
    out.bits(0b010, 3);
    out.bits(0b0110'110, 7);
    EXPECT_EQ(out.bitsToWholeWord(), 5U);
    out.signedBits(-2, 2);
    EXPECT_EQ(out.position(), 13U);
    EXPECT_EQ(out.take(), (ByteVector{0b1010'0110, 0b1101'0000}));
}

TEST(MsbBitWriter, HoldsThirtyTwoBitsAtOnce) {
    MsbBitWriter out;
    out.bits(1, 7);
    out.bits(0xDEADBEEF, 32);
    out.bits(0xFFFFFFFF, 0);
    const ByteVector bytes = out.take();
    MsbBitReader bits{Bytes(bytes)};
    EXPECT_EQ(bits.bits(7), 1U);
    EXPECT_EQ(bits.bits(32), 0xDEADBEEFU);
}

TEST(LsbBitReader, TakesTheLeastSignificantBitFirst) {
    const ByteVector bytes = {0b1010'0110, 0b1100'0001};
    LsbBitReader bits{Bytes(bytes)};
    EXPECT_EQ(bits.bits(1), 0U);
    EXPECT_EQ(bits.bits(3), 0b011U);
    EXPECT_EQ(bits.bits(7), 0b001'1010U);  // goes on in the next byte
    EXPECT_EQ(bits.position(), 11U);
    EXPECT_EQ(bits.remaining(), 5U);
    EXPECT_EQ(bits.peek(5), 0b11000U);
    EXPECT_EQ(bits.signedBits(5), -8);
    EXPECT_EQ(bits.bits(0), 0U);
    EXPECT_FALSE(bits.overrun());
    EXPECT_EQ(bits.bits(32), 0U);
    EXPECT_TRUE(bits.overrun());
}

TEST(LsbBitReader, EveryWidthAtEveryPosition) {
    ByteVector bytes(13);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(i * 37 + 11);
    for (std::size_t position = 0; position < 120; ++position)
        for (unsigned width = 0; width <= 32; ++width) {
            std::uint64_t expected = 0;  // bit for bit
            for (std::size_t bit = position; bit < std::min<std::size_t>(position + width, 104); ++bit)
                expected |= std::uint64_t{bytes[bit / 8] >> bit % 8 & 1U} << (bit - position);
            LsbBitReader bits{Bytes(bytes)};
            bits.seek(position);
            ASSERT_EQ(bits.bits(width), expected) << position << " " << width;
            ASSERT_EQ(bits.overrun(), position + width > 104);
        }
}

TEST(LsbBitWriter, WritesWhatTheReaderReads) {
    LsbBitWriter out;
    out.bits(0, 1);
    out.bits(0b011, 3);
    out.bits(0b001'1010, 7);
    EXPECT_EQ(out.bitsToWholeWord(), 5U);
    out.signedBits(-2, 2);
    EXPECT_EQ(out.position(), 13U);
    EXPECT_EQ(out.take(), (ByteVector{0b1010'0110, 0b0001'0001}));
}

TEST(LsbBitWriter, HoldsThirtyTwoBitsAtOnce) {
    LsbBitWriter out;
    out.bits(1, 7);
    out.bits(0xDEADBEEF, 32);
    out.bits(0xFFFFFFFF, 0);
    const ByteVector bytes = out.take();
    EXPECT_EQ(bytes.size(), 5U);
    LsbBitReader bits{Bytes(bytes)};
    EXPECT_EQ(bits.bits(7), 1U);
    EXPECT_EQ(bits.bits(32), 0xDEADBEEFU);
}

TEST(LsbWordBitReader, TakesTheLeastSignificantBitOfTheWordFirst) {
    const ByteVector bytes = {0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF1};  // words 0x12345678, 0x9ABCDEF1
    LsbWordBitReader bits{Bytes(bytes)};
    EXPECT_EQ(bits.bits(4), 0x8U);
    EXPECT_EQ(bits.bits(8), 0x67U);
    EXPECT_EQ(bits.bits(0), 0U);
    EXPECT_EQ(bits.position(), 12U);
    EXPECT_EQ(bits.peek(20), 0x12345U);
    EXPECT_EQ(bits.bits(24), 0x112345U);  // goes on in the next word
    EXPECT_EQ(bits.remaining(), 28U);
    EXPECT_EQ(bits.bits(28), 0x9ABCDEFU);
    EXPECT_FALSE(bits.overrun());
}

TEST(LsbWordBitReader, SignedValuesAreTwosComplement) {
    const ByteVector bytes = {0x80, 0x00, 0x07, 0b10'1'0'1'111};
    LsbWordBitReader bits{Bytes(bytes)};
    EXPECT_EQ(bits.signedBits(3), -1);
    EXPECT_EQ(bits.signedBits(1), -1);
    EXPECT_EQ(bits.signedBits(1), 0);
    EXPECT_EQ(bits.signedBits(0), 0);
    EXPECT_EQ(bits.signedBits(3), -3);
    EXPECT_EQ(bits.signedBits(24), -8388608 + 7);
}

TEST(LsbWordBitReader, EveryWidthAtEveryPosition) {
    ByteVector bytes(16);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(i * 37 + 11);
    for (std::size_t position = 0; position < 140; ++position)
        for (unsigned width = 0; width <= 32; ++width) {
            std::uint64_t expected = 0;  // bit for bit
            for (std::size_t bit = position; bit < std::min<std::size_t>(position + width, 128); ++bit) {
                const std::size_t byte = bit / 32 * 4 + 3 - bit % 32 / 8;
                expected |= std::uint64_t{bytes[byte] >> bit % 8 & 1U} << (bit - position);
            }
            LsbWordBitReader bits{Bytes(bytes)};
            bits.seek(position);
            ASSERT_EQ(bits.bits(width), expected) << position << " " << width;
            ASSERT_EQ(bits.overrun(), position + width > 128);
        }
}

TEST(LsbWordBitReader, BitsAfterTheEndAreZeroAndRemembered) {
    const ByteVector bytes = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF};  // the last byte is not a whole word
    LsbWordBitReader bits{Bytes(bytes)};
    EXPECT_EQ(bits.size(), 32U);
    bits.skip(28);
    EXPECT_EQ(bits.bits(12), 0xFU);
    EXPECT_TRUE(bits.overrun());
    EXPECT_EQ(bits.remaining(), 0U);
    EXPECT_EQ(bits.bits(32), 0U);
}

TEST(LsbWordBitWriter, WritesWhatTheReaderReads) {
    LsbWordBitWriter out;
    out.bits(0x8, 4);
    out.bits(0x67, 8);
    EXPECT_EQ(out.bitsToWholeWord(), 20U);
    out.bits(0xFF112345, 24);
    EXPECT_EQ(out.position(), 36U);
    out.signedBits(-2, 28);
    EXPECT_EQ(out.take(), (ByteVector{0x12, 0x34, 0x56, 0x78, 0xFF, 0xFF, 0xFF, 0xE1}));
}

TEST(LsbWordBitWriter, FillsTheLastWordWithZeros) {
    LsbWordBitWriter out;
    out.bits(1, 7);
    out.bits(0xDEADBEEF, 32);
    out.bits(0xFFFFFFFF, 0);
    const ByteVector bytes = out.take();
    ASSERT_EQ(bytes.size(), 8U);
    LsbWordBitReader bits{Bytes(bytes)};
    EXPECT_EQ(bits.bits(7), 1U);
    EXPECT_EQ(bits.bits(32), 0xDEADBEEFU);
    EXPECT_EQ(bits.bits(25), 0U);
}

TEST(SignExtended, CoversEveryWidth) {
    EXPECT_EQ(signExtended(0x80000000U, 32), std::numeric_limits<std::int32_t>::min());
    EXPECT_EQ(signExtended(0xFFF, 12), -1);
    EXPECT_EQ(signExtended(0x7FF, 12), 2047);
    EXPECT_EQ(signExtended(0, 0), 0);
}

}  // namespace
}  // namespace reanima::core
