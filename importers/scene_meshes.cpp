#include "importers/scene_meshes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>

#include <assimp/GltfMaterial.h>
#include <assimp/material.h>
#include <assimp/mesh.h>
#include <assimp/texture.h>
#include <fmt/format.h>
#include <glm/gtc/matrix_inverse.hpp>

#include "core/bake.h"
#include "core/pose.h"
#include "importers/embedded_png.h"
#include "importers/scene_animation.h"
#include "pictures/png.h"

namespace reanima {

namespace {

aiMatrix4x4 matrixToAssimp(const glm::dmat4& m) {
    const auto at = [&m](int row, int column) { return static_cast<ai_real>(m[column][row]); };
    return {at(0, 0), at(0, 1), at(0, 2), at(0, 3), at(1, 0), at(1, 1), at(1, 2), at(1, 3),
            at(2, 0), at(2, 1), at(2, 2), at(2, 3), at(3, 0), at(3, 1), at(3, 2), at(3, 3)};
}

// Parts are attached to the scene as early as possible, and arrays of pointers start as null. ~aiScene then frees
// everything if memory runs out.

// ---------------------------------------------------------------------------------------------------------------------
// Materials

void addImages(aiScene& scene, const std::vector<core::Image>& images, core::MemoryCount& memory) {
    if (images.empty())
        return;
    scene.mTextures = new aiTexture*[images.size()]();
    for (const core::Image& image : images) {
        memory.require(2 * std::uint64_t{image.rgba.size()});
        const core::ByteVector png = pictures::encodePng(image);
        memory.add(png.size());
        scene.mTextures[scene.mNumTextures++] = embeddedPng(png, image.name).release();
    }
}

void addTexture(aiMaterial& material, const core::Material& from, std::uint32_t image, aiTextureType type) {
    const core::Wrap shown = type == aiTextureType_EMISSIVE ? from.emissiveWrap : from.wrap;
    const aiString path(fmt::format("*{}", image));
    material.AddProperty(&path, AI_MATKEY_TEXTURE(type, 0));
    const int wrap = shown == core::Wrap::repeat ? aiTextureMapMode_Wrap : aiTextureMapMode_Clamp;
    material.AddProperty(&wrap, 1, AI_MATKEY_MAPPINGMODE_U(type, 0));
    material.AddProperty(&wrap, 1, AI_MATKEY_MAPPINGMODE_V(type, 0));
    constexpr int kNearest = 9728;
    constexpr int kLinear = 9729;
    const int filter = from.filter == core::Filter::nearest ? kNearest : kLinear;
    material.AddProperty(&filter, 1, AI_MATKEY_GLTF_MAPPINGFILTER_MAG(type, 0));
    constexpr int kLinearMipmapped = 9987;
    const int smaller = from.filter == core::Filter::mipmapped ? kLinearMipmapped : filter;
    material.AddProperty(&smaller, 1, AI_MATKEY_GLTF_MAPPINGFILTER_MIN(type, 0));
}

const char* nameOf(core::AlphaMode mode) {
    return mode == core::AlphaMode::mask ? "MASK" : mode == core::AlphaMode::blend ? "BLEND" : "OPAQUE";
}

/// @param emissiveSet index of the texture coordinates for the emissive texture
std::unique_ptr<aiMaterial> makeMaterial(const core::Material& from, int emissiveSet) {
    auto material = std::make_unique<aiMaterial>();
    const aiString name(from.name);
    material->AddProperty(&name, AI_MATKEY_NAME);
    const aiColor4D factor(from.factor.r, from.factor.g, from.factor.b, from.factor.a);
    material->AddProperty(&factor, 1, AI_MATKEY_COLOR_DIFFUSE);
    material->AddProperty(&factor, 1, AI_MATKEY_BASE_COLOR);
    const ai_real metallic = 0;
    material->AddProperty(&metallic, 1, AI_MATKEY_METALLIC_FACTOR);
    const ai_real roughness = 1;
    material->AddProperty(&roughness, 1, AI_MATKEY_ROUGHNESS_FACTOR);
    const aiString alphaMode(nameOf(from.alphaMode));
    material->AddProperty(&alphaMode, AI_MATKEY_GLTF_ALPHAMODE);
    material->AddProperty(&from.alphaCutoff, 1, AI_MATKEY_GLTF_ALPHACUTOFF);
    material->AddProperty(&from.doubleSided, 1, AI_MATKEY_TWOSIDED);
    if (from.unlit) {
        const aiShadingMode unlit = aiShadingMode_Unlit;  // Assimp's exporters ignore an integer here
        material->AddProperty(&unlit, 1, AI_MATKEY_SHADING_MODEL);
    }
    if (from.image)
        for (const aiTextureType type : {aiTextureType_DIFFUSE, aiTextureType_BASE_COLOR})
            addTexture(*material, from, *from.image, type);
    if (from.emissive) {
        const aiColor3D white(1, 1, 1);
        material->AddProperty(&white, 1, AI_MATKEY_COLOR_EMISSIVE);
        addTexture(*material, from, *from.emissive, aiTextureType_EMISSIVE);
        const int set = emissiveSet;
        material->AddProperty(&set, 1, AI_MATKEY_UVWSRC(aiTextureType_EMISSIVE, 0));
    }
    return material;
}

void addMaterials(aiScene& scene, const core::Asset& asset) {
    const std::vector<core::Material>& materials = asset.materials;
    std::vector<int> emissiveSets(materials.size());
    for (const core::Mesh& mesh : asset.meshes)
        for (const core::Primitive& primitive : mesh.primitives)
            if (!primitive.emissiveCoordinates.empty())
                emissiveSets[primitive.material] = 1;
    scene.mMaterials = materials.empty() ? nullptr : new aiMaterial*[materials.size()]();
    for (std::size_t i = 0; i < materials.size(); ++i)
        scene.mMaterials[scene.mNumMaterials++] = makeMaterial(materials[i], emissiveSets[i]).release();
}

// ---------------------------------------------------------------------------------------------------------------------
// Triangles

class PrimitiveBuilder {
  public:
    explicit PrimitiveBuilder(const core::Asset& asset) : baker_(asset) {
        if (!asset.skeleton)
            return;
        const core::Skeleton& skeleton = *asset.skeleton;
        baker_ = baker_.bound(skeleton);
        for (const glm::dmat4& global : core::bindMatrices(skeleton))
            offsets_.push_back(matrixToAssimp(glm::affineInverse(global)));
        for (const core::Joint& joint : skeleton.joints)
            names_.emplace_back(joint.name);
    }

    [[nodiscard]] std::unique_ptr<aiMesh> make(const core::Primitive& primitive, const std::string& name,
                                               core::MemoryCount& memory) const {
        memory.add(memoryOf(primitive));
        auto mesh = std::make_unique<aiMesh>();
        mesh->mName = name;
        mesh->mPrimitiveTypes = aiPrimitiveType_TRIANGLE;
        mesh->mMaterialIndex = primitive.material;
        mesh->mNumVertices = static_cast<unsigned>(primitive.indices.size());
        addFaces(*mesh);
        mesh->mVertices = vectorsOf(baker_.positions(primitive), primitive.indices);
        mesh->mNormals =
            primitive.normals.empty() ? flatNormals(*mesh) : vectorsOf(baker_.normals(primitive), primitive.indices);
        addTextureCoordinates(*mesh, primitive);
        addColors(*mesh, primitive);
        if (!primitive.joints.empty()) {
            addBones(*mesh, primitive);
            keepBonesApart(*mesh, primitive);
        }
        return mesh;
    }

  private:
    [[nodiscard]] std::uint64_t memoryOf(const core::Primitive& primitive) const {
        constexpr std::uint64_t kPerCorner = 4 * sizeof(aiVector3D) + sizeof(aiColor4D) + 3 * sizeof(aiVertexWeight) +
                                             sizeof(unsigned) + 2 * core::heapBytes(64);  // in keepBonesApart()
        return names_.size() * (core::heapBytes(sizeof(aiBone)) + sizeof(void*)) +
               primitive.indices.size() * kPerCorner +
               primitive.indices.size() / 3 * (sizeof(aiFace) + core::heapBytes(3 * sizeof(unsigned)));
    }

    /// Assimp needs a separate vertex for every corner.
    static void addFaces(aiMesh& mesh) {
        mesh.mNumFaces = mesh.mNumVertices / 3;
        mesh.mFaces = new aiFace[mesh.mNumFaces];
        for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
            mesh.mFaces[f].mNumIndices = 3;
            mesh.mFaces[f].mIndices = new unsigned[3]{3 * f, 3 * f + 1, 3 * f + 2};
        }
    }

    static aiVector3D* vectorsOf(const std::vector<glm::vec3>& values, const std::vector<std::uint32_t>& indices) {
        auto* vectors = new aiVector3D[indices.size()];
        std::ranges::transform(indices, vectors, [&](std::uint32_t index) { return toAssimp(values[index]); });
        return vectors;
    }

    static aiVector3D* flatNormals(const aiMesh& mesh) {
        auto* normals = new aiVector3D[mesh.mNumVertices];
        for (unsigned first = 0; first < mesh.mNumVertices; first += 3) {
            const aiVector3D* v = mesh.mVertices + first;
            std::fill_n(normals + first, 3, ((v[1] - v[0]) ^ (v[2] - v[0])).NormalizeSafe());
        }
        return normals;
    }

    static void addTextureCoordinates(aiMesh& mesh, const core::Primitive& primitive) {
        unsigned set = 0;
        for (const auto* list : {&primitive.textureCoordinates, &primitive.emissiveCoordinates}) {
            if (list->empty())
                continue;
            mesh.mNumUVComponents[set] = 2;
            auto* coordinates = mesh.mTextureCoords[set++] = new aiVector3D[mesh.mNumVertices];
            for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
                const glm::vec2& uv = (*list)[primitive.indices[i]];
                coordinates[i] = {uv.x, 1 - uv.y, 0};  // Assimp's textures begin at the bottom
            }
        }
    }

    static void addColors(aiMesh& mesh, const core::Primitive& primitive) {
        if (primitive.colors.empty())
            return;
        mesh.mColors[0] = new aiColor4D[mesh.mNumVertices];
        for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
            const glm::vec4& color = primitive.colors[primitive.indices[i]];
            mesh.mColors[0][i] = {color.r, color.g, color.b, color.a};
        }
    }

    void addBones(aiMesh& mesh, const core::Primitive& primitive) const {
        std::vector<std::vector<aiVertexWeight>> weights(names_.size());
        for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
            const std::uint32_t vertex = primitive.indices[i];
            weights[primitive.joints[vertex]].emplace_back(i, core::firstWeight(primitive, vertex));
            if (!primitive.others.empty())
                for (const core::Influence& other : primitive.others[vertex])
                    if (other.weight > 0)
                        weights[other.joint].emplace_back(i, other.weight);
        }
        mesh.mNumBones = static_cast<unsigned>(names_.size());
        mesh.mBones = new aiBone*[mesh.mNumBones]();
        for (unsigned joint = 0; joint < mesh.mNumBones; ++joint) {
            auto* bone = mesh.mBones[joint] = new aiBone;
            bone->mName = names_[joint];
            bone->mOffsetMatrix = offsets_[joint];
            bone->mNumWeights = static_cast<unsigned>(weights[joint].size());
            bone->mWeights = new aiVertexWeight[bone->mNumWeights];
            std::ranges::copy(weights[joint], bone->mWeights);
        }
    }

    /// Assimp 5.4 and 6 merge vertices with identical positions even if different joints move them. Bones then refer to
    /// removed vertices, and exporters crash. Therefore, if corners of two joints coincide, one joint's corners are
    /// moved by up to a few units in the last place.
    static void keepBonesApart(aiMesh& mesh, const core::Primitive& primitive) {
        using Place = std::array<float, 3>;
        std::map<std::pair<Place, std::uint32_t>, float> moved;  // the new x, by position and joint
        std::map<Place, std::uint32_t> taken;                    // joint at each position
        for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
            aiVector3D& corner = mesh.mVertices[i];
            const std::uint32_t joint = primitive.joints[primitive.indices[i]];
            const auto [known, isNew] = moved.try_emplace({{corner.x, corner.y, corner.z}, joint}, corner.x);
            while (isNew && std::isfinite(known->second) &&
                   taken.try_emplace({known->second, corner.y, corner.z}, joint).first->second != joint)
                known->second = std::nextafter(known->second, std::numeric_limits<float>::infinity());
            corner.x = known->second;
        }
    }

    core::RestBaker baker_;
    std::vector<aiMatrix4x4> offsets_;  ///< one per joint
    std::vector<aiString> names_;
};

}  // namespace

std::vector<SceneMesh> addMeshes(aiScene& scene, const core::Asset& asset, core::MemoryCount& memory) {
    addImages(scene, asset.images, memory);
    addMaterials(scene, asset);
    std::size_t count = 0;
    for (const core::Mesh& mesh : asset.meshes)
        count += mesh.primitives.size();
    scene.mMeshes = new aiMesh*[count]();
    const PrimitiveBuilder builder(asset);
    std::vector<SceneMesh> meshes;
    for (const core::Mesh& mesh : asset.meshes) {
        SceneMesh& added = meshes.emplace_back();
        added.name = mesh.name;
        for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
            const std::string name = i == 0 ? mesh.name : fmt::format("{}-{}", mesh.name, i);
            scene.mMeshes[scene.mNumMeshes] = builder.make(mesh.primitives[i], name, memory).release();
            added.parts.push_back(scene.mNumMeshes++);
        }
    }
    return meshes;
}

}  // namespace reanima
