#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/byte_writer.h"
#include "core/validate.h"
#include "formats/ff8/mesh.h"
#include "formats/ff8/monster.h"
#include "formats/ff8/textures.h"
#include "formats/registry.h"
#include "support/broken.h"
#include "support/bytes.h"

namespace reanima::ff8 {
namespace {

using core::ByteVector;
using core::LittleEndianReader;

// One object: three vertices of bone 0, two of bone 1; a triangle and a quad.
const ByteVector kMesh = {1,  0,    0, 0,    8,  0,    0,    0,  // 00 objects, offset
                          2,  0,                                 // 08 groups
                          0,  0,    3, 0,    1,  0,    2,    0,  3,    0, 4,  0, 5,  0, 6,  0,
                          7,  0,    8, 0,    9,  0,                                             // 0a bone 0
                          1,  0,    2, 0,    10, 0,    20,   0,  30,   0, 40, 0, 50, 0, 60, 0,  // 20 bone 1
                          1,  0,    1, 0,    0,  0,    0,    0,  0,    0, 0,  0,                // 30 faces, unused
                          0,  0x80, 1, 0,    2,  0,                                             // 3c triangle: corners
                          13, 14,   9, 10,   0,  0x38, 11,   12, 0xAA, 0,         // 42 uv of c, a, CLUT, b, page
                          0,  0x80, 1, 0,    3,  0,    4,    0,                   // 4c quad: corners
                          0,  0,    0, 0x38, 3,  0,    0xAA, 0,  0,    1, 3,  1,  // 54 uv a, CLUT, b, page, c, d
                          5,  0,    0, 0};                                        // 60 vertices

/// 4 x 2 texels of 8 bits at (640, 0), colours at (0, 224).
ByteVector texturesSection() {
    ByteVector section = {1, 0, 0, 0, 12, 0, 0, 0, 60, 0, 0, 0};
    section.insert(section.end(), {0x10, 0, 0, 0, 9, 0, 0, 0});
    section.insert(section.end(),
                   {16, 0, 0, 0, 0, 0, 224, 0, 2, 0, 1, 0, 0, 0, 0x1F, 0x80});  // a transparent texel, and red
    section.insert(section.end(), {20, 0, 0, 0, 0x80, 2, 0, 0, 2, 0, 2, 0, 1, 1, 1, 1, 1, 1, 1, 0});
    return section;
}

std::vector<Object> meshFrom(const ByteVector& section, core::Diagnostics& diagnostics) {
    return decodeMesh(LittleEndianReader(section), 2, diagnostics);
}

TEST(Mesh, IsReadRecordForRecord) {
    core::Diagnostics diagnostics;
    const std::vector<Object> objects = meshFrom(kMesh, diagnostics);
    ASSERT_EQ(objects.size(), 1U);
    ASSERT_EQ(objects[0].vertices.size(), 5U);
    EXPECT_EQ(objects[0].vertices[4].bone, 1);
    EXPECT_EQ(objects[0].vertices[4].place, (std::array<std::int16_t, 3>{40, 50, 60}));
    ASSERT_EQ(objects[0].faces.size(), 2U);
    const Face& triangle = objects[0].faces[0];
    EXPECT_EQ(triangle.vertices[0], 0);
    EXPECT_EQ(triangle.uv[0], (std::array<std::uint8_t, 2>{9, 10}));
    EXPECT_EQ(triangle.uv[1], (std::array<std::uint8_t, 2>{11, 12}));
    EXPECT_EQ(triangle.uv[2], (std::array<std::uint8_t, 2>{13, 14}));
    EXPECT_EQ(objects[0].faces[1].vertices, (std::array<std::uint16_t, 4>{0, 1, 3, 4}));
    EXPECT_EQ(objects[0].faces[1].uv[3], (std::array<std::uint8_t, 2>{3, 1}));
    EXPECT_EQ(diagnostics.warnings().size(), 0U);
}

TEST(MeshMessages, AreWhole) {
    using test::Broken;
    test::expectMessages(
        kMesh, meshFrom,
        {Broken{"ObjectsAbsurd", 0, {99}, {}, "object_count at 0x0: is 99, but there is room for only 24"},
         Broken{"ObjectOutside", 4, {200}, {}, "object_offsets[0] at 0x4: is 200, expected 8 to 100"},
         Broken{"BoneOutside", 0x20, {2}, {}, "warning: objects[0].groups[1].bone: is 2, expected below 2"},
         Broken{"VerticesCut",
                0x22,
                {99},
                {},
                "warning: objects[0].groups[1].vertices: needs 594 bytes, but only 64 are left"},
         Broken{"CornerOutside", 0x3E, {5}, {}, "warning: objects[0].triangles[0].vertices: is 5, expected below 5"}});
}

TEST(Mesh, OfTooManyFacesIsRefused) {
    constexpr std::size_t kObjects = 1001;  // equal objects, each of 1,000 vertices
    core::LittleEndianWriter section;
    section.write(static_cast<std::uint32_t>(kObjects));
    for (std::size_t i = 0; i < kObjects; ++i)
        section.write(static_cast<std::uint32_t>(4 + 4 * kObjects));
    section.write(ByteVector{1, 0, 0, 0, 0xE8, 3});
    section.write(ByteVector(6000 + 2 + 12));
    EXPECT_EQ(test::messageOf([&](core::Diagnostics& diagnostics) { (void)meshFrom(section.take(), diagnostics); }),
              "objects[1000].groups[0].vertex_count at 0xfac: are more than 1000000 in all objects together");
}

core::Asset loaded(const Monster& monster, test::Surroundings& s) {
    core::Diagnostics ignored;
    const Input input(File{"c0m999.dat", encodeMonster(monster, ignored)});
    return formatNamed("ff8-monster")->open(input, {}, s.context)->asset({}, s.diagnostics);
}

Monster twoBones() {
    Monster monster;
    monster.skeleton.modelScale = 4096;
    monster.skeleton.bones.resize(2);
    monster.skeleton.bones[1].parent = 0;
    monster.sections[kMeshSection] = kMesh;
    monster.sections[kTextureSection] = texturesSection();
    monster.sections[kValueSection] = {0x46, 0x6D, 0x69, 0x6D, 0x20, 0x22, 0xFF, 3, 0x50, 3, 0x51};
    return monster;
}

TEST(Body, ShowsWhatIsInTextureMemory) {
    test::Surroundings s;
    s.options.set("scale", 1);
    const core::Asset asset = loaded(twoBones(), s);
    EXPECT_EQ(core::validate(asset), std::vector<std::string>());
    ASSERT_EQ(asset.meshes.size(), 1U);
    EXPECT_EQ(asset.meshes[0].name, "c0m999_object0");
    ASSERT_EQ(asset.meshes[0].primitives.size(), 2U);  // the triangle is outside of the texture
    const core::Primitive& quad = asset.meshes[0].primitives[1];
    // Clockwise seen from its front, and Y is inverted: a c b, c d b.
    EXPECT_EQ(quad.positions[0], glm::vec3(1, -2, -3));
    EXPECT_EQ(quad.positions[1], glm::vec3(10, -20, -30));
    EXPECT_EQ(quad.positions[2], glm::vec3(4, -5, -6));
    EXPECT_EQ(quad.joints, (std::vector<std::uint32_t>{0, 1, 0, 1, 1, 0}));
    EXPECT_EQ(quad.textureCoordinates[4], glm::vec2(0.75F, 0.5F));
    ASSERT_EQ(asset.images.size(), 1U);
    EXPECT_EQ(asset.images[0].width, 4U);
    EXPECT_EQ(asset.images[0].rgba[0], 255);
    EXPECT_EQ(asset.images[0].rgba[31], 0);  // the transparent texel, which no face shows
    EXPECT_EQ(asset.materials[1].alphaMode, core::AlphaMode::opaque);
    EXPECT_EQ(s.warnings(),
              (std::vector<std::string>{
                  "warning: mesh: 1 faces show an area outside every texture and are drawn without a texture"}));
}

TEST(Body, GoesByTheNumberOfTheTextureWherePlacesAreOthers) {
    ByteVector section = texturesSection();
    section[40] = 0;  // the picture is at (512, 0)
    core::Diagnostics diagnostics;
    const Textures textures(LittleEndianReader(section), {}, diagnostics);
    const auto shown = textures.shownBy(meshFrom(kMesh, diagnostics)[0].faces[1]);
    ASSERT_TRUE(shown.has_value());
    EXPECT_EQ(shown->corners[3], (psx::PagePlace{3, 1}));
    EXPECT_EQ(textures.texel(shown->picture, 0, 0), 0x801F);
}

TEST(Body, IsNamedAsTheFileSays) {
    EXPECT_EQ(nameOf(twoBones()), "Boko 1?Griever?");
    EXPECT_EQ(nameOf({}), "");
}

TEST(BodyMessages, AreWhole) {
    const auto messageOf = [](const auto& edit) {
        Monster monster = twoBones();
        test::Surroundings s;
        edit(monster, s.options);
        try {
            (void)loaded(monster, s);
        } catch (const core::DecodeError& error) {
            return std::string(error.what());
        }
        return s.warnings().empty() ? std::string() : s.warnings().front();
    };
    EXPECT_EQ(messageOf([](Monster& monster, OptionValues&) {
                  monster.sections[kMeshSection] = {9, 0, 0, 0};
              }),
              "warning: object_count: is 9, but there is room for only 0");
    EXPECT_EQ(messageOf([](Monster& monster, OptionValues&) {
                  monster.sections[kTextureSection] = {9, 0, 0, 0};
              }),
              "warning: texture_count: is 9, but there is room for only 0");
    EXPECT_EQ(messageOf([](Monster& monster, OptionValues&) { monster.sections[kTextureSection][12] = 0x11; }),
              "warning: textures[0].mark: is 0x11, expected 0x10");
    EXPECT_EQ(messageOf([](Monster&, OptionValues& options) { options.set("hide-group", "1"); }),
              "contains no object 1: it has 1 objects, counted from 0");
    EXPECT_EQ(messageOf([](Monster&, OptionValues& options) { options.set("no-mesh", 1.0); }), "");
}

}  // namespace
}  // namespace reanima::ff8
