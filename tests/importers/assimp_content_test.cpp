/// Meshes from scenes that are made by hand.
#include "importers/assimp_content.h"

#include <array>
#include <memory>

#include <assimp/DefaultIOSystem.h>
#include <assimp/scene.h>
#include <gtest/gtest.h>

namespace reanima {
namespace {

aiNode* nodeCalled(const char* name) {
    auto* node = new aiNode;  // NOLINT: its parent owns it, a scene its root
    node->mName = aiString(name);
    return node;
}

/// A triangle that five joints below the root move. `weights`: the joints and weights of the first vertex.
std::unique_ptr<aiScene> triangle(const std::vector<std::pair<int, float>>& weights) {
    auto scene = std::make_unique<aiScene>();
    scene->mRootNode = nodeCalled("root");
    std::array<aiNode*, 5> joints{};
    for (std::size_t i = 0; i < joints.size(); ++i)
        joints.at(i) = nodeCalled(("joint" + std::to_string(i)).c_str());
    scene->mRootNode->addChildren(joints.size(), joints.data());
    scene->mRootNode->mNumMeshes = 1;
    scene->mRootNode->mMeshes = new unsigned[1]{0};  // NOLINT: Assimp's, as all that follows
    scene->mNumMeshes = 1;
    auto* mesh = new aiMesh;                    // NOLINT
    scene->mMeshes = new aiMesh* [1] { mesh };  // NOLINT
    mesh->mNumVertices = 3;
    mesh->mVertices = new aiVector3D[3]{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};  // NOLINT
    mesh->mNumFaces = 1;
    mesh->mFaces = new aiFace[1];  // NOLINT
    mesh->mFaces[0].mNumIndices = 3;
    mesh->mFaces[0].mIndices = new unsigned[3]{0, 1, 2};  // NOLINT
    mesh->mNumBones = static_cast<unsigned>(weights.size());
    mesh->mBones = new aiBone*[weights.size()];  // NOLINT
    for (std::size_t i = 0; i < weights.size(); ++i) {
        auto* bone = new aiBone;  // NOLINT
        bone->mName = joints.at(static_cast<std::size_t>(weights[i].first))->mName;
        bone->mNumWeights = 1;
        bone->mWeights = new aiVertexWeight[1]{{0, weights[i].second}};  // NOLINT
        mesh->mBones[i] = bone;
    }
    return scene;
}

core::SceneContent contentOf(const aiScene& scene, core::Diagnostics& diagnostics) {
    Assimp::DefaultIOSystem disk;
    RigIOSystem files(disk, "triangle.fbx");
    return contentOf(scene, nodesOf(scene, "triangle", diagnostics), files, {}, diagnostics);
}

TEST(SceneContent, AJointIsListedOnceForAVertex) {
    core::Diagnostics diagnostics;
    const core::SceneContent content = contentOf(*triangle({{0, 0.25F}, {1, 0.375F}, {0, 0.375F}}), diagnostics);
    ASSERT_EQ(content.bones.size(), 1U);
    EXPECT_EQ(content.bones[0].joints, (std::vector<std::uint32_t>{1, 2}));
    ASSERT_EQ(content.parts.size(), 1U);
    EXPECT_EQ(content.parts[0].joints[0], (std::array<std::uint16_t, 4>{0, 1, 0, 0}));
    EXPECT_EQ(content.parts[0].weights[0], glm::vec4(0.625F, 0.375F, 0, 0));
    EXPECT_EQ(content.parts[0].weights[1], glm::vec4(1, 0, 0, 0));  // vertices without weights follow the first bone
}

TEST(SceneContent, TheFourLargestWeightsAreKept) {
    core::Diagnostics diagnostics;
    const core::SceneContent content =
        contentOf(*triangle({{0, 0.5F}, {1, 0.25F}, {2, 0.125F}, {3, 0.0625F}, {4, 0.125F}}), diagnostics);
    EXPECT_EQ(content.parts.at(0).joints[0], (std::array<std::uint16_t, 4>{0, 1, 2, 4}));
    EXPECT_EQ(content.parts[0].weights[0], glm::vec4(0.5F, 0.25F, 0.125F, 0.125F));
    ASSERT_EQ(diagnostics.warnings().size(), 1U);
    EXPECT_EQ(diagnostics.warnings()[0].text,
              "1 vertices have more than four weights; only their four largest weights are kept");
}

/// The message for a rig whose only bone is bound at this distance from the triangle that it moves. The triangle's
/// diagonal is 5.
std::string refusalOf(float away) {
    const std::unique_ptr<aiScene> scene = triangle({{0, 1.0F}});
    scene->mMeshes[0]->mVertices[1] = {3, 0, 0};
    scene->mMeshes[0]->mVertices[2] = {0, 4, 0};
    scene->mMeshes[0]->mBones[0]->mOffsetMatrix.a4 = away;
    core::Diagnostics diagnostics;
    const SceneNodes nodes = nodesOf(*scene, "triangle", diagnostics);
    try {
        requireCredibleRest(rigOf(nodes, diagnostics), nodes, "man.fbx");
    } catch (const core::DecodeError& error) {
        return error.what();
    }
    return {};
}

TEST(SceneContent, BonesFarFromWhatTheyMoveAreNotBelieved) {
    EXPECT_EQ(refusalOf(2.9F), "");
    EXPECT_EQ(
        refusalOf(10),
        "the rest pose can't be right, because \"joint0\" is far from all vertices that it moves (2.0 times the "
        "meshes' size); "
        "Blender reads more FBX files: import it there, export a .glb (File > Export > glTF 2.0), and use the .glb");
}

}  // namespace
}  // namespace reanima
