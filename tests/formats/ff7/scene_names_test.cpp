#include "formats/ff7/scene_names.h"

#include <algorithm>
#include <array>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reanima::ff7 {
namespace {

using core::ByteVector;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// ---------------------------------------------------------------------------------------------------------------------
// Files

constexpr std::size_t kSceneSize = 7808;
constexpr std::size_t kSceneBlock = 0x2000;
constexpr std::uint32_t kNobody = 0xFFFF;

void putWord(ByteVector& bytes, std::uint32_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i)
        bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

std::uint32_t gzipChecksum(const ByteVector& bytes) {
    std::uint32_t sum = ~0U;
    for (const std::uint8_t byte : bytes) {
        sum ^= byte;
        for (int bit = 0; bit < 8; ++bit)
            sum = sum / 2 ^ (sum % 2 * 0xEDB88320U);
    }
    return ~sum;
}

/// A gzip stream of one block without compression.
ByteVector gzipOf(const ByteVector& bytes) {
    ByteVector stream = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1};
    putWord(stream, static_cast<std::uint32_t>(bytes.size()), 2);
    putWord(stream, static_cast<std::uint32_t>(0xFFFF - bytes.size()), 2);
    stream.insert(stream.end(), bytes.begin(), bytes.end());
    putWord(stream, gzipChecksum(bytes), 4);
    putWord(stream, static_cast<std::uint32_t>(bytes.size()), 4);
    return stream;
}

struct Enemy {
    std::uint32_t id = kNobody;
    std::string letters{};  ///< in the game's encoding
};

/// Letters of ASCII in the game's encoding.
std::string gameText(std::string text) {
    for (char& letter : text)
        letter = static_cast<char>(letter - 0x20);
    return text;
}

Enemy enemyOf(std::uint32_t id, std::string_view name) { return {id, gameText(std::string(name))}; }

ByteVector sceneOf(const std::array<Enemy, 3>& enemies) {
    ByteVector scene(kSceneSize);
    for (std::size_t i = 0; i < enemies.size(); ++i) {
        scene[2 * i] = static_cast<std::uint8_t>(enemies[i].id);
        scene[2 * i + 1] = static_cast<std::uint8_t>(enemies[i].id >> 8U);
        const auto name = scene.begin() + 0x298 + 184 * static_cast<std::ptrdiff_t>(i);
        std::fill_n(name, 32, std::uint8_t{0xFF});
        std::ranges::copy(enemies[i].letters, name);
    }
    return scene;
}

/// @param streams packed scenes; the stream of a complete scene fills a block
ByteVector sceneBlock(const std::vector<ByteVector>& streams) {
    ByteVector table;
    ByteVector data;
    for (const ByteVector& stream : streams) {
        putWord(table, static_cast<std::uint32_t>((64 + data.size()) / 4), 4);
        data.insert(data.end(), stream.begin(), stream.end());
        data.resize((data.size() + 3) / 4 * 4, 0xFF);
    }
    table.resize(64, 0xFF);
    table.insert(table.end(), data.begin(), data.end());
    table.resize(kSceneBlock, 0xFF);
    return table;
}

ByteVector sceneFile(const std::vector<std::array<Enemy, 3>>& scenes) {
    ByteVector file;
    for (const std::array<Enemy, 3>& scene : scenes) {
        const ByteVector one = sceneBlock({gzipOf(sceneOf(scene))});
        file.insert(file.end(), one.begin(), one.end());
    }
    return file;
}

// ---------------------------------------------------------------------------------------------------------------------

TEST(SceneNames, AreThoseOfTheEnemies) {
    EXPECT_THAT(
        sceneNames(sceneFile({{enemyOf(0, "Pyramide"), enemyOf(19, "MG-Soldat")}, {enemyOf(461, "Elfadunk  ")}})),
        ElementsAre(Pair(0, "Pyramide"), Pair(19, "MG-Soldat"), Pair(461, "Elfadunk")));
}

TEST(SceneNames, TheFirstSceneCounts) {
    EXPECT_THAT(sceneNames(sceneFile({{enemyOf(5, "One")}, {enemyOf(5, "Two"), enemyOf(6, "Six")}})),
                ElementsAre(Pair(5, "One"), Pair(6, "Six")));
}

TEST(SceneNames, HaveAccents) {
    EXPECT_THAT(sceneNames(sceneFile({{Enemy{1, "\x37\x6A" + gameText("chter")}, Enemy{2, gameText("Gro") + "\x87"},
                                       Enemy{3, "\x63" + gameText("lan") + "\x7F"}}})),
                ElementsAre(Pair(1, "Wächter"), Pair(2, "Groß"), Pair(3, "Élanü")));
}

TEST(SceneNames, OfUnknownLettersArePassedOver) {
    const std::string withoutEnd(32, '\x21');
    EXPECT_THAT(sceneNames(sceneFile({{Enemy{1, "\x21\xA9"}, Enemy{2, withoutEnd}, Enemy{3, "\x21\x5F"}},
                                      {Enemy{4, "\x21\x80"}, Enemy{5, ""}, Enemy{6, std::string(3, '\0')}}})),
                IsEmpty());
}

TEST(SceneNames, FollowEachOtherInABlock) {
    // Small streams like those of the game's packer can't be written by hand. The first stream here is invalid.
    const ByteVector file = sceneBlock({{1, 2, 3, 4}, gzipOf(sceneOf({enemyOf(7, "Seven")}))});
    EXPECT_THAT(sceneNames(file), ElementsAre(Pair(7, "Seven")));
}

TEST(SceneNames, DamagedScenesArePassedOver) {
    const ByteVector sound = sceneFile({{enemyOf(1, "One")}, {enemyOf(2, "Two")}});
    for (const std::size_t at : {64U, 66U, 75U, 100U, 64U + 15 + 0x298, 64U + 15 + 7808}) {
        ByteVector damaged = sound;
        damaged[at] ^= 0x55U;
        EXPECT_THAT(sceneNames(damaged), ElementsAre(Pair(2, "Two"))) << at;
    }
}

TEST(SceneNames, ScenesOfAnotherSizeArePassedOver) {
    for (const int more : {-1, 1}) {
        ByteVector scene = sceneOf({enemyOf(1, "One")});
        scene.resize(kSceneSize + static_cast<std::size_t>(more));
        EXPECT_THAT(sceneNames(sceneBlock({gzipOf(scene)})), IsEmpty()) << more;
    }
}

TEST(SceneNames, TablesLeadNowhereElse) {
    const ByteVector sound = sceneFile({{enemyOf(1, "One")}});
    for (const std::uint32_t words : {0U, 15U, 0x800U, 0x7FFFFFFFU, 0xFFFFFFFEU, 0xFFFFFFFFU}) {
        ByteVector file = sound;
        for (unsigned i = 0; i < 4; ++i)
            file[i] = static_cast<std::uint8_t>(words >> 8 * i);
        EXPECT_THAT(sceneNames(file), IsEmpty()) << words;
    }
    ByteVector twice = sound;
    twice[4] = 16;
    twice[5] = twice[6] = twice[7] = 0;  // the same offset again: the table ends here
    EXPECT_THAT(sceneNames(twice), ElementsAre(Pair(1, "One")));
}

TEST(SceneNames, EveryPrefixCanBeRead) {
    const ByteVector file = sceneFile({{enemyOf(1, "One")}});
    const std::size_t whole = 64 + 15 + kSceneSize + 8;
    for (std::size_t size = 0; size < file.size(); size += size + 1 < whole - 2 && size > 100 ? 97 : 1)
        EXPECT_EQ(sceneNames(core::Bytes(file).first(size)).size(), size < whole ? 0U : 1U) << size;
}

TEST(SceneNames, EndWithThe256thScene) {
    std::vector<std::array<Enemy, 3>> scenes(255);
    scenes.push_back({enemyOf(1, "Last")});
    scenes.push_back({enemyOf(2, "Beyond")});
    EXPECT_THAT(sceneNames(sceneFile(scenes)), ElementsAre(Pair(1, "Last")));
}

TEST(BattleCode, CountsInLetters) {
    EXPECT_EQ(battleCode(0), "aa");
    EXPECT_EQ(battleCode(19), "at");
    EXPECT_EQ(battleCode(26), "ba");
    EXPECT_EQ(battleCode(461), "rt");
    EXPECT_EQ(battleCode(675), "zz");
    EXPECT_EQ(battleCode(676), "");
}

}  // namespace
}  // namespace reanima::ff7
