#include "gltf_export/scene_file.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/decode_error.h"
#include "core/pose.h"
#include "gltf_export/gltf_document.h"
#include "gltf_export/gltf_skeleton.h"

namespace reanima::gltf {
namespace {

/// A hip with a knee below it, a skinned triangle with a shape, and a hat of two materials below the hip.
core::SceneContent person() {
    core::SceneContent content;
    content.scene.name = "person";
    content.scene.nodes.resize(2);
    content.scene.nodes[0].name = "hip";
    content.scene.nodes[0].local[3] = {0, 1, 0, 1};
    content.scene.nodes[1].name = "knee";
    content.scene.nodes[1].parent = 0;
    content.scene.nodes[1].local[0] = {1, 0.5, 0, 0};  // sheared: a rotation and a scale can't represent it
    content.scene.nodes[1].local[3] = {0, -0.5, 0, 1};
    content.materials.resize(2);
    content.materials[0].name = "skin";
    content.materials[0].baseColor = {0.5F, 0.25F, 1, 1};
    core::SceneBones& bones = content.bones.emplace_back();
    bones.joints = {0, 1};
    bones.inverseBinds = {glm::inverse(content.scene.nodes[0].local),
                          glm::inverse(content.scene.nodes[0].local * content.scene.nodes[1].local)};
    core::ScenePart body;
    body.name = "body";
    body.bones = 0;
    body.positions = {{0, 1, 0}, {1, 1, 0}, {0, 0, 0}};
    body.joints = {{0, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}};
    body.weights = {{1, 0, 0, 0}, {0.25F, 0.75F, 0, 0}, {1, 0, 0, 0}};
    body.indices = {0, 1, 2};
    body.shapes.push_back({"smile", {{0, 0, 0.5F}, {0, 0, 0}, {0, 0, 0}}, {}});
    core::ScenePart hat;
    hat.name = "hat";
    hat.positions = {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    hat.indices = {0, 1, 2};
    content.parts = {body, hat, hat};
    content.parts[2].material = 1;
    core::SceneTrack track;
    track.node = 0;
    track.rotationTimes = {0, 0.5F};
    track.rotations = {{1, 0, 0, 0}, {0, 1, 0, 0}};
    content.animations.push_back({"nod", {track}});
    content.animations.push_back({"nothing", {}});
    return content;
}

TEST(SceneFile, HoldsWhatTheSceneShows) {
    const core::ByteVector file = makeSceneFile(person(), {});
    Document document({file, "person.glb"}, {});
    const nlohmann::json json = nlohmann::json::parse(document.text());
    ASSERT_EQ(json["nodes"].size(), 3U);
    EXPECT_EQ(json["nodes"][0]["translation"], nlohmann::json({0, 1, 0}));
    EXPECT_EQ(json["nodes"][1]["matrix"][1], 0.5);
    EXPECT_EQ(json["nodes"][0]["mesh"], 1);
    EXPECT_EQ(json["nodes"][2]["name"], "body");
    EXPECT_EQ(json["scenes"][0]["nodes"], nlohmann::json({0, 2}));
    EXPECT_EQ(json["meshes"][0]["extras"]["targetNames"], nlohmann::json({"smile"}));
    EXPECT_EQ(json["meshes"][0]["primitives"][0]["targets"].size(), 1U);
    EXPECT_EQ(json["meshes"][1]["primitives"].size(), 2U);
    EXPECT_EQ(json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"], nlohmann::json({0.5, 0.25, 1, 1}));
    ASSERT_EQ(json["animations"].size(), 1U);
    EXPECT_EQ(json["animations"][0]["channels"][0]["target"], nlohmann::json({{"node", 0}, {"path", "rotation"}}));
}

nlohmann::json nodeOf(const glm::dmat4& local, const core::SceneAnimation& animation = {}) {
    core::SceneContent content = person();
    content.scene.nodes[1].local = local;
    content.animations = {animation};
    const core::ByteVector file = makeSceneFile(content, {});
    const nlohmann::json json = nlohmann::json::parse(Document({file, "person.glb"}, {}).text());
    EXPECT_FALSE(json.contains("animations") && json["nodes"][1].contains("matrix"));
    return json["nodes"][1];
}

TEST(SceneFile, KeepsMirroredNodesAndLeavesOutWhatIsNoNumber) {
    glm::dmat4 mirrored(1);
    mirrored[0][0] = -2;
    mirrored[3] = {0, 3, 0, 1};
    EXPECT_EQ(nodeOf(mirrored), nlohmann::json({{"name", "knee"}, {"translation", {0, 3, 0}}, {"scale", {-2, 1, 1}}}));
    glm::dmat4 broken(1);
    broken[3][1] = std::nan("");
    EXPECT_EQ(nodeOf(broken), nlohmann::json({{"name", "knee"}}));
}

TEST(SceneFile, AnimatesNoNodeThatHasAMatrix) {
    core::SceneContent content = person();
    content.animations[0].tracks[0].node = 1;
    EXPECT_TRUE(nodeOf(content.scene.nodes[1].local, content.animations[0]).contains("matrix"));
}

TEST(SceneFile, IsReadAgain) {
    const core::ByteVector file = makeSceneFile(person(), {});
    core::Diagnostics diagnostics;
    const Rig rig = readRig({file, "person.glb"}, {}, diagnostics);
    ASSERT_EQ(rig.skeleton.joints.size(), 2U);
    EXPECT_EQ(rig.skeleton.joints[1].name, "knee");
    ASSERT_EQ(rig.surface.size(), 9U);  // the hat of the first node comes first
    EXPECT_EQ(rig.surface[7].joint, 1U);
    EXPECT_NEAR(rig.surface[7].at.x, 1, 1e-5);
    ASSERT_EQ(rig.clips.size(), 1U);
    EXPECT_EQ(rig.clips[0].seconds, 0.5);
}

TEST(SceneFile, StaysWithinTheMemory) {
    core::SceneContent content = person();
    content.images.push_back({"skin", "image/png", core::ByteVector(2U << 20U), {}});
    core::Limits limits;
    limits.memory = 1U << 20U;
    try {
        (void)makeSceneFile(content, limits);
        FAIL() << "expected an error";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_EQ(std::string(error.what()).find("the rig as a glTF file: "), 0U) << error.what();
    }
}

}  // namespace
}  // namespace reanima::gltf
