#include "formats/ff9/mesh.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/byte_writer.h"
#include "formats/ff9/mesh_json.h"
#include "formats/ff9/model.h"
#include "formats/ff9/native_json.h"
#include "support/broken.h"
#include "support/bytes.h"

namespace reanima::ff9 {
namespace {

using core::ByteVector;
using core::LittleEndianReader;

// Two bones and one group: a textured quad and a smooth triangle, word for word.
const ByteVector kMesh = {
    0,    0,   2,   1, 0x44, 0,    0,   0,  // 00 loaded, bones, groups, size 0x28 + 0x1C, neck_bone, unknown_07
    0,    0,   0,   0, 0x14, 0,    0,   0,   0x1C, 0,    0, 0,  // 08 height, radius, bone_table, mesh_groups
    0,    0,   0,   0, 100,  0,    0,   0,                      // 14 bones
    0x44, 0,   1,   0, 0,    0,    0,   0,   0,    0,           // 1c packet_bytes, one ft4
    0,    0,   1,   0, 0,    0,    0,   0,   7,    0xFE,        // 26 one g3, unknown_12, depth -2
    0x44, 0,   0,   0, 0x48, 0,    0,   0,                      // 30 vertex_counts, vertices
    0x68, 0,   0,   0, 0x94, 0,    0,   0,                      // 38 faces, uv
    0x9C, 0,   0,   0,                                          // 40 colors
    1,    0,   3,   0,                                          // 44 one vertex of bone 0, three of bone 1
    1,    0,   2,   0, 0xFD, 0xFF, 0,   200,                    // 48 (1, 2, -3)
    10,   0,   0,   0, 0,    0,    1,   1,                      // 50
    0,    0,   10,  0, 0,    0,    1,   2,                      // 58
    0,    0,   0,   0, 10,   0,    1,   3,                      // 60
    0,    0,   1,   0, 2,    0,    3,   0,                      // 68 ft4: vertices
    3,    0,   2,   0, 1,    0,    0,   0,                      // 70 uv
    128,  127, 126, 5, 239,  0x43, 0,   9,    // 78 rgb, material, direction, flags, a byte without a name
    3,    0,   2,   0, 1,    0,    0,   0,    // 80 g3: vertices
    1,    0,   0,   0, 1,    0,    0,   0,    // 88 colors
    0,    0,   0,   2,                        // 90 flags
    0,    0,   64,  0, 0,    64,   255, 254,  // 94 uv
    1,    2,   3,   0, 255,  254,  253, 9};   // 9c colors

Model decodedMesh(const ByteVector& file) {
    core::Diagnostics diagnostics;
    return decodeModel(LittleEndianReader(file), {}, diagnostics);
}

TEST(Mesh, IsReadWordForWord) {
    const Model model = decodedMesh(kMesh);
    ASSERT_EQ(model.groups.size(), 1U);
    const Group& group = model.groups.front();
    EXPECT_FALSE(group.damaged);
    EXPECT_EQ(group.packetBytes, 0x44);
    EXPECT_EQ(group.unknown12, 7);
    EXPECT_EQ(group.depth, -2);
    EXPECT_EQ(group.vertexCounts, (std::vector<std::uint16_t>{1, 3}));
    EXPECT_EQ(bonesByCounts(group), (std::vector<std::uint8_t>{0, 1, 1, 1}));
    ASSERT_EQ(group.vertices.size(), 4U);
    EXPECT_EQ(group.vertices[0].z, -3);
    EXPECT_EQ(group.vertices[0].direction, 200);
    EXPECT_EQ(group.vertices[3].bone, 1);
    ASSERT_EQ(group.faces.size(), 2U);
    const Face& quad = group.faces[0];
    EXPECT_EQ(quad.kind, FaceKind::ft4);
    EXPECT_EQ(quad.vertices, (std::array<std::uint16_t, 4>{0, 1, 2, 3}));
    EXPECT_EQ(quad.uv, (std::array<std::uint16_t, 4>{3, 2, 1, 0}));
    EXPECT_EQ(quad.rgb, (std::array<std::uint8_t, 3>{128, 127, 126}));
    EXPECT_EQ(quad.material, 5);
    EXPECT_EQ(quad.direction, 239);
    EXPECT_EQ(quad.flags, 0x43);
    EXPECT_EQ(quad.unnamed[0x17], 9);
    const Face& triangle = group.faces[1];
    EXPECT_EQ(triangle.kind, FaceKind::g3);
    EXPECT_EQ(triangle.vertices, (std::array<std::uint16_t, 4>{3, 2, 1, 0}));
    EXPECT_EQ(triangle.colors, (std::array<std::uint16_t, 4>{1, 0, 1, 0}));
    EXPECT_EQ(triangle.flags, 2);
    EXPECT_EQ(group.uv.back(), (std::array<std::uint8_t, 2>{255, 254}));
    EXPECT_EQ(group.colors, (std::vector<std::array<std::uint8_t, 4>>{{1, 2, 3, 0}, {255, 254, 253, 9}}));
    EXPECT_EQ(encodeModel(model), kMesh);
    EXPECT_TRUE(isModel(kMesh));
    EXPECT_EQ(countTriangles(model, LittleEndianReader(kMesh)), 3U);
}

TEST(Mesh, SurvivesJson) {
    core::Diagnostics diagnostics;
    const Json json = toJson(decodedMesh(kMesh), {}, diagnostics);
    const Json& face = json["groups"][0]["faces"]["ft4"][0];
    EXPECT_EQ(face["raw"],
              "0000010002000300030002000100000080"
              "7f7e05ef430009");
    EXPECT_EQ(encodeModel(modelFromJson(JsonReader(json), diagnostics)), kMesh);
    EXPECT_TRUE(diagnostics.warnings().empty());
}

TEST(Mesh, InTheConsolesMemoryIsTheSame) {
    ByteVector file = kMesh;
    file[0] = 1;
    for (const std::size_t pointer : {0x0CU, 0x10U, 0x30U, 0x34U, 0x38U, 0x3CU, 0x40U})
        file[pointer + 3] = 0x80;
    ByteVector written = kMesh;
    written[0] = 1;
    EXPECT_EQ(encodeModel(decodedMesh(file)), written);
    EXPECT_TRUE(isModel(file));
}

TEST(Mesh, AnOffsetAmongAddressesIsDamaged) {
    ByteVector file = kMesh;
    file[0] = 1;
    for (const std::size_t pointer : {0x0CU, 0x10U, 0x30U, 0x34U, 0x3CU, 0x40U})
        file[pointer + 3] = 0x80;
    EXPECT_EQ(test::messageOf([&](core::Diagnostics& d) { (void)decodeModel(LittleEndianReader(file), {}, d); }),
              "warning: groups[0].faces: 0x68 is before the model's first byte at 0x80000000");
}

TEST(Mesh, KindsAreAsTheGameHasThem) {
    struct KindRow {
        FaceKind kind;
        std::size_t size;
        std::size_t corners;
        std::uint16_t packet;
    };
    for (const KindRow& row :
         {KindRow{FaceKind::ft4, 24, 4, 0x28}, KindRow{FaceKind::ft3, 20, 3, 0x20}, KindRow{FaceKind::gt4, 32, 4, 0x34},
          KindRow{FaceKind::gt3, 24, 3, 0x28}, KindRow{FaceKind::g4, 24, 4, 0x24}, KindRow{FaceKind::g3, 20, 3, 0x1C},
          KindRow{FaceKind::f4, 16, 4, 0x18}, KindRow{FaceKind::f3, 12, 3, 0x14}}) {
        const FaceLayout& layout = layoutOf(row.kind);
        EXPECT_EQ(layout.size, row.size) << layout.name;
        EXPECT_EQ(layout.corners, row.corners) << layout.name;
        EXPECT_EQ(layout.packetBytes, row.packet) << layout.name;
        ByteVector record(layout.size);
        for (std::size_t i = 0; i < record.size(); ++i)
            record[i] = static_cast<std::uint8_t>(i + 1);
        const auto again = encodeFace(decodeFace(row.kind, record));
        EXPECT_TRUE(std::equal(record.begin(), record.end(), again.begin())) << layout.name;
    }
}

TEST(Mesh, BlocksThatGroupsShareAreLimited) {
    // 255 groups of the same 8,000 triangles: two million in 170 KB.
    core::LittleEndianWriter file;
    const auto words = [&](std::initializer_list<std::uint16_t> list) {
        for (const std::uint16_t word : list)
            file.write(word);
    };
    words({0, 0xFF01, 0, 0, 0, 0, 0x14, 0, 0x18, 0, 0, 0});
    constexpr std::uint32_t kBlocks = 24 + 40 * 255;
    for (int group = 0; group < 255; ++group) {
        words({0, 0, 8000, 0, 0, 0, 0, 0, 0, 0});
        for (const std::uint32_t pointer : {kBlocks, kBlocks + 8, kBlocks + 40, kBlocks, kBlocks})
            file.write(pointer);
    }
    words({4, 0, 0, 0});
    file.write(core::Bytes(ByteVector(4 * 8 + 20 * 8000)));
    const ByteVector bytes = file.take();
    EXPECT_EQ(test::messageOf([&](core::Diagnostics& d) { (void)decodeModel(LittleEndianReader(bytes), {}, d); }),
              "mesh_groups at 0x18: the groups have 1020 vertices and 2040000 faces, expected at most 1000000 of each");
}

/// The JSON of kMesh after a change, encoded.
template <typename Edit>
test::Encoded edited(const Edit& edit) {
    core::Diagnostics diagnostics;
    Json json = toJson(decodedMesh(kMesh), {}, diagnostics);
    edit(json);
    return test::encodedBy([&](core::Diagnostics& d) { return encodeModel(modelFromJson(JsonReader(json), d)); });
}

TEST(Mesh, EditedGroupsAreWritten) {
    const test::Encoded removed = edited([](Json& json) { json["groups"] = Json::array(); });
    EXPECT_EQ(removed.bytes.size(), 0x1CU);
    EXPECT_EQ(removed.messages, std::vector<std::string>{"warning: group_count: is 1, but there are 0 groups"});
    const test::Encoded longer = edited([](Json& json) { json["groups"][0]["uv"].push_back({1, 2}); });
    EXPECT_EQ(longer.bytes, kMesh) << "no reader would find more than the faces use";
}

TEST(Mesh, WhatDoesNotFitIsNamed) {
    const auto problem = [](const auto& edit) {
        return test::messageOf([&](core::Diagnostics&) { (void)edited(edit); });
    };
    EXPECT_EQ(problem([](Json& json) { json["groups"][0]["vertices"].erase(0); }),
              "groups[0].vertices: has 3 vertices, but the counts state 4");
    EXPECT_EQ(problem([](Json& json) {
                  json["groups"][0] = {{"index", 0}, {"damaged", true}};
              }),
              "groups[0]: is damaged and can't be written");
    EXPECT_EQ(problem([](Json& json) { json["groups"][0]["faces"]["ft4"][0]["raw"] = "00"; }),
              "groups[0].faces.ft4[0].raw: is \"00\", expected 24 bytes");
    EXPECT_EQ(problem([](Json& json) { json["groups"][0]["faces"]["g3"] = std::vector<int>(65536); }),
              "groups[0].faces.g3: has 65536 faces, expected at most 65535");
    EXPECT_EQ(problem([](Json& json) { json["groups"] = std::vector<int>(256); }),
              "groups: has 256 groups, expected at most 255");
    EXPECT_EQ(problem([](Json& json) { json["groups"][0]["faces"]["ft4"][0]["vertices"][1] = 4; }),
              "groups[0].faces.ft4[0].vertices[1]: is 4, expected an index below 4");
}

TEST(MeshMessages, AreWhole) {
    using test::Broken;
    const auto decode = [](const core::ByteVector& file, core::Diagnostics& d) {
        return decodeModel(LittleEndianReader(file), {}, d);
    };
    test::expectMessages(
        kMesh, decode,
        {Broken{
             "CountsOutside", 0x30, {0xA2}, {}, "warning: groups[0].vertex_counts: needs 4 bytes, but only 2 are left"},
         Broken{"PointerOutside",
                0x31,
                {2},
                {},
                "warning: groups[0].vertex_counts: needs 580 bytes, but only 164 are left"},
         Broken{
             "TooManyVertices", 0x46, {30}, {}, "warning: groups[0].vertices: needs 248 bytes, but only 92 are left"},
         Broken{"TooManyFaces", 0x1E, {9}, {}, "warning: groups[0].faces: needs 236 bytes, but only 60 are left"},
         Broken{"VertexIndex",
                0x84,
                {4},
                {},
                "warning: groups[0].faces.g3[0].vertices[2]: is 4, but the group has only 4 vertices"},
         Broken{"UvOutside", 0x70, {20}, {}, "warning: groups[0].uv: needs 42 bytes, but only 16 are left"},
         Broken{"ColorsOutside", 0x88, {2}, {}, "warning: groups[0].colors: needs 12 bytes, but only 8 are left"},
         Broken{"OtherBone",
                0x4E,
                {1},
                {},
                "warning: groups[0].vertices: 1 of 4 vertices belong to a different bone than the vertex counts state; "
                "the counts are used"},
         Broken{"Packets", 0x1C, {1}, {}, "warning: groups[0].packet_bytes: is 1, but the faces need 68 bytes"},
         Broken{"Size", 0x04, {1}, {}, "warning: size: is 1, but the faces need 68 bytes"},
         Broken{"Flags",
                0x93,
                {0x10},
                {},
                "warning: groups[0].faces: 1 faces have the flags 0x1c, whose meaning is not known"}});
}

}  // namespace
}  // namespace reanima::ff9
