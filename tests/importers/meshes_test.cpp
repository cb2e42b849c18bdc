/// Characters with meshes as Assimp scenes: read with the quality preset, exported, and read again.
#include <filesystem>
#include <map>

#include <assimp/BaseImporter.h>
#include <assimp/Exporter.hpp>
#include <assimp/GltfMaterial.h>
#include <assimp/Importer.hpp>
#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <gmock/gmock.h>

#include "importers/scene_builder.h"
#include "pictures/png.h"
#include "support/doll.h"

namespace reanima {
namespace {

using ::testing::ElementsAre;

constexpr unsigned kPreset = aiProcessPreset_TargetRealtime_MaxQuality | aiProcess_ValidateDataStructure;

/// Always fills the scene from the same asset, whatever the file contains.
class AssetImporter : public Assimp::BaseImporter {
  public:
    explicit AssetImporter(core::Asset asset) : asset_(std::move(asset)) {}
    [[nodiscard]] bool CanRead(const std::string&, Assimp::IOSystem*, bool) const override { return true; }
    [[nodiscard]] const aiImporterDesc* GetInfo() const override {
        static const aiImporterDesc kDescription = {"test", "", "", "", 0, 0, 0, 0, 0, "doll"};
        return &kDescription;
    }

  protected:
    void InternReadFile(const std::string&, aiScene* scene, Assimp::IOSystem*) override {
        fillScene(*scene, asset_, {}, {});
    }

  private:
    core::Asset asset_;
};

/// A scene, with its importer.
struct Read {
    explicit Read(core::Asset asset, unsigned steps = 0) {
        importer.RegisterLoader(new AssetImporter(std::move(asset)));
        scene = importer.ReadFileFromMemory("doll", 4, steps, "doll");
    }

    Assimp::Importer importer;
    const aiScene* scene = nullptr;
};

void expectNear(const aiVector3D& found, const aiVector3D& expected) {
    EXPECT_NEAR((found - expected).Length(), 0, 1e-6) << found.x << ' ' << found.y << ' ' << found.z;
}

/// The vertices that follow a bone, in order.
std::vector<unsigned> verticesOf(const aiMesh& mesh, const std::string& bone) {
    std::vector<unsigned> vertices;
    for (unsigned b = 0; b < mesh.mNumBones; ++b)
        if (mesh.mBones[b]->mName.C_Str() == bone)
            for (unsigned i = 0; i < mesh.mBones[b]->mNumWeights; ++i) {
                const aiVertexWeight& weight = mesh.mBones[b]->mWeights[i];
                if (weight.mWeight == 0)  // Assimp's glTF importer gives every bone a vertex
                    continue;
                EXPECT_EQ(weight.mWeight, 1.0F);
                vertices.push_back(weight.mVertexId);
            }
    return vertices;
}

TEST(SceneMeshes, EveryPrimitiveIsAMeshOnTheNodeOfItsMesh) {
    const Read read(test::doll());
    ASSERT_NE(read.scene, nullptr) << read.importer.GetErrorString();
    const aiScene& scene = *read.scene;
    ASSERT_EQ(scene.mNumMeshes, 3U);
    EXPECT_STREQ(scene.mMeshes[0]->mName.C_Str(), "doll_body");
    EXPECT_STREQ(scene.mMeshes[1]->mName.C_Str(), "doll_body-1");
    EXPECT_STREQ(scene.mMeshes[2]->mName.C_Str(), "doll_sword");
    EXPECT_EQ(scene.mMeshes[1]->mMaterialIndex, 1U);
    const aiNode* body = scene.mRootNode->FindNode("doll_body");
    ASSERT_NE(body, nullptr);
    EXPECT_EQ(body->mParent, scene.mRootNode);
    EXPECT_TRUE(body->mTransformation.IsIdentity());
    ASSERT_EQ(body->mNumMeshes, 2U);
    EXPECT_EQ(body->mMeshes[1], 1U);
    EXPECT_EQ(scene.mRootNode->FindNode("doll_sword")->mMeshes[0], 2U);
    EXPECT_EQ(scene.mFlags & AI_SCENE_FLAGS_INCOMPLETE, 0U);
    aiString standIn;
    EXPECT_FALSE(scene.mMetaData->Get("reanima.skeleton_mesh", standIn));
}

TEST(SceneMeshes, VerticesLieAtRestAndFollowTheirBones) {
    const Read read(test::doll());
    const aiMesh& quad = *read.scene->mMeshes[0];
    ASSERT_EQ(quad.mNumVertices, 6U);
    ASSERT_EQ(quad.mNumFaces, 2U);
    expectNear(quad.mVertices[quad.mFaces[0].mIndices[1]], {1, 0, 0});
    expectNear(quad.mVertices[quad.mFaces[1].mIndices[2]], {-1, 2, 0});
    expectNear(quad.mNormals[0], {0, 0, 1});
    expectNear(quad.mTextureCoords[0][quad.mFaces[0].mIndices[0]], {0, 0, 0});  // v = 1 from the top
    expectNear(quad.mTextureCoords[0][quad.mFaces[1].mIndices[2]], {0, 1, 0});
    EXPECT_EQ(quad.mNumUVComponents[0], 2U);
    EXPECT_THAT(verticesOf(quad, "root"), ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_TRUE(verticesOf(quad, "arm").empty());
    const aiMesh& sleeve = *read.scene->mMeshes[1];
    expectNear(sleeve.mVertices[1], {0.5F, 1.5F, 0.02F});
    EXPECT_EQ(sleeve.mColors[0][2], aiColor4D(1, 0, 0, 0.5F));
    EXPECT_THAT(verticesOf(sleeve, "arm"), ElementsAre(0, 1, 2));
    ASSERT_EQ(sleeve.mNumBones, 3U);
    expectNear(sleeve.mBones[1]->mOffsetMatrix * sleeve.mVertices[1], {0.5F, 0, 0.02F});  // back in the arm's space
    const aiMesh& blade = *read.scene->mMeshes[2];
    expectNear(blade.mNormals[0], {0, 0, 1});  // the triangle's own
    EXPECT_EQ(blade.mTextureCoords[0], nullptr);
}

/// The transform of a node relative to the scene.
aiMatrix4x4 globalOf(const aiNode* node) {
    return node->mParent == nullptr ? node->mTransformation : globalOf(node->mParent) * node->mTransformation;
}

TEST(SceneMeshes, NodesOfAnyScaleAreTheBindPose) {
    core::Asset asset = test::doll();
    asset.skeleton->joints[0].rest.rotation = glm::angleAxis(0.7F, glm::normalize(glm::vec3(1, 2, 3)));
    asset.skeleton->joints[0].rest.scale = {0.5F, 1, 3};
    asset.skeleton->joints[1].rest.rotation = glm::angleAxis(-1.1F, glm::normalize(glm::vec3(3, -1, 1)));
    const Read read(std::move(asset));
    const aiMesh& sleeve = *read.scene->mMeshes[1];
    for (unsigned b = 0; b < sleeve.mNumBones; ++b) {
        const aiMatrix4x4 global = globalOf(read.scene->mRootNode->FindNode(sleeve.mBones[b]->mName));
        EXPECT_TRUE((global * sleeve.mBones[b]->mOffsetMatrix).Equal({}, 1e-5F)) << sleeve.mBones[b]->mName.C_Str();
    }
}

TEST(SceneMeshes, MaterialsSayWhatGltfDoes) {
    core::Asset asset = test::doll();
    asset.materials.push_back(asset.materials[0]);
    asset.materials[2].wrap = core::Wrap::clamp;
    asset.materials[2].filter = core::Filter::linear;
    asset.meshes[0].primitives.push_back(asset.meshes[0].primitives[0]);
    asset.meshes[0].primitives[2].material = 2;
    const Read read(std::move(asset));
    const aiScene& scene = *read.scene;
    ASSERT_EQ(scene.mNumMaterials, 3U);
    const aiMaterial& face = *scene.mMaterials[0];
    aiString text;
    EXPECT_EQ(face.GetTexture(aiTextureType_DIFFUSE, 0, &text), aiReturn_SUCCESS);
    EXPECT_STREQ(text.C_Str(), "*0");
    EXPECT_EQ(face.Get(AI_MATKEY_GLTF_ALPHAMODE, text), aiReturn_SUCCESS);
    EXPECT_STREQ(text.C_Str(), "MASK");
    bool twoSided = false;
    EXPECT_EQ(face.Get(AI_MATKEY_TWOSIDED, twoSided), aiReturn_SUCCESS);
    EXPECT_TRUE(twoSided);
    aiShadingMode shading = aiShadingMode_Flat;
    EXPECT_EQ(face.Get(AI_MATKEY_SHADING_MODEL, shading), aiReturn_SUCCESS);
    EXPECT_EQ(shading, aiShadingMode_Unlit);
    EXPECT_EQ(scene.mMaterials[1]->Get(AI_MATKEY_SHADING_MODEL, shading), aiReturn_FAILURE);
    EXPECT_EQ(scene.mMaterials[1]->GetTextureCount(aiTextureType_DIFFUSE), 0U);
    const auto number = [&](unsigned material, const char* key, unsigned type, unsigned index) {
        int value = -1;
        EXPECT_EQ(scene.mMaterials[material]->Get(key, type, index, value), aiReturn_SUCCESS) << key;
        return value;
    };
    EXPECT_EQ(number(0, AI_MATKEY_MAPPINGMODE_U(aiTextureType_DIFFUSE, 0)), aiTextureMapMode_Wrap);
    EXPECT_EQ(number(2, AI_MATKEY_MAPPINGMODE_V(aiTextureType_DIFFUSE, 0)), aiTextureMapMode_Clamp);
    EXPECT_EQ(number(0, AI_MATKEY_GLTF_MAPPINGFILTER_MAG(aiTextureType_DIFFUSE, 0)), 9728);
    EXPECT_EQ(number(2, AI_MATKEY_GLTF_MAPPINGFILTER_MIN(aiTextureType_DIFFUSE, 0)), 9729);
    ASSERT_EQ(scene.mNumTextures, 1U);
    const aiTexture& texture = *scene.mTextures[0];
    EXPECT_STREQ(texture.mFilename.C_Str(), "face");
    EXPECT_STREQ(texture.achFormatHint, "png");
    EXPECT_EQ(texture.mHeight, 0U);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(texture.pcData);  // NOLINT: a file
    EXPECT_EQ(pictures::decodePng({bytes, texture.mWidth}, {}).at(1, 0), (pictures::Rgba{0, 255, 0, 255}));
}

TEST(SceneMeshes, MeshesWithoutASkeletonHaveNoBones) {
    const Read read(test::plate(), kPreset);
    ASSERT_NE(read.scene, nullptr) << read.importer.GetErrorString();
    EXPECT_STREQ(read.scene->mRootNode->mName.C_Str(), "plate_model");
    ASSERT_EQ(read.scene->mNumMeshes, 1U);
    EXPECT_EQ(read.scene->mMeshes[0]->mNumBones, 0U);
    EXPECT_NE(read.scene->mRootNode->FindNode("plate"), nullptr);
    EXPECT_EQ(read.scene->mNumAnimations, 0U);
}

TEST(SceneMeshes, APictureAloneIsNoScene) {
    core::Asset asset = test::plate();
    asset.meshes.clear();
    asset.materials.clear();
    const Read read(std::move(asset));
    EXPECT_EQ(read.scene, nullptr);
    EXPECT_STREQ(read.importer.GetErrorString(), "contains only an image, which a scene can't show");
}

/// For every corner its position, its colour and its bone, in any order.
using Corner = std::tuple<int, int, int, int, std::string>;

std::multiset<Corner> cornersOf(const aiScene& scene) {
    std::multiset<Corner> corners;
    for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
        const aiMesh& mesh = *scene.mMeshes[m];
        std::map<unsigned, std::string> bones;
        for (unsigned b = 0; b < mesh.mNumBones; ++b)
            for (const unsigned vertex : verticesOf(mesh, mesh.mBones[b]->mName.C_Str()))
                bones[vertex] = mesh.mBones[b]->mName.C_Str();
        const auto thousandths = [](ai_real value) { return static_cast<int>(std::lround(value * 1000)); };
        for (unsigned f = 0; f < mesh.mNumFaces; ++f)
            for (unsigned i = 0; i < mesh.mFaces[f].mNumIndices; ++i) {
                const unsigned v = mesh.mFaces[f].mIndices[i];
                const aiVector3D& place = mesh.mVertices[v];
                corners.emplace(thousandths(place.x), thousandths(place.y), thousandths(place.z),
                                thousandths(mesh.mColors[0][v].g), bones[v]);
            }
    }
    return corners;
}

TEST(SceneMeshes, SurviveTheQualityPresetAndExportAsGlb) {
    const Read plain(test::doll());
    const std::multiset<Corner> expected = cornersOf(*plain.scene);
    ASSERT_EQ(expected.size(), 12U);
    const Read read(test::doll(), kPreset);
    ASSERT_NE(read.scene, nullptr) << read.importer.GetErrorString();
    EXPECT_EQ(cornersOf(*read.scene), expected);
    Assimp::Exporter exporter;
    const std::filesystem::path glb = std::filesystem::path(testing::TempDir()) / "reanima_doll.glb";
    ASSERT_EQ(exporter.Export(read.scene, "glb2", glb.string()), aiReturn_SUCCESS) << exporter.GetErrorString();
    Assimp::Importer again;
    const aiScene* copy = again.ReadFile(glb.string(), kPreset);
    std::filesystem::remove(glb);
    ASSERT_NE(copy, nullptr) << again.GetErrorString();
    EXPECT_EQ(cornersOf(*copy), expected);
    EXPECT_EQ(copy->mNumTextures, 1U);
    EXPECT_EQ(copy->mNumAnimations, 1U);
    aiString mode;
    unsigned unlit = 0;
    unsigned masked = 0;
    for (unsigned i = 0; i < copy->mNumMaterials; ++i) {
        aiShadingMode shading = aiShadingMode_Flat;
        unlit += copy->mMaterials[i]->Get(AI_MATKEY_SHADING_MODEL, shading) == aiReturn_SUCCESS &&
                         shading == aiShadingMode_Unlit
                     ? 1
                     : 0;
        masked +=
            copy->mMaterials[i]->Get(AI_MATKEY_GLTF_ALPHAMODE, mode) == aiReturn_SUCCESS && mode == aiString("MASK")
                ? 1
                : 0;
    }
    EXPECT_EQ(unlit, 1U);
    EXPECT_EQ(masked, 1U);
}

}  // namespace
}  // namespace reanima
