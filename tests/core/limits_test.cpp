/// Limits on what a file may request, and messages about large steps.
#include "core/limits.h"

#include <limits>

#include <gtest/gtest.h>

#include "core/large_steps.h"
#include "core/memory.h"

namespace reanima::core {
namespace {

TEST(SampleBudget, IsSharedByAllPartsOfAFile) {
    Limits limits;
    limits.samples = 100;
    SampleBudget budget(limits);
    budget.take(60, {"first", 4});
    budget.take(40, {"second", 8});
    try {
        budget.take(1, {"third", 12});
        FAIL() << "taken";
    } catch (const DecodeError& error) {
        EXPECT_EQ(error.kind(), DecodeError::Kind::limit);
        EXPECT_STREQ(
            error.what(),
            "third at 0xc: the file decodes to more samples than the limit allows (see option limit-samples=N)");
    }
}

TEST(SampleBudget, CountsMemoryOfWhatIsDecodedAndKept) {
    Limits limits;
    limits.memory = 8000;
    SampleBudget budget(limits);
    budget.take(1000, {"first", 4});  // eight bytes each
    budget.keep(4000, {"clips", {}});
    budget.take(500, {"second", 8});
    EXPECT_THROW(budget.take(501, {"third", 12}), DecodeError);
    EXPECT_THROW(budget.keep(4001, {"clips", {}}), DecodeError);
}

TEST(Limits, SamplesArePixelsToo) {
    Limits limits;
    EXPECT_EQ(limits.picturePixels, 16777216U);
    EXPECT_EQ(limits.videoPixels, 1073741824U);
    limits.setSamples(1000);
    EXPECT_EQ(limits.samples, 1000U);
    EXPECT_EQ(limits.picturePixels, 1000U);
    EXPECT_EQ(limits.videoPixels, 64000U);
}

TEST(RequireMemory, NamesBothNumbers) {
    Limits limits;
    limits.memory = 64U << 20U;
    requireMemory(limits.memory, limits, {});
    try {
        requireMemory(200U << 20U, limits, {"angles", std::nullopt});
        FAIL() << "allowed";
    } catch (const DecodeError& error) {
        EXPECT_EQ(error.kind(), DecodeError::Kind::limit);
        EXPECT_STREQ(error.what(),
                     "angles: would need 200 MiB of memory, but the limit is 64 (see option limit-memory=MIB)");
    }
}

TEST(RequireMemory, CountsWhatIsHeldAlready) {
    Limits limits;
    limits.memory = 64U << 20U;
    const Limits left = limits.holding(20U << 20U).holding(20U << 20U);
    EXPECT_EQ(left.held, 40U << 20U);
    requireMemory(24U << 20U, left, {});
    try {
        requireMemory((24U << 20U) + 1, left, {"angles", std::nullopt});
        FAIL() << "allowed";
    } catch (const DecodeError& error) {
        EXPECT_STREQ(error.what(),
                     "angles: would need 65 MiB of memory, but the limit is 64 (see option limit-memory=MIB)");
    }
    EXPECT_THROW(requireMemory(std::numeric_limits<std::uint64_t>::max(), left, {}), DecodeError);
}

TEST(MemoryCount, ComparesTheSum) {
    Limits limits;
    limits.memory = 100;
    MemoryCount count(limits.holding(10), "clips");
    count.add(60);
    count.require(30);
    count.require(30);
    EXPECT_THROW(count.require(31), DecodeError);
    count.add(30);
    EXPECT_THROW(count.add(1), DecodeError);
}

TEST(MemoryOf, CountsEveryBlockOfTheHeap) {
    EXPECT_EQ(heapBytes(0), 0U);  // glibc: 8 bytes before each block, multiples of 16, at least 32
    EXPECT_EQ(heapBytes(1), 32U);
    EXPECT_EQ(heapBytes(24), 32U);
    EXPECT_EQ(heapBytes(25), 48U);
    JointTrack track;
    EXPECT_EQ(memoryOf(track), sizeof(JointTrack));
    track.rotation.values.resize(10);    // 160 bytes: 176
    track.translation.values.resize(1);  // 12 bytes: 32
    EXPECT_EQ(memoryOf(track), sizeof(JointTrack) + 176 + 32);
    EXPECT_EQ(memoryOfClips(2, 5), 2 * sizeof(Clip) + 5 * (sizeof(JointTrack) + 32));
}

TEST(MemoryOfKeys, NeverWraps) {
    EXPECT_EQ(memoryOfKeys(1000), 128000U);
    EXPECT_EQ(memoryOfKeys(std::numeric_limits<std::uint64_t>::max() / 100), std::numeric_limits<std::uint64_t>::max());
}

TEST(LargeSteps, AreToldOfOnceWithTheWorst) {
    LargeSteps steps;
    Diagnostics diagnostics;
    steps.report(diagnostics, {"subdivide", "90"});
    EXPECT_TRUE(diagnostics.warnings().empty());
    steps.add(1, 130, "walk", "bone003", 4);
    steps.report(diagnostics, {"subdivide", "90"});
    steps.add(1, 170, "run", "bone001", 2);
    steps.add(4, 150, "run", "bone002", 7);
    steps.report(diagnostics, {"subdivide", "90"});
    ASSERT_EQ(diagnostics.warnings().size(), 2U);
    EXPECT_EQ(diagnostics.warnings()[0].message(),
              "note: 1 rotation exceeds 120 degrees between two frames; players may interpolate "
              "it either way (largest: walk, "
              "bone003, frame 4) (see option subdivide=90)");
    EXPECT_EQ(diagnostics.warnings()[1].message(),
              "note: 6 rotations exceed 120 degrees between two frames; players may interpolate "
              "them either way (largest: run, "
              "bone001, frame 2) (see option subdivide=90)");
}

}  // namespace
}  // namespace reanima::core
