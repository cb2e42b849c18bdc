/// Characters with meshes as glTF. Viewers must show the meshes at the skeleton's place.
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gltf_export/gltf_file.h"
#include "pictures/png.h"
#include "support/doll.h"

namespace reanima::gltf {
namespace {

using Json = nlohmann::json;
using test::doll;
using test::plate;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

struct MeshGlb {
    Json json;
    core::ByteVector data;

    [[nodiscard]] core::Bytes view(std::size_t index) const {
        const Json& view = json["bufferViews"][index];
        return core::Bytes(data).subspan(view.value("byteOffset", std::size_t{0}), view["byteLength"]);
    }

    /// The components of an attribute, in order.
    template <typename T>
    [[nodiscard]] std::vector<T> values(const Json& accessor) const {
        const Json& a = json["accessors"][accessor.get<std::size_t>()];
        const core::Bytes bytes = view(a["bufferView"]);
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }

    [[nodiscard]] const Json& primitive(std::size_t mesh, std::size_t index) const {
        return json["meshes"][mesh]["primitives"][index];
    }

    template <typename T>
    [[nodiscard]] std::vector<T> attribute(std::size_t mesh, std::size_t index, const char* name) const {
        return values<T>(primitive(mesh, index)["attributes"][name]);
    }
};

MeshGlb writtenMesh(const core::Asset& asset, const GltfOptions& options = {}) {
    const core::ByteVector bytes = writeGlb(asset, options);
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data() + 12, 4);
    return {Json::parse(bytes.begin() + 20, bytes.begin() + 20 + size),
            {bytes.begin() + 28 + static_cast<std::ptrdiff_t>(size), bytes.end()}};
}

void expectNear(const std::vector<float>& found, const std::vector<double>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(static_cast<double>(found[i]), expected[i], 1e-6) << i;
}

TEST(GltfMesh, OneSkinAndANodeForEveryMeshBesideTheContainer) {
    const Json json = writtenMesh(doll()).json;
    EXPECT_EQ(json["scenes"][0]["nodes"], Json::array({0, 4, 5}));  // three joints below the container
    EXPECT_EQ(json["nodes"][4], Json::parse(R"({"name":"doll_body","mesh":0,"skin":0})"));
    EXPECT_EQ(json["nodes"][5], Json::parse(R"({"name":"doll_sword","mesh":1,"skin":0})"));
    EXPECT_EQ(json["skins"].size(), 1U);
    EXPECT_EQ(json["skins"][0]["joints"], Json::array({1, 2, 3}));
    EXPECT_EQ(json["meshes"][0]["extras"]["game"]["pieces"], 2);
    EXPECT_FALSE(json["meshes"][1].contains("extras"));
    EXPECT_EQ(json["scenes"][0]["extras"]["reanima"]["character"]["pieces"], 3);
}

TEST(GltfMesh, VerticesLieWhereTheSkeletonRests) {
    const MeshGlb glb = writtenMesh(doll());
    expectNear(glb.attribute<float>(0, 0, "POSITION"), {-1, 0, 0, 1, 0, 0, 1, 2, 0, -1, 2, 0});
    expectNear(glb.attribute<float>(0, 0, "NORMAL"), {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1});
    expectNear(glb.attribute<float>(0, 0, "TEXCOORD_0"), {0, 1, 1, 1, 1, 0, 0, 0});
    expectNear(glb.attribute<float>(0, 1, "POSITION"), {0.5, 1, 0.02, 0.5, 1.5, 0.02, 0, 1, 0.02});
    expectNear(glb.attribute<float>(0, 1, "NORMAL"), {-1, 0, 0, -1, 0, 0, -1, 0, 0});
    expectNear(glb.attribute<float>(1, 0, "POSITION"), {0, 0, 1, 0.1, 0, 1, 0, 3, 1});
    EXPECT_THAT(glb.values<std::uint16_t>(glb.primitive(0, 0)["indices"]), ElementsAre(0, 1, 2, 0, 2, 3));
    EXPECT_FALSE(glb.primitive(0, 1)["attributes"].contains("TEXCOORD_0"));
    EXPECT_FALSE(glb.primitive(1, 0)["attributes"].contains("NORMAL"));
    const Json& bounds = glb.json["accessors"][glb.primitive(0, 0)["attributes"]["POSITION"].get<std::size_t>()];
    EXPECT_EQ(bounds["min"], Json::array({-1, 0, 0}));
    EXPECT_EQ(bounds["max"], Json::array({1, 2, 0}));
}

TEST(GltfMesh, EveryVertexFollowsItsJoint) {
    const MeshGlb glb = writtenMesh(doll());
    EXPECT_THAT(glb.attribute<std::uint8_t>(0, 1, "JOINTS_0"), ElementsAre(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0));
    EXPECT_THAT(glb.attribute<std::uint8_t>(0, 1, "WEIGHTS_0"), ElementsAre(255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0));
    const Json& weights = glb.json["accessors"][glb.primitive(0, 1)["attributes"]["WEIGHTS_0"].get<std::size_t>()];
    EXPECT_EQ(weights["normalized"], true);
    core::Asset large = doll();
    for (int i = 3; i < 300; ++i)
        large.skeleton->joints.emplace_back().name = fmt::format("joint{}", i);
    large.meshes[1].primitives[0].joints.assign(3, 299);
    EXPECT_THAT(writtenMesh(large).attribute<std::uint16_t>(1, 0, "JOINTS_0"),
                ElementsAre(299, 0, 0, 0, 299, 0, 0, 0, 299, 0, 0, 0));
}

TEST(GltfMesh, ColorsAreSharesOf65535) {
    const MeshGlb glb = writtenMesh(doll());
    EXPECT_THAT(glb.attribute<std::uint16_t>(0, 1, "COLOR_0"),
                ElementsAre(65535, 0, 0, 32768, 65535, 0, 0, 32768, 65535, 0, 0, 32768));
    const Json& colors = glb.json["accessors"][glb.primitive(0, 1)["attributes"]["COLOR_0"].get<std::size_t>()];
    EXPECT_EQ(colors["normalized"], true);
    EXPECT_EQ(colors["type"], "VEC4");
}

TEST(GltfMesh, ManyVerticesHaveLongIndices) {
    core::Asset asset = plate();
    core::Primitive& quad = asset.meshes[0].primitives[0];
    quad = {.positions = std::vector<glm::vec3>(65535, {0, 0, 0}), .indices = {0, 1, 65534}};
    quad.positions[1].x = quad.positions[65534].y = 1;
    asset.materials[0].image.reset();
    EXPECT_THAT(writtenMesh(asset).values<std::uint16_t>(writtenMesh(asset).primitive(0, 0)["indices"]),
                ElementsAre(0, 1, 65534));
    quad.positions.emplace_back(0, 0, 1);
    EXPECT_THAT(writtenMesh(asset).values<std::uint32_t>(writtenMesh(asset).primitive(0, 0)["indices"]),
                ElementsAre(0, 1, 65534));
}

TEST(GltfMesh, MaterialsAreWired) {
    core::Asset asset = doll();
    asset.materials.push_back(asset.materials[0]);
    asset.materials[2].name = "glow";
    asset.materials[2].alphaMode = core::AlphaMode::blend;
    asset.materials[2].filter = core::Filter::linear;
    asset.materials[2].wrap = core::Wrap::clamp;
    asset.materials.push_back(asset.materials[0]);
    asset.materials[3].name = "again";
    asset.materials[3].alphaMode = core::AlphaMode::opaque;
    const Json json = writtenMesh(asset).json;
    EXPECT_EQ(json["materials"][0], Json::parse(R"({"name":"face","doubleSided":true,"alphaMode":"MASK",
        "pbrMetallicRoughness":{"baseColorTexture":{"index":0},"metallicFactor":0.0},
        "extensions":{"KHR_materials_unlit":{}},"extras":{"game":{"blend":4}}})"));
    EXPECT_EQ(json["materials"][1],
              Json::parse(R"({"name":"doll_colors","pbrMetallicRoughness":{"metallicFactor":0.0}})"));
    EXPECT_EQ(json["materials"][2]["alphaMode"], "BLEND");
    EXPECT_EQ(json["materials"][2]["pbrMetallicRoughness"]["baseColorTexture"]["index"], 1);
    EXPECT_EQ(json["materials"][3]["pbrMetallicRoughness"]["baseColorTexture"]["index"], 0);
    EXPECT_EQ(json["textures"], Json::parse(R"([{"sampler":0,"source":0},{"sampler":1,"source":0}])"));
    EXPECT_EQ(json["samplers"], Json::parse(R"([{"magFilter":9728,"minFilter":9728},
        {"magFilter":9729,"minFilter":9729,"wrapS":33071,"wrapT":33071}])"));
    EXPECT_EQ(json["extensionsUsed"], Json::array({"KHR_materials_unlit"}));
    EXPECT_EQ(json["meshes"][0]["primitives"][0]["material"], 0);
    EXPECT_EQ(json["meshes"][0]["primitives"][1]["material"], 1);
}

TEST(GltfMesh, ImagesArePngInTheBinaryChunk) {
    const MeshGlb glb = writtenMesh(doll());
    ASSERT_EQ(glb.json["images"].size(), 1U);
    EXPECT_EQ(glb.json["images"][0]["name"], "face");
    EXPECT_EQ(glb.json["images"][0]["mimeType"], "image/png");
    const pictures::Picture picture = pictures::decodePng(glb.view(glb.json["images"][0]["bufferView"]), {});
    ASSERT_EQ(picture.pixels.size(), 4U);
    EXPECT_EQ(picture.at(1, 0), (pictures::Rgba{0, 255, 0, 255}));
    EXPECT_EQ(picture.at(0, 1), (pictures::Rgba{0, 0, 255, 255}));
    EXPECT_EQ(picture.at(1, 1)[3], 0);
}

TEST(GltfMesh, ImagesOfATextFileLieBesideIt) {
    core::Asset asset = doll();
    asset.images.push_back(asset.images[0]);
    asset.images[1].name = "fa ce/2";
    asset.images.push_back(asset.images[0]);
    asset.images[2].name = "fa_ce_2";
    const GltfPair pair = writeGltf(asset, {}, "my doll.bin");
    ASSERT_EQ(pair.images.size(), 3U);
    EXPECT_EQ(pair.images[0].name, "my doll_face.png");
    EXPECT_EQ(pair.images[1].name, "my doll_fa_ce_2.png");
    EXPECT_EQ(pair.images[2].name, "my doll_fa_ce_2_2.png");
    EXPECT_EQ(pictures::decodePng(pair.images[0].bytes, {}).width, 2U);
    const Json json = Json::parse(pair.json);
    EXPECT_EQ(json["images"][0]["uri"], "my%20doll_face.png");
    EXPECT_FALSE(json["images"][0].contains("bufferView"));
    EXPECT_EQ(json["images"][0]["extras"]["hash"], bufferHash(pair.images[0].bytes));
    EXPECT_EQ(json["images"][1]["name"], "fa ce/2");
}

TEST(GltfMesh, MeshesWithoutASkeletonStandBelowTheContainer) {
    const MeshGlb glb = writtenMesh(plate());
    EXPECT_EQ(glb.json["scenes"][0]["nodes"], Json::array({0}));
    EXPECT_EQ(glb.json["nodes"], Json::parse(R"([{"name":"plate_model","children":[1]},{"name":"plate","mesh":0}])"));
    EXPECT_FALSE(glb.json.contains("skins"));
    EXPECT_FALSE(glb.json["scenes"][0]["extras"]["reanima"].contains("skeleton"));
    expectNear(glb.attribute<float>(0, 0, "POSITION"), {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0});
    EXPECT_FALSE(glb.primitive(0, 0)["attributes"].contains("JOINTS_0"));
}

TEST(GltfMesh, NodesHaveNamesOfTheirOwn) {
    core::Asset asset = doll();
    asset.meshes[0].name = "arm";
    const Json json = writtenMesh(asset).json;
    EXPECT_EQ(json["nodes"][2]["name"], "arm");  // the joint keeps it
    EXPECT_EQ(json["nodes"][4]["name"], "arm_2");
    EXPECT_EQ(json["meshes"][0]["name"], "arm");
}

TEST(GltfMesh, CompactFilesHaveMeshesWithoutExtras) {
    GltfOptions options;
    options.compact = true;
    const Json json = writtenMesh(doll(), options).json;
    EXPECT_EQ(json["meshes"].size(), 2U);
    EXPECT_FALSE(json["meshes"][0].contains("extras"));
    EXPECT_FALSE(json["materials"][0].contains("extras"));
    EXPECT_FALSE(json["scenes"][0].contains("extras"));
}

TEST(GltfMesh, TheProxyIsForCharactersWithoutMeshes) {
    GltfOptions options;
    options.proxyMesh = true;
    EXPECT_EQ(writtenMesh(doll(), options).json["meshes"].size(), 2U);
    core::Asset bare = doll();
    bare.meshes.clear();
    const MeshGlb glb = writtenMesh(bare, options);
    EXPECT_EQ(glb.json["nodes"][4]["name"], "doll_proxy");
    // An octahedron from the root to the arm, from (0, 1, 0) to (0.5, 1, 0), and small ones for arm and weapon.
    const std::vector<float> positions = glb.attribute<float>(0, 0, "POSITION");
    ASSERT_EQ(positions.size(), 54U);
    expectNear({positions.begin(), positions.begin() + 3}, {0, 1, 0});
    expectNear({positions.begin() + 15, positions.begin() + 18}, {0.5, 1, 0});
    expectNear({positions.begin() + 18, positions.begin() + 21}, {0.5, 1, 0});
    expectNear({positions.begin() + 33, positions.begin() + 36}, {0.48, 1, 0});  // 2 % of 1 m along the arm's Y
    EXPECT_EQ(glb.attribute<std::uint8_t>(0, 0, "JOINTS_0")[6 * 4], 1);
}

void expectLimit(const core::Asset& asset, std::uint64_t megabytes, const char* field) {
    core::Limits limits;
    limits.memory = megabytes << 20U;
    try {
        (void)writeGlb(asset, {}, limits);
        FAIL() << "written";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_EQ(error.field(), field);
    }
}

TEST(GltfMesh, MemoryOfImagesIsBounded) {
    core::Asset asset = doll();
    asset.images[0].width = asset.images[0].height = 512;
    asset.images[0].rgba.assign(std::size_t{4} * 512 * 512, 77);
    core::Limits limits;
    limits.memory = 5U << 20U;
    EXPECT_NO_THROW((void)writeGlb(asset, {}, limits));
    expectLimit(asset, 3, "the images of the glTF file");
}

TEST(GltfMesh, MemoryOfVerticesIsBounded) {
    constexpr std::size_t kMany = 50000;
    core::Asset asset = doll();
    core::Primitive& primitive = asset.meshes[0].primitives[0];
    const auto repeat = [](auto& list) {
        if (!list.empty())
            list.resize(kMany, list.front());
    };
    repeat(primitive.positions);
    repeat(primitive.normals);
    repeat(primitive.textureCoordinates);
    repeat(primitive.colors);
    repeat(primitive.joints);
    repeat(primitive.lifts);
    expectLimit(asset, 5, "the meshes of the glTF file");
    EXPECT_NO_THROW((void)writeGlb(asset, {}));
}

void write(const std::filesystem::path& path, core::Bytes bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));  // NOLINT
}

TEST(GltfMesh, TheKhronosValidatorFindsNothing) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "reanima_mesh_test";
    std::filesystem::create_directories(folder);
    GltfOptions compact;
    compact.compact = true;
    GltfOptions proxy;
    proxy.proxyMesh = true;
    core::Asset bare = doll();
    bare.meshes.clear();
    write(folder / "doll.glb", writeGlb(doll(), {}));
    write(folder / "compact.glb", writeGlb(doll(), compact));
    write(folder / "plate.glb", writeGlb(plate(), {}));
    write(folder / "proxy.glb", writeGlb(bare, proxy));
    const GltfPair pair = writeGltf(doll(), {}, "text.bin");
    write(folder / "text.gltf", {reinterpret_cast<const std::uint8_t*>(pair.json.data()), pair.json.size()});  // NOLINT
    write(folder / "text.bin", pair.buffer);
    for (const ImageFile& image : pair.images)
        write(folder / image.name, image.bytes);
    const std::string command =
        fmt::format("node \"{}/tests/validate.js\" \"{}\"", REANIMA_SOURCE_DIR, folder.string());
    EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT: a test
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace reanima::gltf
