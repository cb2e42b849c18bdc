#include "formats/ff9/names.h"

#include <gtest/gtest.h>

#include "formats/names_tables.h"

namespace reanima::ff9 {
namespace {

std::size_t linesOf(std::string_view table) {
    std::size_t lines = 0;
    const std::string text = namesTable(table);
    forEachLine(text, [&lines](std::string_view) { ++lines; });
    return lines;
}

// Facts stated by the sources of the tables.
TEST(Names, AreAllThere) {
    EXPECT_EQ(linesOf("ff9/animations"), 14111U);
    EXPECT_EQ(linesOf("ff9/models"), 710U);
    EXPECT_EQ(linesOf("ff9/suffixes"), 52U);
    EXPECT_EQ(linesOf("ff9/script-ops"), 274U);
    EXPECT_EQ(linesOf("ff9/nothing"), 0U);
}

TEST(Names, TellTheModelOfEveryAnimation) {
    std::size_t known = 0;
    std::size_t ofOwn = 0;
    for (std::uint32_t id = 0; id < 1U << 16U; ++id) {
        const std::optional<std::uint32_t> owner = ownerByName(id);
        if (animationName(id).empty()) {
            EXPECT_FALSE(owner) << id;
            continue;
        }
        ++known;
        ASSERT_TRUE(owner) << id;
        EXPECT_EQ(belongByName(*owner, id), true) << id;
        const std::string code = "ANH" + std::string(modelName(*owner).substr(3));
        if (animationName(id) == code || animationName(id).starts_with(code + '_'))
            ++ofOwn;
    }
    EXPECT_EQ(known, 14111U);
    EXPECT_EQ(ofOwn, 14062U);
}

TEST(Names, OfModelsHaveLabels) {
    std::size_t labelled = 0;
    for (std::uint32_t id = 0; id < 1U << 16U; ++id)
        labelled += calledByTable(id).title.empty() ? 0 : 1;
    EXPECT_EQ(labelled, 218U);
    const core::Called zidane = calledByTable(98);
    EXPECT_EQ(zidane.title, "zidane");
    EXPECT_EQ(zidane.fullName, "GEO_MAIN_F0_ZDN");
    EXPECT_EQ(zidane.namedBy, core::NamedBy::table);
    EXPECT_EQ(calledByTable(580).title, "battle_zidane_thief_sword_trance");
    EXPECT_EQ(modelsCalled("ZIDANE"), (std::vector<std::uint32_t>{98}));
    EXPECT_EQ(modelsCalled("geo_main_f0_zdn"), (std::vector<std::uint32_t>{98}));
    EXPECT_TRUE(modelsCalled("__").empty());
}

TEST(Names, OfVariantsBelongToBoth) {
    EXPECT_EQ(animationName(560), "ANH_NPC_F0_BBA_IDLE");
    EXPECT_EQ(belongByName(112, 560), true);  // GEO_NPC_F0_BBA
    EXPECT_EQ(belongByName(10, 560), true);   // GEO_NPC_F1_BBA
    EXPECT_EQ(belongByName(98, 560), false);  // Zidane
    EXPECT_EQ(belongByName(60000, 560), std::nullopt);
    EXPECT_EQ(belongByName(98, 60000), std::nullopt);
}

TEST(Names, OfClipsAreShort) {
    EXPECT_EQ(shortClipName("ANH_MAIN_F0_ZDN_TURN_L"), "turn_l");
    EXPECT_EQ(shortClipName("ANH_MAIN_F0_ZDN_OPEN_DOOR_FOOT"), "open_door_foot");
    EXPECT_EQ(shortClipName("ANH_MAIN_B0_000_000"), "stand");
    EXPECT_EQ(shortClipName("ANH_MAIN_B0_000_001"), "stand_to_ready");
    EXPECT_EQ(shortClipName("ANH_MON_B3_109_002"), "death");
    EXPECT_EQ(shortClipName("ANH_MON_B3_109_999"), "");
    EXPECT_EQ(shortClipName("ANH_MAIN_B2_003"), "");
    EXPECT_EQ(shortClipName(""), "");
}

TEST(Names, OfFilesMayBeNumbers) {
    EXPECT_EQ(numberInName("7655.ff9anim"), 7655U);
    EXPECT_EQ(numberInName("7655_2.ff9anim"), 7655U);
    EXPECT_EQ(numberInName("98"), 98U);
    EXPECT_EQ(numberInName("hero.ff9model"), std::nullopt);
    EXPECT_EQ(numberInName("99999.ff9anim"), std::nullopt);
    EXPECT_EQ(numberInName(""), std::nullopt);
}

}  // namespace
}  // namespace reanima::ff9
