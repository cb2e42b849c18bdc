/// Rigs of other programs as scenes of Assimp. The bytes describe a scene; it becomes a .glb, which is read again.
/// Assimp's own readers are not tested here.

#include <algorithm>
#include <cmath>
#include <memory>

#include <assimp/DefaultIOSystem.h>
#include <assimp/scene.h>

#include "core/byte_reader.h"
#include "core/validate.h"
#include "fuzz/targets.h"
#include "gltf_export/gltf_skeleton.h"
#include "gltf_export/scene_file.h"
#include "importers/assimp_content.h"
#include "importers/scene_skeleton.h"
#include "pictures/picture_files.h"

namespace reanima::fuzz {

namespace {

using Reader = core::ByteReader<std::endian::little>;

/// An array that Assimp's classes own.
template <typename T>
T* arrayOf(const std::vector<T>& values) {
    auto* array = new T[std::max<std::size_t>(1, values.size())];  // NOLINT: its scene owns it
    std::ranges::copy(values, array);
    return array;
}

/// A list of new elements that its scene owns. Null if it would be empty.
template <typename T, typename Fill>
void addAll(unsigned number, T**& list, unsigned& count, const Fill& fill) {
    if (number == 0)
        return;
    list = new T* [number] {};  // NOLINT: its scene owns it
    while (count < number) {
        list[count] = new T;  // NOLINT: likewise
        fill(*list[count++]);
    }
}

/// Makes a scene from bytes: few elements of each kind, numbers of any value, references that may be invalid. After the
/// end of the bytes, all values are 0.
class SceneMaker {
  public:
    explicit SceneMaker(core::Bytes bytes) : reader_(bytes) {}

    std::unique_ptr<aiScene> make() {
        auto scene = std::make_unique<aiScene>();
        scene->mRootNode = new aiNode("n0");  // NOLINT: the scene owns it
        readNodes(*scene->mRootNode);
        addAll(few(), scene->mMeshes, scene->mNumMeshes, [this](aiMesh& added) { readMesh(added); });
        addAll(few(), scene->mMaterials, scene->mNumMaterials, [this](aiMaterial& added) { readMaterial(added); });
        addAll(few(), scene->mAnimations, scene->mNumAnimations, [this](aiAnimation& added) { readAnimation(added); });
        addAll(few(), scene->mTextures, scene->mNumTextures, [this](aiTexture& added) { readTexture(added); });
        return scene;
    }

  private:
    static constexpr std::uint8_t kMost = 8;

    std::uint8_t byte(const char* field) {
        return reader_.atEnd() ? std::uint8_t{0} : reader_.read<std::uint8_t>(field);
    }
    std::uint8_t few() { return static_cast<std::uint8_t>(byte("count") % kMost); }
    float number() { return reader_.remaining() < sizeof(float) ? 0.0F : reader_.read<float>("number"); }
    aiVector3D vector() {
        const float x = number();
        const float y = number();
        return {x, y, number()};
    }
    aiString name() { return aiString("n" + std::to_string(byte("name") % (2 * kMost))); }
    aiMatrix4x4 matrix() {
        aiMatrix4x4 matrix;
        for (unsigned row = 0; row < 3; ++row)
            for (unsigned column = 0; column < 4; ++column)
                matrix[row][column] = number();
        return matrix;
    }

    void readNodes(aiNode& root) {
        std::vector<aiNode*> nodes = {&root};
        for (std::uint8_t left = few(); left > 0; --left) {
            auto* node = new aiNode;  // NOLINT: its parent owns it
            nodes[byte("parent") % nodes.size()]->addChildren(1, &node);
            nodes.push_back(node);
            node->mName = name();
            node->mTransformation = byte("has_matrix") % 2 == 0 ? matrix() : aiMatrix4x4();
            std::vector<unsigned> meshes(few());
            for (unsigned& mesh : meshes)
                mesh = byte("mesh") % kMost;
            node->mNumMeshes = static_cast<unsigned>(meshes.size());
            node->mMeshes = arrayOf(meshes);
        }
    }

    void readMesh(aiMesh& mesh) {
        mesh.mName = name();
        mesh.mMaterialIndex = byte("material");
        std::vector<aiVector3D> vertices(std::size_t{4} * few());
        for (aiVector3D& vertex : vertices)
            vertex = vector();
        mesh.mNumVertices = static_cast<unsigned>(vertices.size());
        mesh.mVertices = arrayOf(vertices);
        if (byte("has_more") % 2 == 0) {
            mesh.mNormals = arrayOf(vertices);
            mesh.mTextureCoords[0] = arrayOf(vertices);  // NOLINT: Assimp's array
            mesh.mColors[0] = arrayOf(std::vector<aiColor4D>(vertices.size(), {number(), 1, 1, 1}));  // NOLINT
        }
        std::vector<aiFace> faces(few());
        for (aiFace& face : faces) {
            std::vector<unsigned> corners(few());
            for (unsigned& corner : corners)
                corner = byte("corner") % (8U * kMost);
            face.mNumIndices = static_cast<unsigned>(corners.size());
            face.mIndices = arrayOf(corners);
        }
        mesh.mNumFaces = static_cast<unsigned>(faces.size());
        mesh.mFaces = arrayOf(faces);
        addAll(few(), mesh.mBones, mesh.mNumBones, [this](aiBone& bone) { readBone(bone); });
        addAll(few() % 2U, mesh.mAnimMeshes, mesh.mNumAnimMeshes, [&](aiAnimMesh& shape) {
            shape.mName = name();
            shape.mNumVertices = mesh.mNumVertices;
            shape.mVertices = arrayOf(std::vector<aiVector3D>(vertices.size(), vector()));
        });
    }

    void readBone(aiBone& bone) {
        bone.mName = name();
        bone.mOffsetMatrix = byte("has_matrix") % 2 == 0 ? matrix() : aiMatrix4x4();
        std::vector<aiVertexWeight> weights(std::size_t{2} * few());
        for (aiVertexWeight& weight : weights) {
            weight.mVertexId = byte("vertex");
            weight.mWeight = number();
        }
        bone.mNumWeights = static_cast<unsigned>(weights.size());
        bone.mWeights = arrayOf(weights);
    }

    void readMaterial(aiMaterial& material) {
        const aiString called = name();
        material.AddProperty(&called, AI_MATKEY_NAME);
        const aiColor4D color(number(), number(), number(), number());
        material.AddProperty(&color, 1, AI_MATKEY_COLOR_DIFFUSE);
        const aiString picture("*" + std::to_string(byte("picture") % kMost));
        material.AddProperty(&picture, AI_MATKEY_TEXTURE_DIFFUSE(0));
    }

    template <typename Key, typename Value>
    void readKeys(Key*& keys, unsigned& count, const Value& value) {
        std::vector<Key> read(few());
        for (Key& key : read) {
            key.mTime = static_cast<double>(number());
            key.mValue = value();
        }
        count = static_cast<unsigned>(read.size());
        keys = arrayOf(read);
    }

    void readAnimation(aiAnimation& animation) {
        animation.mName = name();
        animation.mDuration = static_cast<double>(number());
        animation.mTicksPerSecond = static_cast<double>(number());
        addAll(few(), animation.mChannels, animation.mNumChannels, [this](aiNodeAnim& channel) {
            channel.mNodeName = name();
            readKeys(channel.mPositionKeys, channel.mNumPositionKeys, [this] { return vector(); });
            readKeys(channel.mScalingKeys, channel.mNumScalingKeys, [this] { return vector(); });
            readKeys(channel.mRotationKeys, channel.mNumRotationKeys, [this] {
                const aiVector3D axis = vector();
                return aiQuaternion(number(), axis.x, axis.y, axis.z);
            });
        });
    }

    void readTexture(aiTexture& texture) {
        const bool isFile = byte("is_file") % 2 == 0;
        texture.mHeight = isFile ? 0 : 1U + few();
        texture.mWidth = isFile ? byte("size") : few();
        const std::size_t texels = isFile ? (texture.mWidth + 3) / 4 : std::size_t{texture.mWidth} * texture.mHeight;
        texture.pcData = arrayOf(std::vector<aiTexel>(texels));
        const core::Bytes bytes = reader_.bytesUpTo(isFile ? texture.mWidth : 4 * texels);
        std::memcpy(texture.pcData, bytes.data(), bytes.size());
    }

    Reader reader_;
};

template <typename Value>
bool areSound(const std::vector<float>& times, const std::vector<Value>& values) {
    return times.size() == values.size() && std::ranges::adjacent_find(times, std::greater_equal<>()) == times.end() &&
           std::ranges::all_of(values, [](const Value& value) { return std::isfinite(glm::dot(value, value)); });
}

void checkContent(const core::SceneContent& content) {
    for (const core::ScenePart& part : content.parts) {
        const std::size_t vertices = part.positions.size();
        require(std::ranges::all_of(part.indices, [&](std::uint32_t v) { return v < vertices; }),
                "a corner is nowhere");
        require(part.material < content.materials.size(), "a material is nowhere");
        if (!part.bones)
            continue;
        const std::size_t joints = content.bones.at(*part.bones).joints.size();
        require(part.joints.size() == vertices && part.weights.size() == vertices, "weights for some vertices alone");
        for (const auto& listed : part.joints)
            require(std::ranges::all_of(listed, [&](std::uint16_t joint) { return joint < joints; }),
                    "a joint is nowhere");
        for (const glm::vec4& weights : part.weights)
            require(std::abs(weights.x + weights.y + weights.z + weights.w - 1) < 1e-3F, "weights don't add up to 1");
    }
    for (const core::SceneAnimation& animation : content.animations)
        for (const core::SceneTrack& track : animation.tracks)
            require(track.node < content.scene.nodes.size() && areSound(track.translationTimes, track.translations) &&
                        areSound(track.rotationTimes, track.rotations) && areSound(track.scaleTimes, track.scales),
                    "a track is not sound");
}

void checkScene(core::Bytes bytes) {
    const core::Limits limits = smallLimits();
    core::Diagnostics diagnostics;
    try {
        const std::unique_ptr<aiScene> scene = SceneMaker(bytes).make();
        Assimp::DefaultIOSystem disk;
        RigIOSystem files(disk, "fuzz/rig.fbx");
        const SceneNodes nodes = nodesOf(*scene, "rig", diagnostics);
        const core::Rig rig = rigOf(nodes, diagnostics);
        core::Asset asset;
        asset.skeleton.emplace(rig.skeleton);
        require(core::validate(asset).empty(), "the skeleton is not valid");
        const core::SceneContent content = contentOf(*scene, nodes, files, limits, diagnostics);
        checkContent(content);
        const core::ByteVector file = gltf::makeSceneFile(content, limits);
        (void)gltf::readRig({file, "rig.glb", {}}, limits, diagnostics);
    } catch (const core::DecodeError&) {  // rejected
    }
}

void checkPicture(core::Bytes bytes) {
    const core::Limits limits = smallLimits();
    try {
        const pictures::Picture picture = pictures::readPictureFile(bytes, limits);
        require(picture.pixels.size() == std::size_t{picture.width} * picture.height, "the size differs");
        require(!picture.pixels.empty() && picture.pixels.size() <= limits.picturePixels, "the limit does not hold");
    } catch (const core::DecodeError&) {  // rejected
    }
}

}  // namespace

std::vector<Target> sceneTargets() {
    return {{"scene", Mutation::fields, checkScene}, {"picture-file", Mutation::fields, checkPicture}};
}

}  // namespace reanima::fuzz
