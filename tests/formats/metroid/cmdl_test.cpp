#include "formats/metroid/model/cmdl.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/metroid/model/cmdl_json.h"
#include "formats/metroid/model/display_list.h"
#include "support/broken.h"
#include "support/bytes.h"

namespace reanima::metroid {
namespace {

using core::ByteVector;

/// A triangle with texture coordinates, and one material with a texture and an animation.
Cmdl oneTriangle() {
    Cmdl model;
    MaterialSet& set = model.sets.emplace_back();
    set.textures = {0x11223344};
    CmdlMaterial& material = set.materials.emplace_back();
    material.textures = {0};
    material.vertexWord = 0x303;  // indices of two bytes, for positions and for coordinates 0
    material.source = 1;
    material.stages.resize(1);
    material.generators = {1 | 4 << 4 | 30 << 9 | 61 << 15};
    material.animations.resize(1);
    model.positions = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    model.uv = {{0, 0}, {1, 0}, {0, 1}};
    CmdlSurface& surface = model.surfaces.emplace_back();
    surface.sizeWord = 0x80000020;
    surface.calls = {{0x90, 3, 0}};
    surface.numbers = {0, 0, 1, 1, 2, 2};
    return model;
}

ByteVector fileOf(Cmdl model) {
    core::Diagnostics sizes;  // refers to the following ones
    core::Diagnostics none;
    const ByteVector file = encodeCmdl(model, sizes);
    return encodeCmdl(decodeCmdl(file, none), none);
}

const ByteVector& sound() {
    static const ByteVector kFile = fileOf(oneTriangle());
    return kFile;
}

ByteVector encodeQuietly(const Cmdl& model) {
    core::Diagnostics none;
    ByteVector file = encodeCmdl(model, none);
    EXPECT_TRUE(none.warnings().empty());
    return file;
}

// Offsets in that file.
constexpr std::size_t kSizes = 0x2C;
constexpr std::size_t kSet = 0x60;
constexpr std::size_t kMaterial = 0x70;
constexpr std::size_t kPositions = 0xC0;
constexpr std::size_t kTable = 0x120;
constexpr std::size_t kSurface = 0x140;
constexpr std::size_t kList = 0x180;

TEST(Cmdl, IsWrittenAsThePageSays) {
    const ByteVector& file = sound();
    ASSERT_EQ(file.size(), 0x1A0U);
    EXPECT_EQ(file[kSizes + 3], 96) << "the material set";
    EXPECT_EQ(file[kSet + 4], 0x11);
    EXPECT_EQ(file[kSet + 15], 76) << "the material's end";
    EXPECT_EQ(file[kMaterial + 15], 3) << "the vertex word's end";
    EXPECT_EQ(file[kPositions + 12], 0x3F);
    EXPECT_EQ(file[kTable + 7], 96) << "the surface's end";
    EXPECT_EQ(file[kSurface + 0x10], 0x80);
    EXPECT_EQ(file[kList], 0x90);
    EXPECT_EQ(file[kList + 2], 3);
    core::Diagnostics none;
    const Cmdl model = decodeCmdl(file, none);
    EXPECT_TRUE(none.warnings().empty());
    EXPECT_EQ(model.positions.size(), 5U) << "64 bytes, of which 4 are too few";
    EXPECT_EQ(model.surfaces.at(0).numbers, oneTriangle().surfaces.at(0).numbers);
    EXPECT_TRUE(isCmdl(file));
    EXPECT_FALSE(isCmdl({}));
}

TEST(Cmdl, EveryPartOfAMaterialComesBack) {
    Cmdl model = oneTriangle();
    model.game = Game::echoes;
    model.flags = kSkinnedModel | kShortNormals | kShortUvSection;
    model.shortUv = {{1, 2}, {3, 4}, {0xFFFF, 0x8000}};
    model.shortNormals = {{16384, 0, -16384}};
    model.colors = {{1, 2, 3, 4}};
    CmdlMaterial& material = model.sets[0].materials[0];
    material.flags = kHasKonst | kIndirect | kShortUv;
    material.konst = {{9, 8, 7, 6}};
    material.indirect = 5;
    material.unknown = {1, 2};
    material.channels = {3};
    material.animations = {{2, {1, 2, 3, 4}}, {7, {5, 6}}};
    model.surfaces[0].calls[0].opcode = 0x92;
    model.surfaces[0].bank = -2;
    model.surfaces[0].group = 3;
    model.surfaces[0].extra = {1, 2, 3};
    model.sets.push_back(model.sets[0]);
    core::Diagnostics none;
    const Cmdl back = decodeCmdl(fileOf(model), none);
    EXPECT_TRUE(none.warnings().empty());
    EXPECT_EQ(back.game, Game::echoes);
    const CmdlMaterial& same = back.sets.at(1).materials.at(0);
    EXPECT_EQ(same.konst, material.konst);
    EXPECT_EQ(same.indirect, 5U);
    EXPECT_EQ(same.unknown, material.unknown);
    EXPECT_EQ(same.channels, material.channels);
    EXPECT_EQ(same.animations.at(1).values, (std::vector<float>{5, 6}));
    EXPECT_EQ(back.surfaces.at(0).bank, -2);
    EXPECT_EQ(back.surfaces.at(0).extra, (ByteVector{1, 2, 3}));
    EXPECT_EQ(back.shortUv.at(2), (std::array<std::uint16_t, 2>{0xFFFF, 0x8000}));
    EXPECT_EQ(back.shortNormals.at(0), (std::array<std::int16_t, 3>{16384, 0, -16384}));
}

TEST(Cmdl, RefusesWhatIsNoModelOfTheseGames) {
    test::expectMessages(
        sound(), decodeCmdl, encodeQuietly,
        {{"sound", 0, {}, {}, ""},
         {"magic", 3, {0}, {}, "magic at 0x0: is 0xdeadba00, expected 0xdeadbabe"},
         {"donkey",
          0,
          {0x93, 0x81, 0, 0x0A},
          {},
          "magic at 0x0: is a model of Donkey Kong Country Returns, which is not supported"},
         {"later",
          0,
          {'R', 'F', 'R', 'M'},
          {},
          "magic at 0x0: is 'RFRM', a model of Metroid Prime Remastered or a later game, which is not supported"},
         {"corruption",
          7,
          {5},
          {},
          "version at 0x4: is 5, a model of Metroid Prime 3: Corruption, which is not supported"},
         {"version", 7, {3}, {}, "version at 0x4: is 3, expected 2 (Prime) or 4 (Echoes)"},
         {"box", 12, {0x7F, 0x80}, {}, "box at 0xc: is inf, expected a number of at most 1e18"},
         {"sections",
          0x24,
          {0xFF, 0xFF, 0xFF, 0xFF},
          {},
          "section_count at 0x24: is 4294967295, but the file has room for only 93"},
         {"no sets", 0x2B, {0}, {}, "material_sets at 0x28: is 0, expected 1 to 2 of 7 sections"},
         {"many sets",
          0x28,
          {0xFF, 0xFF, 0xFF, 0xFF},
          {},
          "material_sets at 0x28: is 4294967295, expected 1 to 2 of 7 sections"},
         {"section outside", kSizes, {1}, {}, "section_sizes[0] at 0x2c: is 16777312, but only 320 bytes are left"},
         {"cut", 0, {}, 0x120, "section_sizes[5] at 0x40: is 32, but only 0 bytes are left"},
         {"surfaces", kTable + 3, {2}, {}, "surface_count at 0x120: is 2, but 1 sections are left"},
         {"ends",
          kTable + 7,
          {1},
          {},
          "warning: surface_ends: are not the sums of the surfaces' sizes; the sizes are used"}});
}

TEST(Cmdl, RefusesMaterialsThatDoNotFit) {
    test::expectMessages(
        sound(), decodeCmdl, encodeQuietly,
        {{"textures",
          kSet,
          {0xFF, 0xFF, 0xFF, 0xFF},
          {},
          "material_sets[0].texture_count at 0x60: is 4294967295, but the file has room for only 23"},
         {"end", kSet + 15, {75}, {}, "material_sets[0].material_ends[0] at 0x6c: is 75, but the material ends at 76"},
         {"texture",
          kMaterial + 11,
          {1},
          {},
          "material_sets[0].materials[0].textures[0] at 0x78: is 1, but the set has only 1 textures"},
         {"animation size",
          kMaterial + 0x43,
          {9},
          {},
          "material_sets[0].materials[0].animation_size at 0xb0: is 9, but the animations need 8 bytes"},
         {"animation type",
          kMaterial + 0x4B,
          {8},
          {},
          "material_sets[0].materials[0].animations[0].type at 0xb8: is 8, expected 0 to 7"}});
    Cmdl model = oneTriangle();
    model.sets.push_back(model.sets[0]);
    model.sets[1].materials.emplace_back();
    const auto messageOf = [&] {
        core::Diagnostics none;
        return test::messageOf([&, file = encodeCmdl(model, none)](core::Diagnostics& diagnostics) {
            (void)decodeCmdl(file, diagnostics);
        });
    };
    EXPECT_EQ(messageOf(), "material_sets[1] at 0xc0: has 2 materials, but the first set has 1");
    model.sets[1] = model.sets[0];
    model.sets[1].materials[0].vertexWord = 0xF;
    EXPECT_EQ(messageOf(), "material_sets[1] at 0xc0: differs from the first set in the vertex word of material 0");
}

TEST(Cmdl, RefusesSurfacesThatDoNotFit) {
    test::expectMessages(
        sound(), decodeCmdl, encodeQuietly,
        {{"material", kSurface + 15, {1}, {}, "surfaces[0].material at 0x14c: is 1, but there are only 1 materials"},
         {"size",
          kSurface + 0x13,
          {16},
          {},
          "warning: surfaces[0].display_list_size: is 16, but the section has 32 bytes; all of them are read"},
         {"extra",
          kSurface + 0x1C,
          {1},
          {},
          "surfaces[0].extra_size at 0x15c: is 16777216, but the file has room for only 64"},
         {"direct",
          kMaterial + 15,
          {1},
          {},
          "surfaces[0].primitives at 0x180: its material's vertex word 0x301 has a direct attribute, which is not "
          "supported"},
         {"no positions",
          kMaterial + 15,
          {0},
          {},
          "surfaces[0].primitives at 0x180: its material's vertex word 0x300 has no positions"},
         {"opcode",
          kList,
          {0x88},
          {},
          "surfaces[0].primitives[0].opcode at 0x180: is 0x88, which is not a command of a display list"},
         {"vertices",
          kList + 1,
          {1},
          {},
          "surfaces[0].primitives[0].vertex_count at 0x181: is 259, but the section has room for only 7"},
         {"position",
          kList + 4,
          {5},
          {},
          "surfaces[0].primitives[0].vertices at 0x183: is 5, but there are only 5 positions"},
         {"uv", kList + 6, {4}, {}, "surfaces[0].primitives[0].vertices at 0x185: is 4, but there are only 4 uv"},
         {"format",
          kList,
          {0x92},
          {},
          "warning: surfaces[0].primitives[0].opcode: the opcodes of 1 commands and the material's flags disagree "
          "about the position of texture coordinates; the flags are used"},
         {"rest", 0x19F, {7}, {}, ""},
         {"gap", 0x17F, {7}, {}, ""}});
    ByteVector file = sound();
    file.insert(file.end(), 3, 5);
    test::expectMessages(file, decodeCmdl, encodeQuietly,
                         {{"trailing", 0, {}, {}, "warning: trailing: 3 bytes follow the last section"}});
    Cmdl model = oneTriangle();
    core::Diagnostics sizes;
    model = decodeCmdl(encodeCmdl(model, sizes), sizes);
    model.sectionSizes[6] += 2;
    model.surfaces[0].sizeWord += 2;
    EXPECT_EQ(test::messageOf([file = encodeCmdl(model, sizes)](core::Diagnostics& diagnostics) {
                  (void)decodeCmdl(file, diagnostics);
              }),
              "warning: section_sizes[6]: is 98, expected a multiple of 32");
}

TEST(Cmdl, DrawsTriangles) {
    using Triangles = std::vector<std::array<std::uint32_t, 3>>;
    EXPECT_EQ(trianglesOf({0x80, 5, 0}), (Triangles{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(trianglesOf({0x91, 4, 0}), (Triangles{{0, 1, 2}}));
    EXPECT_EQ(trianglesOf({0x98, 5, 0}), (Triangles{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}}));
    EXPECT_EQ(trianglesOf({0xA0, 4, 0}), (Triangles{{0, 1, 2}, {0, 2, 3}}));
    for (const std::uint8_t opcode : std::array<std::uint8_t, 3>{0xA8, 0xB0, 0xB8})
        EXPECT_EQ(trianglesOf({opcode, 9, 0}), Triangles());
    EXPECT_EQ(trianglesOf({0xA0, 0, 0}), Triangles());
}

struct CmdlJson : testing::Test {
    core::Diagnostics none;
    Json json = toJson(decodeCmdl(sound(), none), {}, none);

    test::Encoded encode() const {
        return test::encodedBy([&](core::Diagnostics& diagnostics) {
            return encodeCmdl(cmdlFromJson(JsonReader(json), {}, diagnostics), diagnostics);
        });
    }
    std::string message() const {
        return test::messageOf([&](core::Diagnostics& diagnostics) {
            (void)encodeCmdl(cmdlFromJson(JsonReader(json), {}, diagnostics), diagnostics);
        });
    }
};

TEST_F(CmdlJson, GivesTheFileBack) {
    EXPECT_EQ(encode().bytes, sound());
    EXPECT_EQ(message(), "");
    json["game"] = "mp2";
    EXPECT_EQ(message(), "note: game: is \"mp2\"; \"mp1\" is written instead, calculated from the other values");
}

TEST_F(CmdlJson, RewritesSizesThatAreTooSmall) {
    for (int i = 0; i < 8; ++i)
        json["positions"].push_back({i, 0, 0});
    const test::Encoded more = encode();
    EXPECT_EQ(
        more.messages,
        std::vector<std::string>{
            "warning: section_sizes[1]: is too small for the section of 160 bytes; sizes and ends are rewritten"});
    EXPECT_EQ(decodeCmdl(more.bytes, none).positions.size(), 13U);
    json["surfaces"].push_back(json["surfaces"][0]);
    const test::Encoded two = encode();
    EXPECT_EQ(decodeCmdl(two.bytes, none).surfaces.size(), 2U);
    json["surfaces"] = Json::array();
    json["positions"].erase(json["positions"].begin() + 5, json["positions"].end());
    EXPECT_EQ(message(), "warning: section_sizes: are 7, but the model has 6 sections");
}

TEST_F(CmdlJson, SaysWhatIsWrong) {
    const Json whole = json;
    const auto messageWith = [&](const char* pointer, const Json& value) {
        json = whole;
        json[Json::json_pointer(pointer)] = value;
        return message();
    };
    EXPECT_EQ(messageWith("/version", 3), "version: is 3, expected 2 (Prime) or 4 (Echoes)");
    EXPECT_EQ(messageWith("/material_sets", Json::array()), "material_sets: is a list, expected at least one set");
    EXPECT_EQ(messageWith("/material_sets/0/materials/0/konst", {{1, 2, 3, 4}}),
              "material_sets[0].materials[0].konst: is a list, expected null, because flag 0x8 is not set");
    EXPECT_EQ(messageWith("/surfaces/0/primitives/0/opcode", 1),
              "surfaces[0].primitives[0].opcode: is 1, expected a command of a display list");
    EXPECT_EQ(messageWith("/surfaces/0/primitives/0/vertices", Json::array_t(65536, Json::array({0, 0}))),
              "surfaces[0].primitives[0].vertices: is a list, expected at most 65535 vertices");
    EXPECT_EQ(messageWith("/surfaces/0/primitives/0/vertices/0/0", 5),
              "surfaces[0].primitives[0].vertices[0][0]: is 5, expected a whole number from 0 to 4");
    Json sets = {whole["material_sets"][0], whole["material_sets"][0]};
    sets[1]["materials"] = Json::array();
    EXPECT_EQ(messageWith("/material_sets", sets),
              "material_sets[1].materials: is a list, expected 1 materials, as the first set has");
    sets[1] = sets[0];
    sets[1]["materials"][0]["vertex_word"] = 15;
    EXPECT_EQ(messageWith("/material_sets", sets),
              "material_sets[1].materials[0].vertex_word: is 15, expected 771, as in the first set");
    EXPECT_EQ(messageWith("/section_sizes/0", 4294967295U),
              "section_sizes: would need 8193 MiB of memory, but the limit is 1024 (see option limit-memory=MIB)");
}

}  // namespace
}  // namespace reanima::metroid
