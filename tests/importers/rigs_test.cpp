/// Skeletons from files that Assimp reads.
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include <assimp/DefaultIOSystem.h>
#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/pose.h"
#include "core/validate.h"
#include "formats/format.h"
#include "gltf_export/gltf_skeleton.h"
#include "importers/rig_io.h"
#include "importers/scene_skeleton.h"

namespace reanima {
namespace {

namespace fs = std::filesystem;

std::string written(const char* name, const std::string& text) {
    const fs::path path = fs::path(testing::TempDir()) / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
}

TEST(SceneSkeleton, TheNodesOfAMotionFileAreTheJoints) {
    const std::string path = written("walk.bvh", R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 30 5
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 20 0
    }
  }
}
MOTION
Frames: 1
Frame Time: 0.1
0 90 0 0 0 0 0 0 0
)");
    core::Diagnostics diagnostics;
    const core::Rig rig = readSceneRig(path, diagnostics);
    ASSERT_EQ(rig.skeleton.joints.size(), 3U);
    EXPECT_EQ(rig.skeleton.joints[0].name, "Hips");
    EXPECT_EQ(rig.skeleton.joints[0].rest.translation, glm::vec3(0, 90, 0));
    EXPECT_EQ(rig.skeleton.joints[1].name, "Chest");
    EXPECT_EQ(rig.skeleton.joints[1].parent, 0);
    EXPECT_EQ(rig.skeleton.joints[1].rest.translation, glm::vec3(0, 30, 5));
    EXPECT_EQ(rig.restFrom, core::Rig::RestFrom::nodes);
    fs::remove(path);
}

TEST(RigIOSystem, OpensWhatLiesBelowTheFolderOfTheRig) {
    const fs::path folder = fs::path(testing::TempDir()) / "reanima_rig_io";
    fs::remove_all(folder);
    fs::create_directories(folder / "rig" / "parts");
    for (const char* name : {"secret.mtl", "rig/a.obj", "rig/a.mtl", "rig/parts/skin.png"})
        std::ofstream(folder / name) << name;
    std::error_code error;
    fs::create_symlink("../secret.mtl", folder / "rig" / "link.mtl", error);
    const std::string rig = (folder / "rig" / "a.obj").string();
    const std::string own = (folder / "rig").string() + "/";
    Assimp::DefaultIOSystem disk;
    RigIOSystem io(disk, rig);
    for (const std::string& name : {rig, own + "a.mtl", own + "./a.mtl", own + "parts\\skin.png",
                                    std::string("parts/skin.png"), std::string("/elsewhere/a.mtl"), own + "/else/a.mtl",
                                    std::string("D:\\art\\a.mtl"), std::string("\\\\host\\share\\a.mtl")})
        EXPECT_TRUE(io.Exists(name.c_str())) << name;
    for (const std::string& name : {own + "../secret.mtl", own + "parts/../../secret.mtl", own + "..\\secret.mtl",
                                    (folder / "secret.mtl").string(), own + "link.mtl", own + "C:a.mtl", own + "con"}) {
        EXPECT_FALSE(io.Exists(name.c_str())) << name;
        EXPECT_EQ(io.Open(name.c_str(), "rb"), nullptr) << name;
    }
    EXPECT_EQ(io.Open((own + "new").c_str(), "wb"), nullptr);
    EXPECT_FALSE(fs::exists(own + "new"));
    fs::remove_all(folder);
}

TEST(SceneSkeleton, WhatAssimpCannotReadIsRefusedInItsWords) {
    const std::string path = written("notes.unknown", "nothing that has joints");
    core::Diagnostics diagnostics;
    try {
        (void)readSceneRig(path, diagnostics);
        FAIL() << "read";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(
            std::string(error.what()),
            fmt::format("{}: can't be read by Assimp: No suitable reader found for the file format of file \"{}\".",
                        path, path));
    }
    fs::remove(path);
}

/// A scene in centimetres: a node with a height of 90 units, and a mesh whose second bone has no node.
std::unique_ptr<aiScene> sceneInCentimetres() {
    auto scene = std::make_unique<aiScene>();
    scene->mMetaData = aiMetadata::Alloc(1);
    scene->mMetaData->Set(0, "UnitScaleFactor", 1.0);
    scene->mRootNode = new aiNode("Hips");
    scene->mRootNode->mTransformation = aiMatrix4x4(aiVector3D(1), aiQuaternion(), aiVector3D(0, 90, 0));
    scene->mRootNode->mMeshes = new unsigned[1]{0};
    scene->mRootNode->mNumMeshes = 1;
    scene->mMeshes = new aiMesh* [1] { new aiMesh };
    scene->mNumMeshes = 1;
    aiMesh& mesh = *scene->mMeshes[0];
    mesh.mName = "Body";
    mesh.mBones = new aiBone* [2] { new aiBone, new aiBone };
    mesh.mNumBones = 2;
    mesh.mBones[0]->mName = "Hips";
    mesh.mBones[0]->mOffsetMatrix = aiMatrix4x4(aiVector3D(1), aiQuaternion(), aiVector3D(0, -90, 0));
    mesh.mBones[1]->mName = "Tail";
    return scene;
}

TEST(SceneSkeleton, LengthsAreInMetresAndBonesWithoutANodeAreNamed) {
    core::Diagnostics diagnostics;
    const core::Rig rig = rigOf(*sceneInCentimetres(), "hero", diagnostics);
    ASSERT_EQ(rig.skeleton.joints.size(), 1U);
    EXPECT_FLOAT_EQ(rig.skeleton.joints[0].rest.translation.y, 0.9F);
    EXPECT_EQ(rig.metresPerUnit, 0.01);
    ASSERT_EQ(diagnostics.warnings().size(), 2U);
    EXPECT_EQ(diagnostics.warnings()[0].message(),
              "note: the unit is 1 cm, so lengths are multiplied by 0.01 to convert them to metres");
    EXPECT_EQ(diagnostics.warnings()[1].message(),
              "warning: mesh \"Body\": the bone \"Tail\" has no node and is left out");
}

/// A tree of nodes: each name with the name of its parent, which comes before it.
aiNode* treeOf(const std::vector<std::pair<const char*, const char*>>& names) {
    std::map<std::string, aiNode*> nodes;
    aiNode* top = nullptr;
    for (const auto& [name, parent] : names) {
        auto* node = new aiNode(name);
        nodes[name] = node;
        if (*parent == '\0') {
            top = node;
            continue;
        }
        aiNode* above[] = {node};
        nodes.at(parent)->addChildren(1, above);
    }
    return top;
}

/// A mesh below the armature that only the body moves. Beside it are feet, and a place for an effect.
std::unique_ptr<aiScene> sceneWithFeetOfTheirOwn() {
    auto scene = std::make_unique<aiScene>();
    scene->mRootNode = treeOf({{"Armature", ""},
                               {"Root", "Armature"},
                               {"Body", "Root"},
                               {"Body_end", "Body"},
                               {"Foot", "Root"},
                               {"Foot_end", "Foot"},
                               {"Effect", "Root"},
                               {"Shown", "Armature"}});
    scene->mRootNode->FindNode("Root")->mTransformation.b4 = 0.1F;  // unused nodes are not joints
    aiNode* shown = scene->mRootNode->FindNode("Shown");
    shown->mMeshes = new unsigned[1]{0};
    shown->mNumMeshes = 1;
    scene->mMeshes = new aiMesh* [1] { new aiMesh };
    scene->mNumMeshes = 1;
    scene->mMeshes[0]->mBones = new aiBone* [1] { new aiBone };
    scene->mMeshes[0]->mNumBones = 1;
    scene->mMeshes[0]->mBones[0]->mName = "Body";
    return scene;
}

TEST(SceneSkeleton, BonesThatMoveNoVertexAreJointsBesideOthers) {
    core::Diagnostics diagnostics;
    const core::Rig rig = rigOf(*sceneWithFeetOfTheirOwn(), "hero", diagnostics);
    std::vector<std::string> names;
    for (const core::Joint& joint : rig.skeleton.joints)
        names.push_back(joint.name);
    EXPECT_EQ(names, (std::vector<std::string>{"Root", "Body", "Body_end", "Foot", "Foot_end"}));
}

/// One line of the table that the last test prints.
std::string lineOf(const fs::path& path, const fs::path& top) {
    core::Diagnostics diagnostics;
    const std::string shown = fs::relative(path, top).string();
    try {
        core::Rig rig;
        if (extensionOf(shown) == "gltf" || extensionOf(shown) == "glb") {
            std::ifstream file(path, std::ios::binary);
            const core::ByteVector bytes{std::istreambuf_iterator<char>(file), {}};
            rig = gltf::readRig({bytes, shown, core::Siblings(core::diskFiles(), path.string())}, {}, diagnostics);
        } else {
            rig = readSceneRig(path.string(), diagnostics);
        }
        core::Asset asset;
        asset.skeleton.emplace(rig.skeleton);
        EXPECT_EQ(core::validate(asset), std::vector<std::string>{}) << shown;
        std::string codes;
        for (const core::Warning& warning : diagnostics.warnings())
            codes += fmt::format(" {}", core::codeName(warning.code));
        const core::Skeleton& skeleton = rig.skeleton;
        return fmt::format("{} | {} | {} | {:.4g} | {} |{}", shown, skeleton.joints.size(), skeleton.joints[0].name,
                           core::verticalExtent(skeleton, core::restPose(skeleton)).height(),
                           rig.restFrom == core::Rig::RestFrom::skin ? "skin" : "nodes", codes);
    } catch (const core::DecodeError& error) {
        const std::string field = error.field().empty() ? "" : error.field() + ": ";
        return fmt::format("{} | {}{}", shown, field, error.problem().substr(0, 140));
    }
}

TEST(SceneSkeleton, EveryFileOfAssimpsTestModelsIsReadOrRefused) {
    const fs::path top = "/usr/share/assimp/models";
    if (!fs::exists(top))
        GTEST_SKIP() << "assimp-testmodels is not installed";
    const std::set<std::string, std::less<>> kinds = {"fbx", "bvh", "dae",  "md5mesh", "md5anim", "x",  "smd",
                                                      "b3d", "iqm", "gltf", "glb",     "ms3d",    "m3d"};
    std::set<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top))
        if (entry.is_regular_file() && kinds.contains(extensionOf(entry.path().filename().string())) &&
            entry.path().string().find("/invalid/") == std::string::npos)
            files.insert(entry.path());
    EXPECT_FALSE(files.empty());
    for (const fs::path& path : files)
        fmt::print("{}\n", lineOf(path, top));
}

}  // namespace
}  // namespace reanima
