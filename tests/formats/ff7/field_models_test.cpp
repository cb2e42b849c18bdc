#include "formats/ff7/field_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/lzs.h"

namespace reanima::ff7 {
namespace {

using core::ByteVector;
using testing::ElementsAre;

// ---------------------------------------------------------------------------------------------------------------------
// Files

void put(ByteVector& bytes, std::uint32_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i)
        bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

void put(ByteVector& bytes, std::string_view text) { bytes.insert(bytes.end(), text.begin(), text.end()); }

void putName(ByteVector& bytes, std::string_view name) {
    put(bytes, static_cast<std::uint32_t>(name.size()), 2);
    put(bytes, name);
}

struct StoredModel {
    std::string name;
    std::string skeleton;
    std::vector<std::string> animations;
};

ByteVector modelSection(const std::vector<StoredModel>& models) {
    ByteVector bytes;
    put(bytes, 0, 2);
    put(bytes, static_cast<std::uint32_t>(models.size()), 2);
    put(bytes, 512, 2);
    for (const StoredModel& model : models) {
        putName(bytes, model.name);
        put(bytes, 1, 2);
        put(bytes, model.skeleton);
        put(bytes, "512\0");
        bytes.resize(bytes.size() + 1);
        put(bytes, static_cast<std::uint32_t>(model.animations.size()), 2);
        bytes.resize(bytes.size() + 30);
        for (const std::string& animation : model.animations) {
            putName(bytes, animation);
            put(bytes, 1, 2);
        }
    }
    return bytes;
}

/// An unpacked field of nine sections. Only the section of the models has content.
ByteVector unpackedField(const std::vector<StoredModel>& models) {
    const ByteVector section = modelSection(models);
    ByteVector bytes;
    put(bytes, 0, 2);
    put(bytes, 9, 4);
    for (std::uint32_t i = 0; i < 9; ++i)
        put(bytes, 42 + 4 * i + (i > 2 ? static_cast<std::uint32_t>(section.size()) : 0), 4);
    for (std::uint32_t i = 0; i < 9; ++i) {
        put(bytes, i == 2 ? static_cast<std::uint32_t>(section.size()) : 0, 4);
        if (i == 2)
            bytes.insert(bytes.end(), section.begin(), section.end());
    }
    return bytes;
}

/// Only literals.
ByteVector packed(const ByteVector& bytes) {
    ByteVector file;
    put(file, static_cast<std::uint32_t>(bytes.size() + (bytes.size() + 7) / 8), 4);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i % 8 == 0)
            file.push_back(0xFF);
        file.push_back(bytes[i]);
    }
    return file;
}

std::string unpackedText(const ByteVector& stream, std::uint64_t most = 1000) {
    const ByteVector bytes = unpackLzs(stream, most);
    return {bytes.begin(), bytes.end()};
}

// ---------------------------------------------------------------------------------------------------------------------
// LZS

TEST(Lzs, ReferencesArePlacesOfARing) {
    // The first byte is at FEE. `ab`, then three bytes from there: source and target overlap.
    EXPECT_EQ(unpackedText({0x03, 'a', 'b', 0xEE, 0xF0}), "ababa");
    // The longest reference: 18 bytes.
    EXPECT_EQ(unpackedText({0x01, 'a', 0xEE, 0xFF}), std::string(19, 'a'));
    // Before the start there are zeros. FED is the place before the first byte.
    EXPECT_EQ(unpackedText({0x01, 'a', 0xED, 0xF0}), std::string("a\0a\0", 4));
    // The position that is written next still has its old content, 0.
    EXPECT_EQ(unpackedText({0x01, 'a', 0xEF, 0xF0}), std::string("a\0\0\0", 4));
}

TEST(Lzs, ReferencesReachBack4096Bytes) {
    ByteVector stream;
    for (unsigned i = 0; i < 4096; ++i) {
        if (i % 8 == 0)
            stream.push_back(0xFF);
        stream.push_back(static_cast<std::uint8_t>(i == 0 ? 'x' : '.'));
    }
    stream.insert(stream.end(), {0x00, 0xEE, 0xF0});  // after a whole turn of the ring, FEE is the oldest byte
    EXPECT_EQ(unpackedText(stream, 10000).substr(4096), "x..");
}

TEST(Lzs, EndsWithItsInputAndAtTheMost) {
    EXPECT_EQ(unpackedText({}), "");
    EXPECT_EQ(unpackedText({0xFF}), "");
    EXPECT_EQ(unpackedText({0xFF, 'a', 'b'}), "ab");
    EXPECT_EQ(unpackedText({0x01, 'a', 0xEE}), "a");  // half of a reference
    EXPECT_EQ(unpackedText({0x01, 'a', 0xEE, 0xFF}, 7), "aaaaaaa");
    EXPECT_EQ(unpackedText({0xFF, 'a', 'b', 'c'}, 2), "ab");
}

// ---------------------------------------------------------------------------------------------------------------------
// Fields

const std::vector<StoredModel> kModels = {
    {"md1_1main_n_cloud.char", "AAAA.HRC", {"ACFE.yos", "AAFF.aki", "AAGA.anm", "BTCE.yos"}},
    {"md1_1door.char", "BBBB.HRC", {}},
};

TEST(FieldModels, AreThoseOfTheirSection) {
    const auto models = fieldModels(packed(unpackedField(kModels)));
    ASSERT_TRUE(models);
    EXPECT_THAT(*models,
                ElementsAre(FieldModel{"md1_1main_n_cloud.char", "aaaa.hrc", {"acfe.a", "aaff.a", "aaga.a", "btce.a"}},
                            FieldModel{"md1_1door.char", "bbbb.hrc", {}}));
}

TEST(FieldModels, NamesEndAtAZeroByteAndNeedNoDot) {
    const auto models =
        fieldModels(packed(unpackedField({{std::string("a\0b", 3), "AAAA.HRC", {std::string("ACFE\0.x", 7)}}})));
    ASSERT_TRUE(models);
    EXPECT_THAT(*models, ElementsAre(FieldModel{"a", "aaaa.hrc", {"acfe.a"}}));
}

TEST(FieldModels, OwnNames) {
    EXPECT_EQ(ownName("md1_1main_ballet.char", "md1_1"), "main_ballet");
    EXPECT_EQ(ownName("ANCNT1main_n_cloud.char", "ancnt1"), "main_n_cloud");
    EXPECT_EQ(ownName("other.char", "md1_1"), "other");
    EXPECT_EQ(ownName("md1_1", "md1_1"), "md1_1");
}

/// The file with one replaced byte, before packing.
std::optional<std::vector<FieldModel>> withByte(std::size_t at, std::uint8_t byte) {
    ByteVector field = unpackedField(kModels);
    field.at(at) = byte;
    return fieldModels(packed(field));
}

TEST(FieldModels, OtherFilesAndDamagedOnesHaveNone) {
    const ByteVector file = packed(unpackedField(kModels));
    EXPECT_FALSE(fieldModels({}));
    EXPECT_FALSE(fieldModels(unpackedField(kModels)));                    // not packed
    EXPECT_FALSE(fieldModels(core::Bytes(file).first(file.size() - 1)));  // the size differs
    EXPECT_FALSE(withByte(0, 1));
    EXPECT_FALSE(withByte(2, 8));           // sections
    EXPECT_FALSE(withByte(6 + 4 * 2, 10));  // the models begin inside the header
    EXPECT_FALSE(withByte(6 + 4 * 3, 0));   // and end before they begin
    constexpr std::size_t kSection = 42 + 4 * 2;
    EXPECT_FALSE(withByte(kSection + 1, 0xFF));       // the section is shorter than stated
    EXPECT_FALSE(withByte(kSection + 4 + 2, 65));     // models
    EXPECT_FALSE(withByte(kSection + 4 + 6 + 1, 1));  // the first name is longer than the section
    const std::size_t animations = kSection + 4 + 6 + 2 + kModels[0].name.size() + 2 + 8 + 4;
    EXPECT_FALSE(withByte(animations + 1, 4));  // 1028 animations
}

TEST(FieldModels, OfEveryCutFileAreReadOrNot) {
    const ByteVector field = unpackedField(kModels);
    const std::size_t end = 42 + 4 * 3 + modelSection(kModels).size();
    for (std::size_t size = 0; size <= field.size(); ++size) {
        const ByteVector cut(field.begin(), field.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_EQ(fieldModels(packed(cut)).has_value(), size >= end) << size;
    }
}

TEST(FieldModels, OfEveryChangedStreamAreBounded) {
    const ByteVector file = packed(unpackedField(kModels));
    for (std::size_t i = 4; i < file.size(); ++i)
        for (const std::uint8_t byte : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{0x7F}, std::uint8_t{0xFF}}) {
            ByteVector changed = file;
            changed[i] = byte;
            const auto models = fieldModels(changed);
            EXPECT_TRUE(!models || models->size() <= 64);
        }
}

// ---------------------------------------------------------------------------------------------------------------------
// All fields together

EachEntry each(const std::vector<std::pair<std::string, ByteVector>>& entries) {
    return [entries](const auto& use) {
        for (const auto& [name, bytes] : entries)
            use(name, bytes);
    };
}

TEST(FieldLinks, AreOrderedByRoleAndUses) {
    const EachEntry entries = each({
        {"one", packed(unpackedField({{"onehero.char", "AAAA.HRC", {"SSSA.x", "WWWA.x", "RRRA.x", "ZZZA.x"}},
                                      {"onehero.char", "AAAA.HRC", {"SSSB.x"}}}))},
        {"maplist", {1, 2, 3}},
        {"two", packed(unpackedField({{"twohero.char", "AAAA.HRC", {"SSSB.x", "WWWA.x", "RRRB.x", "AAAZ.x", "ZZZA.x"}},
                                      {"twodoor.char", "BBBB.HRC", {}}}))},
        {"six", packed(unpackedField({{"sixboy.char", "AAAA.HRC", {"SSSB.x"}}}))},
    });
    const AnimationLinks links = readFieldLinks(entries, {});
    ASSERT_EQ(links.size(), 2U);
    EXPECT_TRUE(links.at("bbbb.hrc").animations.empty());
    EXPECT_EQ(links.at("bbbb.hrc").name, "door");
    const LinkedAnimations& hero = links.at("aaaa.hrc");
    EXPECT_EQ(hero.name, "hero");
    std::vector<std::string> told;
    for (const LinkedAnimation& a : hero.animations)
        told.push_back(a.file + " " + a.name + " " + std::to_string(a.uses));
    // The most used animation of each role comes first, then further stand, walk and run animations, then the others,
    // sorted by use and name.
    EXPECT_THAT(told, ElementsAre("sssb.a stand 3", "wwwa.a walk 2", "rrra.a run 1", "sssa.a  1", "rrrb.a  1",
                                  "zzza.a  2", "aaaz.a  1"));
    EXPECT_THAT(hero.animations[0].places, ElementsAre("one", "two", "six"));
    EXPECT_THAT(hero.animations[1].places, ElementsAre("one", "two"));
}

TEST(FieldLinks, AreWithinTheLimits) {
    core::Limits limits;
    limits.memory = 1000;
    const EachEntry entries = each({{"one", packed(unpackedField(kModels))}});
    try {
        (void)readFieldLinks(entries, limits);
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_STREQ(
            error.what(),
            "animations of fields: would need 1 MiB of memory, but the limit is 0 (see option limit-memory=MIB)");
    }
}

}  // namespace
}  // namespace reanima::ff7
