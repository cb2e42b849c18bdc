/// Streams of LZO1X: every instruction by hand, and streams compressed by another implementation.
#include "archives/lzo1x.h"

#include <array>
#include <random>

#include <gtest/gtest.h>
#include <lzo/lzo1x.h>

namespace reanima::archives {
namespace {

using core::ByteVector;

std::string unpacked(const ByteVector& stream, std::size_t size) {
    ByteVector out(size);
    try {
        decompressLzo1x(stream, out, {"part", 16});
    } catch (const core::DecodeError& error) {
        return error.what();
    }
    return {out.begin(), out.end()};
}

constexpr std::array<std::uint8_t, 3> kEnd = {0x11, 0, 0};

/// A stream with its end mark.
ByteVector stream(std::initializer_list<std::uint8_t> bytes) {
    ByteVector all(bytes);
    all.insert(all.end(), kEnd.begin(), kEnd.end());
    return all;
}

TEST(Lzo1x, FollowsTheDescription) {
    EXPECT_EQ(unpacked(stream({}), 0), "");
    EXPECT_EQ(unpacked(stream({17 + 4, 'a', 'b', 'c', 'd'}), 4), "abcd") << "first literals";
    EXPECT_EQ(unpacked(stream({1, 'a', 'b', 'c', 'd'}), 4), "abcd") << "a run of 3 + 1";
    // 01LDDDSS H: 3 + L bytes from (H << 3) + D + 1 back, S literals after them
    EXPECT_EQ(unpacked(stream({21, 'a', 'b', 'c', 'd', 0x40 | 3 << 2, 0}), 7), "abcdabc");
    EXPECT_EQ(unpacked(stream({21, 'a', 'b', 'c', 'd', 0x60 | 3 << 2 | 1, 0, 'x'}), 9), "abcdabcdx");
    // 1LLDDDSS H: 5 + L bytes; copied bytes are copied again
    EXPECT_EQ(unpacked(stream({21, 'a', 'b', 'c', 'd', 0xE0 | 1 << 2, 0}), 12), "abcdcdcdcdcd");
    // 001LLLLL and 14 bits of distance: 2 + L bytes
    EXPECT_EQ(unpacked(stream({21, 'a', 'b', 'c', 'd', 0x20 | 2, 3 << 2, 0}), 8), "abcdabcd");
    // no length bits: 2 + 31 + 255 for every zero byte + the next one
    EXPECT_EQ(unpacked(stream({18, 'a', 0x20, 0, 1, 0, 0}), 1 + 2 + 31 + 255 + 1), std::string(290, 'a'));
    // 0000DDSS H after 1 to 3 literals: 2 bytes from (H << 2) + D + 1 back
    EXPECT_EQ(unpacked(stream({18, 'a', 0x00, 0}), 3), "aaa");
    EXPECT_EQ(unpacked(stream({19, 'a', 'b', 1 << 2 | 2, 0, 'x', 'y'}), 6), "ababxy");
}

TEST(Lzo1x, CopiesFromFarBack) {
    // after a run of literals: 3 bytes from (H << 2) + D + 2049 back
    ByteVector near(1 + 8, 0);  // a run of 3 + 15 + 8 * 255 + 10 literals
    near.push_back(10);
    constexpr std::size_t kLength = 2068;
    for (std::size_t i = 0; i < kLength; ++i)
        near.push_back(i < 3 ? static_cast<std::uint8_t>("xyz"[i]) : std::uint8_t{'.'});
    near.insert(near.end(), {3 << 2, 4});  // (4 << 2) + 3 + 2049 = 2068
    near.insert(near.end(), kEnd.begin(), kEnd.end());
    EXPECT_EQ(unpacked(near, kLength + 3).substr(kLength), "xyz");

    // 0001HLLL and 14 bits: 2 + L bytes from 16384 + (H << 14) + D back
    ByteVector far(1 + 80, 0);  // a run of 18 + 80 * 255 + 100 literals
    far.push_back(100);
    constexpr std::size_t kFar = 18 + 80 * 255 + 100;
    for (std::size_t i = 0; i < kFar; ++i)
        far.push_back(i < 3 ? static_cast<std::uint8_t>("xyz"[i]) : std::uint8_t{'.'});
    constexpr std::uint16_t kDistance = (kFar - 16384) << 2U;
    far.insert(far.end(), {0x10 | 1, kDistance & 0xFF, kDistance >> 8U});
    far.insert(far.end(), kEnd.begin(), kEnd.end());
    EXPECT_EQ(unpacked(far, kFar + 3).substr(kFar), "xyz");
}

TEST(Lzo1x, RefusesWhatDoesNotFit) {
    EXPECT_EQ(unpacked(stream({21, 'a', 'b', 'c', 'd'}), 5), "part at 0x18: unpacks to 4 bytes, expected 5");
    EXPECT_EQ(unpacked(stream({21, 'a', 'b', 'c', 'd'}), 3), "part at 0x11: unpacks to more than 3 bytes");
    EXPECT_EQ(unpacked(stream({18, 'a', 0x40 | 1 << 2, 0}), 4),
              "part at 0x14: refers 2 bytes back, but only 1 bytes are unpacked");
    EXPECT_EQ(unpacked({21, 'a', 'b'}, 4), "part at 0x11: needs 4 bytes, but only 2 are left");
    EXPECT_EQ(unpacked({18, 'a'}, 1), "part at 0x12: needs 1 byte, but only 0 are left");
    ByteVector after = stream({18, 'a'});
    after.push_back(7);
    EXPECT_EQ(unpacked(after, 1), "part at 0x15: has 1 bytes after its end mark");
}

/// Data of all degrees of order: runs, near and far repeats, noise.
ByteVector mixture(std::mt19937& random, std::size_t size) {
    ByteVector data;
    while (data.size() < size) {
        const std::size_t count = 1 + random() % 700;
        const unsigned kind = random() % 4;
        const auto byte = static_cast<std::uint8_t>(random());
        const std::size_t back = data.empty() ? 0 : 1 + random() % data.size();
        for (std::size_t i = 0; i < count && data.size() < size; ++i)
            data.push_back(kind == 0               ? byte
                           : kind == 1 && back > 0 ? data[data.size() - back]
                                                   : static_cast<std::uint8_t>(kind == 2 ? random() % 3 : random()));
    }
    return data;
}

TEST(Lzo1x, ReadsWhatAnotherImplementationWrites) {
    ASSERT_EQ(lzo_init(), LZO_E_OK);
    std::mt19937 random(7);
    std::vector<lzo_align_t> work((LZO1X_999_MEM_COMPRESS + sizeof(lzo_align_t) - 1) / sizeof(lzo_align_t));
    for (int round = 0; round < 60; ++round) {
        const ByteVector data = mixture(random, random() % (round % 10 == 0 ? 90000 : 0x4000));
        ByteVector packed(data.size() + data.size() / 16 + 64 + 3);
        lzo_uint size = packed.size();
        const auto compress = round % 2 == 0 ? lzo1x_1_compress : lzo1x_999_compress;
        ASSERT_EQ(compress(data.data(), data.size(), packed.data(), &size, work.data()), LZO_E_OK);
        packed.resize(size);
        packed.shrink_to_fit();
        ByteVector out(data.size());
        decompressLzo1x(packed, out, {"part", 0});
        EXPECT_EQ(out, data) << round;
    }
}

/// Both implementations agree about damaged streams. If one accepts a stream, the other decodes it to the same bytes.
TEST(Lzo1x, TakesNoMoreThanAnotherImplementation) {
    ASSERT_EQ(lzo_init(), LZO_E_OK);
    std::mt19937 random(11);
    std::vector<lzo_align_t> work((LZO1X_1_MEM_COMPRESS + sizeof(lzo_align_t) - 1) / sizeof(lzo_align_t));
    for (int round = 0; round < 400; ++round) {
        const ByteVector data = mixture(random, 1 + random() % 3000);
        ByteVector packed(data.size() + data.size() / 16 + 64 + 3);
        lzo_uint size = packed.size();
        ASSERT_EQ(lzo1x_1_compress(data.data(), data.size(), packed.data(), &size, work.data()), LZO_E_OK);
        packed.resize(size);
        packed[random() % packed.size()] = static_cast<std::uint8_t>(random());
        ByteVector theirs(data.size());
        lzo_uint made = theirs.size();
        const int result = lzo1x_decompress_safe(packed.data(), packed.size(), theirs.data(), &made, nullptr);
        const bool isTaken = result == LZO_E_OK && made == theirs.size();
        ByteVector ours(data.size());
        try {
            decompressLzo1x(packed, ours, {"part", 0});
            EXPECT_TRUE(isTaken) << round;
            EXPECT_EQ(ours, theirs) << round;
        } catch (const core::DecodeError& error) {
            EXPECT_FALSE(isTaken) << round << ": " << error.what();
        }
    }
}

}  // namespace
}  // namespace reanima::archives
