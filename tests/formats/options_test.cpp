#include "formats/options.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "core/memory.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/merge.h"
#include "support/bytes.h"
#include "support/doll.h"

namespace reanima {
namespace {

using Type = OptionInfo::Type;

constexpr std::array<std::string_view, 2> kWords = {"yes", "no"};
constexpr OptionInfo kNumber{"n", Type::number, "", "", 0.5, 100};
constexpr OptionInfo kCount{"n", Type::count, "", "", 1, 100};
constexpr OptionInfo kCounts{"some", Type::counts, "", "", 0, 9};
constexpr OptionInfo kColor{"n", Type::color, "", "", 0, 0x7FFF};
constexpr OptionInfo kFlag{"n", Type::flag, "", "", 0, 1};
constexpr OptionInfo kWord{"n", Type::text, "", "", 0, 0, kWords};

template <typename Said>
double numberOf(const OptionInfo& option, Said said) {
    OptionValues values;
    EXPECT_EQ(setOption(values, option, said), std::nullopt) << said;
    return values.number("n").value_or(std::nan(""));
}

template <typename Said>
std::string problemOf(const OptionInfo& option, Said said) {
    OptionValues values;
    std::string problem = setOption(values, option, said).value_or("none");
    EXPECT_FALSE(values.has("n"));
    return problem;
}

TEST(Counts, AreCollected) {
    OptionValues values;
    EXPECT_EQ(values.counts("some"), std::set<std::uint32_t>());
    EXPECT_EQ(setOption(values, kCounts, "7"), std::nullopt);
    EXPECT_EQ(setOption(values, kCounts, "2,0"), std::nullopt);
    EXPECT_EQ(setOption(values, kCounts, 7.0), std::nullopt);
    EXPECT_EQ(values.counts("some"), (std::set<std::uint32_t>{0, 2, 7}));
    EXPECT_EQ(setOption(values, kCounts, "1,,3"),
              "is \"1,,3\", expected whole numbers from 0 to 9, with commas between them");
    EXPECT_EQ(setOption(values, kCounts, "10"),
              "is \"10\", expected whole numbers from 0 to 9, with commas between them");
    EXPECT_EQ(values.counts("some").size(), 3U);
}

TEST(Options, AreSetFromTextsAndNumbers) {
    EXPECT_EQ(numberOf(kNumber, "29.97"), 29.97);
    EXPECT_EQ(numberOf(kNumber, 0.5), 0.5);
    EXPECT_EQ(numberOf(kCount, "1e1"), 10);
    EXPECT_EQ(numberOf(kColor, "7c1F"), 0x7C1F);
    EXPECT_EQ(numberOf(kColor, 0x7C1F), 0x7C1F);
    EXPECT_EQ(numberOf(kFlag, "1"), 1);
    EXPECT_EQ(numberOf(kFlag, 0.0), 0);
    OptionValues values;
    EXPECT_EQ(setOption(values, kWord, "no"), std::nullopt);
    EXPECT_EQ(values.text("n"), "no");
}

TEST(Options, WhatIsWrongIsTold) {
    const std::string number = ", expected a number from 0.5 to 100";
    for (const char* text : {"", "1,5", "2x", "0x10", "0.4", "101", "nan", "inf", "1e999", "-1", " 1"})
        EXPECT_EQ(problemOf(kNumber, text), "is " + std::string(text) + number);
    EXPECT_EQ(problemOf(kNumber, 0.25), "is 0.25" + number);
    EXPECT_EQ(problemOf(kNumber, std::nan("")), "is nan" + number);
    EXPECT_EQ(problemOf(kCount, 2.5), "is 2.5, expected a whole number from 1 to 100");
    EXPECT_EQ(problemOf(kCount, "2.5"), "is 2.5, expected a whole number from 1 to 100");
    EXPECT_EQ(problemOf(kColor, "8000"), "is 8000, expected hexadecimal digits up to 7FFF");
    EXPECT_EQ(problemOf(kColor, "xyz"), "is xyz, expected hexadecimal digits up to 7FFF");
    EXPECT_EQ(problemOf(kFlag, "on"), "is on, expected 1 or 0");
    EXPECT_EQ(problemOf(kWord, "maybe"), "is \"maybe\", expected yes, no");
    EXPECT_EQ(problemOf(kWord, 1.0), "is \"1\", expected yes, no");
}

TEST(Options, ThatAreWrongAreRefusedBeforeAnythingIsRead) {
    const auto problemWith = [](const char* file, const char* key, const auto& value) {
        test::Surroundings s;
        s.options.set(key, value);
        try {
            (void)load(test::inputFrom(test::sourceFolder() / file), {}, s.context);
            return std::string("none");
        } catch (const core::DecodeError& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(problemWith("samples/ff7/hrda", "rate", 0.0),
              "hrda: option rate: is 0, expected a number from 0.001 to 1000");
    EXPECT_EQ(problemWith("samples/ff7/hrda", "subdivide", 1e-7),
              "hrda: option subdivide: is 1e-07, expected a number from 1 to 180");
    EXPECT_EQ(problemWith("samples/rlf/wheel.rlf", "color-key", std::string("nothing")),
              "wheel.rlf: option color-key: is nothing, expected hexadecimal digits up to 7FFF");
    EXPECT_EQ(problemWith("samples/rlf/wheel.rlf", "rate", std::string("24")), "none");
}

TEST(Load, TextsCountAsTheNumbersThatTheyAre) {
    test::Surroundings s;
    s.options.set("rate", std::string("30"));
    const core::Asset asset = load(test::inputFrom(test::sourceFolder() / "samples/ff7/hrda"), {}, s.context);
    EXPECT_EQ(asset.clips.front().rate, 30);
}

std::string problemOfLoading(const Format& format) {
    test::Surroundings s;
    const Input input(File{"part", {1}}, {}, &format);
    try {
        (void)loadWithRest(input, {}, s.context);
        return "none";
    } catch (const core::DecodeError& error) {
        return error.what();
    }
}

/// The content of a file of the format below.
core::Asset made;

class OpenedToy : public Opened {
  public:
    using Opened::Opened;
    core::Asset asset(const std::string&, core::Diagnostics&) override { return made; }
};

Format meshFormat() {
    Format format{};
    format.id = "toy-mesh";
    format.label = "toy meshes";
    format.kind = Kind::mesh;
    format.needs = [](const File&) { return std::vector<Need>(); };
    format.open = openAs<OpenedToy>;
    return format;
}

TEST(Load, PartsOfCharactersHaveTrianglesOrAreRefused) {
    made = {};
    Format mesh = meshFormat();
    EXPECT_EQ(problemOfLoading(mesh), "part: contains no triangle");
    made = test::plate();
    EXPECT_EQ(problemOfLoading(mesh), "none");
    made.meshes[0].primitives[0].indices.clear();
    EXPECT_EQ(problemOfLoading(mesh), "part: contains no triangle");
    mesh.traits.isConverted = false;
    EXPECT_EQ(problemOfLoading(mesh), "part: is toy meshes, which can only be converted with a model");
}

TEST(Load, MakesVerticesShared) {
    made = test::plate();
    core::Primitive& quad = made.meshes[0].primitives[0];
    const auto apart = [&quad](auto& list) {
        const auto before = std::exchange(list, {});
        for (const std::uint32_t index : quad.indices)
            list.push_back(before[index]);
    };
    apart(quad.positions);
    apart(quad.normals);
    apart(quad.textureCoordinates);
    apart(quad.colors);
    quad.indices = {0, 1, 2, 3, 4, 5};
    made.meshes.emplace_back().name = "nothing";
    const Format mesh = meshFormat();
    test::Surroundings s;
    const core::Asset loaded = load(Input(File{"part", {1}}, {}, &mesh), {}, s.context);
    ASSERT_EQ(loaded.meshes.size(), 1U);
    EXPECT_EQ(loaded.meshes[0].primitives[0].indices, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
    EXPECT_EQ(loaded.meshes[0].primitives[0].positions.size(), 4U);
}

TEST(Merge, OfNothingIsNothing) {
    const core::Limits limits;
    EXPECT_TRUE(merge({}, limits).clips.empty());
    test::Surroundings s;
    std::vector<core::Asset> assets(2);
    assets[1] = load(test::inputFrom(test::sourceFolder() / "samples/ff7/hrda"), {}, s.context);
    EXPECT_EQ(merge(assets, limits).clips.size(), 4U);
}

TEST(Merge, ChannelsOfAllClipsTogetherAreBounded) {
    test::Surroundings s;
    core::Limits limits;
    core::Asset asset = load(test::inputFrom(test::sourceFolder() / "samples/ff7/hrda"), {}, s.context);
    asset.meshes = {};  // they are stored once
    asset.materials = {};
    asset.images = {};
    asset.character = {};
    limits.memory = core::memoryOf(asset) * 2;
    EXPECT_NO_THROW((void)merge({asset}, limits));
    try {
        (void)merge({asset, asset, asset}, limits);
        FAIL() << "merged";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_EQ(error.field(), "12 clips of 22 joints");
    }
}

TEST(Merge, TheFirstAssetWithMeshesDressesAll) {
    core::Asset bare = test::doll();
    bare.meshes.clear();
    bare.materials.clear();
    bare.images.clear();
    std::swap(bare.skeleton->joints[0], bare.skeleton->joints[2]);  // weapon000 first
    bare.skeleton->joints[1].parent = 2;
    std::swap(bare.skeleton->joints[1], bare.skeleton->joints[2]);
    bare.skeleton->joints[2].parent = 1;
    bare.clips[0].name = "bare";
    core::Asset other = test::doll();
    other.meshes.pop_back();
    const core::Asset merged = merge({bare, test::doll(), other}, {});
    EXPECT_EQ(merged.clips.size(), 3U);
    ASSERT_EQ(merged.meshes.size(), 2U);
    EXPECT_EQ(merged.materials.size(), 2U);
    EXPECT_EQ(merged.images.size(), 1U);
    EXPECT_EQ(merged.character.size(), 1U);
    EXPECT_EQ(merged.meshes[0].primitives[0].joints[0], 1U);  // the root
    EXPECT_EQ(merged.meshes[0].primitives[1].joints[0], 2U);  // the arm
    EXPECT_EQ(merged.meshes[1].primitives[0].joints[0], 0U);  // the weapon
}

TEST(Merge, WhatHasNoJointsStaysAlone) {
    EXPECT_EQ(merge({test::plate()}, {}).meshes.size(), 1U);
    try {
        (void)merge({test::doll(), test::plate()}, {});
        FAIL() << "merged";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), "plate has no joints. Write it to a separate output");
    }
}

}  // namespace
}  // namespace reanima
