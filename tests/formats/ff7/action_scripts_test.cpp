#include "formats/ff7/action_scripts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reanima::ff7 {
namespace {

using core::ByteVector;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t kTable = 0x68;

/// A file of scripts that follow the table in the given order.
/// @param offsets the table's offsets, from the first byte after the table; none: 0
ByteVector actionFile(const std::vector<std::optional<std::uint32_t>>& offsets, const ByteVector& scripts) {
    ByteVector file(kTable);
    const auto first = static_cast<std::uint32_t>(kTable + 4 * offsets.size());
    for (const std::optional<std::uint32_t>& offset : offsets)
        for (unsigned i = 0; i < 4; ++i)
            file.push_back(static_cast<std::uint8_t>((offset ? first + *offset : 0) >> 8 * i));
    file.insert(file.end(), scripts.begin(), scripts.end());
    return file;
}

/// The clips that the only script of a file plays.
std::vector<std::uint8_t> played(ByteVector script) {
    const ActionScripts scripts = readActionScripts(actionFile({0}, script));
    return scripts.size() == 1 ? scripts[0] : std::vector<std::uint8_t>{0xBA, 0xD0};
}

TEST(ActionScripts, PlayClips) {
    EXPECT_THAT(played({3, 30, 4, 0xFF}), ElementsAre(3, 30, 4));
    EXPECT_THAT(played({0x8D, 0xEE, 7}), ElementsAre(0x8D));
    // A9 plays the clip of its second argument, B6 finishes one that is running.
    EXPECT_THAT(played({0xA9, 0xC9, 0x05, 0xB6, 0x06, 0xEE}), ElementsAre(5, 6));
}

TEST(ActionScripts, ArgumentsAreNoClips) {
    EXPECT_THAT(played({0xB5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0xFF}), ElementsAre(12));
    EXPECT_THAT(played({0xD1, 1, 2, 3, 4, 5, 0xF7, 1, 0xD8, 1, 2, 3, 0xCB, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xFF}),
                ElementsAre(9));
    EXPECT_THAT(played({0x99, 1, 2, 3, 4, 5, 6, 0x9A, 1, 2, 3, 4, 0x96, 1, 2, 9, 0xFF}), ElementsAre(9));
}

TEST(ActionScripts, JumpsEndThem) {
    EXPECT_THAT(played({0xC9, 1, 0xC1, 2}), ElementsAre(1));  // back to the loop's start
    EXPECT_THAT(played({1, 0xFE, 0xC0, 2}), ElementsAre(1));  // back to the first clip
    EXPECT_THAT(played({1, 0xFE, 0xC1, 2, 0xEE}), ElementsAre(1, 2));
    EXPECT_THAT(played({6, 0xF1, 2}), ElementsAre(6));  // stays in the clip
}

TEST(ActionScripts, MayShareTheirTails) {
    EXPECT_THAT(readActionScripts(actionFile({0, 2, {}, 1}, {20, 21, 22, 0xFF})),
                ElementsAre(ElementsAre(20, 21, 22), ElementsAre(22), IsEmpty(), ElementsAre(21, 22)));
}

TEST(ActionScripts, AreNotUsedWhereTheyBeginWithZeros) {
    EXPECT_THAT(readActionScripts(actionFile({0, 4}, {0, 0, 0, 0, 0, 1, 0xFF})),
                ElementsAre(IsEmpty(), ElementsAre(0, 1)));
    EXPECT_THAT(played({0, 0}), IsEmpty());
}

TEST(ActionScripts, ThatLeaveTheFilePlayNothing) {
    EXPECT_THAT(played({1, 2}), IsEmpty());
    EXPECT_THAT(played({1, 0xB5, 1, 2}), IsEmpty());
    EXPECT_THAT(readActionScripts(actionFile({0, 1000}, {1, 0xFF})), ElementsAre(ElementsAre(1), IsEmpty()));
}

TEST(ActionScripts, OfEveryCutFileAreThoseThatAreWhole) {
    const ByteVector file = actionFile({0, 2}, {1, 0xFF, 2, 0xA9, 0, 3, 0xFF});
    const std::size_t table = kTable + 8;
    for (std::size_t size = 0; size <= file.size(); ++size) {
        const ActionScripts scripts = readActionScripts(core::Bytes(file).first(size));
        EXPECT_EQ(scripts.size(), size < kTable + 4 ? 0U : size < table ? 1U : 2U) << size;
        if (size >= table) {
            EXPECT_EQ(scripts[0].size(), size >= table + 2 ? 1U : 0U) << size;
            EXPECT_EQ(scripts[1].size(), size == file.size() ? 2U : 0U) << size;
        }
    }
}

TEST(ActionScripts, OfLocationsAreNone) {
    EXPECT_THAT(readActionScripts(ByteVector(8)), IsEmpty());
    EXPECT_THAT(readActionScripts({}), IsEmpty());
}

}  // namespace
}  // namespace reanima::ff7
