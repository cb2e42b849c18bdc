#include "formats/packed_frames.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/packed_json.h"
#include "support/broken.h"

namespace reanima {
namespace {

constexpr auto kMsb = core::BitOrder::msb;
constexpr int kUnit = 4;

/// A frame of one triple. Its position is always stored, its angles only if they change.
constexpr auto kWalk = [](auto& port, PackedFrames& frames, std::size_t frame) {
    port.place(frames, frame, {.bits = {0, 4, 8, 16}});
    port.angles(frames, frame, 0, {.flag = ChangeWidths::Flag::ifChanged, .codeBits = 1, .bits = {3, 10}}, kUnit);
};

/// From the highest bit on: 01 0011 (3), 01 0000 (0, wide), 00; 1 0 111 (-1, so -4), 0, 1 1 0000000001 (1, wide): 32
/// bits. The second frame: 11 1111111011010100 (-300), 00, 00; 0, 1 0 000 (0, wide), 0: 29 bits, then 101.
const core::ByteVector kStream = {0x4D, 0x02, 0xEC, 0x01, 0xFF, 0xB5, 0x01, 0x05};

PackedFrames read(core::Bytes stream, std::size_t frames) {
    PackedFrames made;
    core::LittleEndianReader file(stream);
    core::SampleBudget budget({});
    core::Diagnostics diagnostics;
    readOrKeep(file, budget, diagnostics, made, [&] {
        readPacked<kMsb>(file, {frames, {"frames", 0}}, 1, 9, budget, made, kWalk);
    });
    return made;
}

TEST(PackedFrames, AreReadAndWrittenByOneWalk) {
    const PackedFrames frames = read(kStream, 2);
    EXPECT_EQ(frames.translations, (std::vector<Position>{{3, 0, 0}, {-297, 0, 0}}));
    EXPECT_EQ(frames.rotations, (std::vector<AngleTriple>{{4092, 0, 4}, {4092, 0, 4}}));
    EXPECT_EQ(frames.wide, (std::vector<PackedFrames::Wide>{{1, 1}, {5, 1}, {10, 0}}));
    EXPECT_EQ(frames.tailBits, 5);
    core::Diagnostics diagnostics;
    EXPECT_EQ(writePacked<kMsb>(frames, "toys[0]", diagnostics, kWalk), kStream);
    EXPECT_TRUE(diagnostics.warnings().empty());
}

TEST(PackedFrames, ThatAreNotThereStayInTheGap) {
    const PackedFrames frames = read(kStream, 6);
    EXPECT_TRUE(frames.isDamaged);
    EXPECT_EQ(frames.count(), 0U);
    EXPECT_EQ(frames.gap, kStream);
}

TEST(PackedFrames, TellWhatTheStreamDoesNotHold) {
    PackedFrames frames = read(kStream, 2);
    frames.rotations[1][0] = 6;
    EXPECT_EQ(test::messageOf([&](core::Diagnostics& diagnostics) {
                  (void)writePacked<kMsb>(frames, "toys[0]", diagnostics, kWalk);
              }),
              "warning: toys[0].frames: have angles that the format can't store exactly; these angles are rounded");
}

TEST(PackedFrames, ComeBackFromJson) {
    const PackedFrames frames = read(kStream, 2);
    Json json;
    putPacked(json, frames);
    PackedFrames again;
    DerivedMembers derived;
    packedFromJson(JsonReader(json), 1, 2, again, derived);
    core::Diagnostics diagnostics;
    EXPECT_EQ(writePacked<kMsb>(again, {}, diagnostics, kWalk), kStream);
    EXPECT_EQ(test::messageOf([&](core::Diagnostics&) { packedFromJson(JsonReader(json), 1, 1, again, derived); }),
              "frames: has 2 elements, expected at most 1");
}

}  // namespace
}  // namespace reanima
