#include "core/byte_reader.h"

#include <gtest/gtest.h>

#include "core/byte_writer.h"

namespace reanima::core {
namespace {

const ByteVector kBytes = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x00, 0x00, 0x80, 0x3F};

TEST(ByteReader, ReadsNumbersOfItsByteOrder) {
    LittleEndianReader little{Bytes(kBytes)};
    EXPECT_EQ(little.read<std::uint16_t>("a"), 0x0201);
    EXPECT_EQ(little.read<std::uint8_t>("b"), 0x03);
    EXPECT_EQ(little.read<std::uint32_t>("c"), 0x07060504U);
    EXPECT_EQ(little.read<std::uint8_t>("d"), 0x08);
    EXPECT_EQ(little.read<float>("e"), 1.0F);
    EXPECT_TRUE(little.atEnd());

    BigEndianReader big{Bytes(kBytes)};
    EXPECT_EQ(big.read<std::uint32_t>("a"), 0x01020304U);
    EXPECT_EQ(big.read<std::int16_t>("b"), 0x0506);
}

std::string messageOf(const std::function<void()>& read) {
    try {
        read();
    } catch (const DecodeError& error) {
        return error.what();
    }
    return "no error";
}

TEST(ByteReader, NamesFieldAndOffsetOfWhatIsMissing) {
    LittleEndianReader file{Bytes(kBytes)};
    (void)file.bytes(10, "header");
    const auto scope = file.enter("animations", 3);
    EXPECT_EQ(messageOf([&] { (void)file.read<std::uint32_t>("frame_count"); }),
              "animations[3].frame_count at 0xa: needs 4 bytes, but only 2 are left");
}

TEST(ByteReader, SlicesKeepPathAndAbsoluteOffset) {
    LittleEndianReader file{Bytes(kBytes)};
    (void)file.read<std::uint32_t>("count");
    const auto scope = file.enter("blocks", 0);
    LittleEndianReader block = file.slice(3, "data");
    EXPECT_EQ(file.offset(), 7U);
    (void)block.read<std::uint16_t>("first");
    EXPECT_EQ(messageOf([&] { (void)block.read<std::uint16_t>("second"); }),
              "blocks[0].second at 0x6: needs 2 bytes, but only 1 is left");
    EXPECT_EQ(messageOf([&] { (void)file.slice(0xFFFFFFFFFFULL, "data"); }),
              "blocks[0].data at 0x7: needs 1099511627775 bytes, but only 5 are left");
}

TEST(ByteReader, ASliceOfWhatIsThereIsShorter) {
    LittleEndianReader file{Bytes(kBytes)};
    (void)file.bytes(9, "header");
    EXPECT_EQ(file.sliceUpTo(100).remaining(), 3U);
    EXPECT_TRUE(file.atEnd());
}

TEST(ByteReader, JumpsOnlyInsideItsBytes) {
    const LittleEndianReader file{Bytes(kBytes)};
    EXPECT_EQ(file.at(8, "table").read<float>("x"), 1.0F);
    EXPECT_EQ(messageOf([&] { (void)file.at(13, "table"); }), "table at 0xc: needs 13 bytes, but only 12 are left");
}

TEST(ByteReader, PathsEndWithTheirScope) {
    LittleEndianReader file{Bytes(kBytes)};
    {
        const auto outer = file.enter("outer");
        const auto inner = file.enter("list", 7);
        EXPECT_EQ(file.place("x").field, "outer.list[7].x");
    }
    EXPECT_EQ(file.place("x").field, "x");
}

TEST(DecodeError, SaysFileFieldOffsetAndProblem) {
    const DecodeError error({"animations[14].key_bits", 0x1A2C}, "is 7, expected 0, 2 or 4");
    EXPECT_STREQ(error.what(), "animations[14].key_bits at 0x1a2c: is 7, expected 0, 2 or 4");
    EXPECT_STREQ(error.inFile("rtda").what(), "rtda: animations[14].key_bits at 0x1a2c: is 7, expected 0, 2 or 4");
    EXPECT_STREQ(error.inFile("rtda").inFile("other").what(), error.inFile("rtda").what());
    EXPECT_STREQ(DecodeError("is empty").inFile("rtda").what(), "rtda: is empty");
}

TEST(ByteWriter, WritesAChunkIntoAChunk) {
    LittleEndianWriter inner;
    inner.write(std::uint16_t{0x0201});
    inner.write(std::uint16_t{2});
    LittleEndianWriter outer;
    outer.write(static_cast<std::uint16_t>(inner.size()));
    outer.write(inner.bytes());
    outer.write(std::uint16_t{9});
    EXPECT_EQ(outer.take(), (ByteVector{4, 0, 1, 2, 2, 0, 9, 0}));
}

}  // namespace
}  // namespace reanima::core
