/// Character sets: values from the cases of another implementation, messages of damaged files.
#include "formats/metroid/character/ancs.h"

#include <gmock/gmock.h>

#include "formats/metroid/character/characters.h"
#include "support/bytes.h"
#include "support/files.h"

namespace reanima::metroid {
namespace {

using core::ByteVector;
using testing::ElementsAre;

ByteVector caseNamed(const std::string& name) {
    return test::readBytes(test::sourceFolder() / "tests/data/conformance/archives/inputs" / name);
}

std::string errorOf(const ByteVector& bytes) {
    try {
        (void)decodeAncs(bytes, std::nullopt);
    } catch (const core::DecodeError& error) {
        return error.what();
    }
    return "none";
}

std::string loadErrorOf(const Ancs& ancs, const std::string& id, const Siblings& siblings) {
    test::Surroundings s;
    s.context.siblings = &siblings;
    try {
        (void)loadCharacter(ancs, id, nullptr, {}, s.context);
    } catch (const core::DecodeError& error) {
        return error.what();
    }
    return "none";
}

TEST(Ancs, IsToldByItsGame) {
    EXPECT_EQ(decodeAncs(caseNamed("ancs_prime.ANCS"), std::nullopt).game, Game::prime);
    EXPECT_EQ(decodeAncs(caseNamed("ancs_echoes.ANCS"), std::nullopt).game, Game::echoes);
    EXPECT_EQ(errorOf(caseNamed("ancs_prime.ANCS")), "none");
    EXPECT_TRUE(isAncs(caseNamed("ancs_echoes.ANCS")));
}

TEST(Ancs, TellsWhatACharacterPlays) {
    // 0 ready plays A1, A2, A3; 1 walk plays A2; 2 fire is additive; the first animation also plays fire's A3.
    const Ancs ancs = decodeAncs(caseNamed("ancs_prime.ANCS"), std::nullopt);
    EXPECT_THAT(characterIds(ancs), ElementsAre("Samus", "Gravity"));
    std::vector<std::string> names;
    for (const CharacterClip& clip : clipsOf(ancs, ancs.characters[0], Additive::leftOut).clips)
        names.push_back(clip.name);
    EXPECT_THAT(names, ElementsAre("ready", "walk", "fire"));
    EXPECT_THAT(clipsOf(ancs, ancs.characters[1], Additive::leftOut).clips, testing::SizeIs(1));
    EXPECT_THAT(namesOfResource(0x12AB, "anim"),
                ElementsAre("000012AB.ANIM", "000012ab.anim", "000012AB.anim", "000012ab.ANIM"));
}

TEST(Ancs, RefusesWhatDoesNotFit) {
    ByteVector bytes = caseNamed("ancs_prime.ANCS");
    bytes[13] = 7;
    EXPECT_EQ(errorOf(bytes), "characters[0].version at 0xc: is 7, expected 1 to 6 (Prime) or 10 (Echoes)");
    bytes = caseNamed("ancs_prime.ANCS");
    const std::string magic = "PAS4";
    const auto states = std::search(bytes.begin(), bytes.end(), magic.begin(), magic.end());
    *states = 'Q';
    EXPECT_EQ(errorOf(bytes), "characters[0].states_magic at 0x43: is 0x51415334, expected 'PAS4'");
    bytes = caseNamed("ancs_prime.ANCS");
    bytes.push_back(1);
    EXPECT_EQ(errorOf(bytes),
              "padding at 0x3ae: is too long, expected the end of the file, or 0xFF up to a multiple of 32 bytes");
    bytes.back() = 0xFF;
    bytes.resize(960, 0xFF);
    EXPECT_EQ(errorOf(bytes), "none");
    // no characters, and an animation "a" of sequences of sequences
    ByteVector deep = {0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0, 1, 'a', 0};
    for (int i = 0; i < 40; ++i)
        deep.insert(deep.end(), {0, 0, 0, 4, 0, 0, 0, 1});
    EXPECT_THAT(errorOf(deep), testing::HasSubstr("at 0x110: is nested deeper than 32 animations"));
}

TEST(Ancs, SaysWhatIsMissing) {
    const Ancs ancs = decodeAncs(caseNamed("ancs_prime.ANCS"), std::nullopt);
    const Siblings none = test::siblingsBy([](std::string_view) { return std::nullopt; });
    const Siblings skeleton = test::siblingsBy([](std::string_view name) -> std::optional<ByteVector> {
        if (!name.ends_with(".CINF"))
            return std::nullopt;
        return test::readBytes(test::sourceFolder() / "samples/metroid/hero.CINF");
    });
    EXPECT_EQ(loadErrorOf(ancs, "Ridley", none), "has no character Ridley, only Samus, Gravity");
    EXPECT_EQ(loadErrorOf(ancs, "Samus", none), "its skeleton 2A4D86B8.CINF was not found beside it");
    EXPECT_EQ(loadErrorOf(ancs, "Samus", skeleton), "none of its 3 animations can be read");
}

TEST(Ancs, LeavesOutClipsThatMoveNothing) {
    const Ancs ancs = decodeAncs(caseNamed("ancs_prime.ANCS"), std::nullopt);
    const auto sample = [](const char* name) {
        return test::readBytes(test::sourceFolder() / "samples/metroid" / name);
    };
    ByteVector still = sample("hero_idle.ANIM");
    constexpr std::size_t kChannelCount3 = 0x40;
    std::fill_n(still.begin() + kChannelCount3, 4, std::uint8_t{0});
    const std::string ready =
        namesOfResource(clipsOf(ancs, ancs.characters[0], Additive::leftOut).clips[0].anim, "anim")[0];
    const auto siblings = [&](bool allStill) {
        return test::siblingsBy([=](std::string_view name) -> std::optional<ByteVector> {
            if (name.ends_with(".CINF"))
                return sample("hero.CINF");
            if (!name.ends_with(".ANIM"))
                return std::nullopt;
            return allStill || name == ready ? still : sample("hero_idle.ANIM");
        });
    };
    test::Surroundings s;
    const Siblings others = siblings(false);
    s.context.siblings = &others;
    const core::Asset asset = loadCharacter(ancs, "Samus", nullptr, {}, s.context);
    ASSERT_THAT(asset.clips, testing::SizeIs(2));
    EXPECT_EQ(asset.clips[0].name, "walk");
    EXPECT_EQ(loadErrorOf(ancs, "Samus", siblings(true)), "none of its 3 animations can be read");
}

}  // namespace
}  // namespace reanima::metroid
