#include "importers/assimp/scene_builder.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <assimp/material.h>
#include <assimp/mesh.h>
#include <fmt/format.h>
#include <glm/gtc/matrix_inverse.hpp>

#include "core/facts.h"
#include "core/memory.h"
#include "core/pose.h"
#include "core/proxy_mesh.h"
#include "core/text.h"
#include "importers/assimp/flipbook_scene.h"
#include "importers/assimp/scene_animation.h"
#include "importers/assimp/scene_metadata.h"

namespace reanima {

namespace {

using core::Channel;
using core::Clip;
using core::Skeleton;

aiMatrix4x4 matrixToAssimp(const glm::dmat4& m) {
    const auto at = [&m](int row, int column) { return static_cast<ai_real>(m[column][row]); };
    return {at(0, 0), at(0, 1), at(0, 2), at(0, 3), at(1, 0), at(1, 1), at(1, 2), at(1, 3),
            at(2, 0), at(2, 1), at(2, 2), at(2, 3), at(3, 0), at(3, 1), at(3, 2), at(3, 3)};
}

// Everything hangs on the scene as soon as it can, and arrays of pointers begin as null: where memory runs out,
// ~aiScene frees what is there.

// ---------------------------------------------------------------------------------------------------------------------
// Nodes

/// A name that nothing else has: neither a joint, nor an animation, with whose name Assimp's glTF exporter would stop.
std::string containerName(const Skeleton& skeleton, const std::vector<Clip>& clips) {
    core::UniqueNames names;
    for (const Clip& clip : clips)
        (void)names.unique(clip.name);
    for (const core::Joint& joint : skeleton.joints)
        (void)names.unique(joint.name);
    return names.unique(core::safeName(skeleton.name));
}

using Children = std::vector<std::unique_ptr<aiNode>>;

void setChildren(aiNode& parent, Children& children) {
    if (children.empty())
        return;
    parent.mChildren = new aiNode*[children.size()]();
    parent.mNumChildren = static_cast<unsigned>(children.size());
    for (std::size_t i = 0; i < children.size(); ++i) {
        parent.mChildren[i] = children[i].release();
        parent.mChildren[i]->mParent = &parent;
    }
}

std::unique_ptr<aiNode> makeNodes(const Skeleton& skeleton, const std::vector<Clip>& clips, core::MemoryCount& memory) {
    memory.add((skeleton.joints.size() + 1) * (core::heapBytes(sizeof(aiNode)) + core::heapBytes(sizeof(aiNode*))));
    auto container = std::make_unique<aiNode>(containerName(skeleton, clips));
    std::vector<aiNode*> nodes;
    std::vector<Children> children(skeleton.joints.size() + 1);  // the last one: the container's
    for (const core::Joint& joint : skeleton.joints) {
        auto node = std::make_unique<aiNode>(joint.name);
        node->mTransformation =
            aiMatrix4x4(toAssimp(joint.rest.scale), toAssimp(joint.rest.rotation), toAssimp(joint.rest.translation));
        nodes.push_back(node.get());
        children[joint.parent == core::kNoParent ? skeleton.joints.size() : static_cast<std::size_t>(joint.parent)]
            .push_back(std::move(node));
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
        setChildren(*nodes[i], children[i]);
    setChildren(*container, children.back());
    return container;
}

// ---------------------------------------------------------------------------------------------------------------------
// The stand-in mesh

constexpr const char* kMeshName = "reanima_skeleton";

std::unique_ptr<aiMesh> makeMesh(const Skeleton& skeleton, core::MemoryCount& memory) {
    constexpr std::uint64_t kPerCorner = 2 * sizeof(aiVector3D) + sizeof(aiVertexWeight) + sizeof(unsigned);
    const core::ProxyMesh proxy = core::makeProxyMesh(skeleton);
    memory.add(skeleton.joints.size() * (core::heapBytes(sizeof(aiBone)) + sizeof(aiBone*)) +
               proxy.indices.size() * kPerCorner +
               proxy.indices.size() / 3 * (sizeof(aiFace) + core::heapBytes(3 * sizeof(unsigned))));
    const std::vector<glm::dmat4> globals = core::globalMatrices(skeleton, core::restPose(skeleton));
    auto mesh = std::make_unique<aiMesh>();
    mesh->mName = kMeshName;
    mesh->mPrimitiveTypes = aiPrimitiveType_TRIANGLE;
    // Assimp wants a vertex of its own for every corner.
    mesh->mNumVertices = static_cast<unsigned>(proxy.indices.size());
    mesh->mVertices = new aiVector3D[mesh->mNumVertices];
    mesh->mNormals = new aiVector3D[mesh->mNumVertices];
    mesh->mNumFaces = mesh->mNumVertices / 3;
    mesh->mFaces = new aiFace[mesh->mNumFaces];
    std::vector<std::vector<unsigned>> verticesOf(skeleton.joints.size());
    for (unsigned f = 0; f < mesh->mNumFaces; ++f) {
        aiFace& face = mesh->mFaces[f];
        face.mNumIndices = 3;
        face.mIndices = new unsigned[3];
        for (unsigned corner = 0; corner < 3; ++corner) {
            const unsigned vertex = 3 * f + corner;
            const std::uint32_t source = proxy.indices[vertex];
            face.mIndices[corner] = vertex;
            mesh->mVertices[vertex] = toAssimp(proxy.positions[source]);
            verticesOf[proxy.joints[source][0]].push_back(vertex);
        }
        const aiVector3D* v = mesh->mVertices + std::size_t{3} * f;
        const aiVector3D normal = ((v[1] - v[0]) ^ (v[2] - v[0])).NormalizeSafe();
        std::fill_n(mesh->mNormals + std::size_t{3} * f, 3, normal);
    }
    mesh->mNumBones = static_cast<unsigned>(skeleton.joints.size());
    mesh->mBones = new aiBone*[mesh->mNumBones]();
    for (unsigned joint = 0; joint < mesh->mNumBones; ++joint) {
        auto* bone = mesh->mBones[joint] = new aiBone;
        bone->mName = skeleton.joints[joint].name;
        bone->mOffsetMatrix = matrixToAssimp(glm::affineInverse(globals[joint]));
        bone->mNumWeights = static_cast<unsigned>(verticesOf[joint].size());
        bone->mWeights = new aiVertexWeight[bone->mNumWeights];
        for (unsigned i = 0; i < bone->mNumWeights; ++i)
            bone->mWeights[i] = aiVertexWeight(verticesOf[joint][i], 1);
    }
    return mesh;
}

void addMesh(aiScene& scene, const Skeleton& skeleton, core::MemoryCount& memory) {
    scene.mNumMaterials = 1;
    scene.mMaterials = new aiMaterial*[1]();
    scene.mMaterials[0] = new aiMaterial;
    const aiString name(AI_DEFAULT_MATERIAL_NAME);
    scene.mMaterials[0]->AddProperty(&name, AI_MATKEY_NAME);
    scene.mNumMeshes = 1;
    scene.mMeshes = new aiMesh*[1]();
    scene.mMeshes[0] = makeMesh(skeleton, memory).release();
    scene.mRootNode->mNumMeshes = 1;
    scene.mRootNode->mMeshes = new unsigned[1]{0};
}

// ---------------------------------------------------------------------------------------------------------------------
// What has no place elsewhere

std::string allWarnings(const core::Diagnostics& diagnostics) {
    std::string text;
    for (const core::Warning& warning : diagnostics.warnings())
        if (warning.severity == core::Warning::Severity::warning)
            text += (text.empty() ? "" : "\n") + warning.message();
    return text;
}

void fillRig(aiScene& scene, const core::Asset& asset, const SceneOptions& options, core::MemoryCount& memory) {
    const Skeleton& skeleton = *asset.skeleton;
    scene.mRootNode = makeNodes(skeleton, asset.clips, memory).release();
    if (options.skeletonMesh)
        addMesh(scene, skeleton, memory);
    else
        scene.mFlags |= AI_SCENE_FLAGS_INCOMPLETE;  // and no material: it would fail the quality presets
    const AnimatedJoints joints(skeleton, *scene.mRootNode);
    scene.mNumAnimations = static_cast<unsigned>(asset.clips.size());
    scene.mAnimations = asset.clips.empty() ? nullptr : new aiAnimation*[asset.clips.size()]();
    for (std::size_t i = 0; i < asset.clips.size(); ++i)
        scene.mAnimations[i] = makeAnimation(joints, asset.clips[i], memory).release();
}

/// Calls use(name, value) for everything that becomes metadata.
template <typename Use>
void forEachFact(const core::Asset& asset, const SceneOptions& options, const core::Diagnostics& diagnostics,
                 const Use& use) {
    use("reanima.warnings", allWarnings(diagnostics));
    if (asset.video) {
        use("reanima.clip.0", core::factsOf(*asset.video));
        return;
    }
    const Skeleton& skeleton = *asset.skeleton;
    use("reanima.skeleton", std::string(core::originName(skeleton.origin)));
    for (const auto& [key, value] : skeleton.extras)
        use("reanima.skeleton_" + key, value);
    if (!asset.model.empty())
        use("reanima.model", asset.model);
    use("reanima.models", std::vector<core::Value>(asset.models.begin(), asset.models.end()));
    if (options.skeletonMesh)
        use("reanima.skeleton_mesh", kMeshName);
    for (std::size_t i = 0; i < asset.clips.size(); ++i)
        use(fmt::format("reanima.clip.{}", i), core::factsOf(asset.clips[i], asset.clips[i].name));
}

}  // namespace

void fillScene(aiScene& scene, const core::Asset& asset, const SceneOptions& options,
               const core::Diagnostics& diagnostics) {
    core::MemoryCount memory(options.limits.holding(core::memoryOf(asset)), "the scene");
    if (!asset.video)
        fillRig(scene, asset, options, memory);
    else
        fillFlipbook(scene, *asset.video, options, memory);
    MetadataSize size;
    forEachFact(asset, options, diagnostics,
                [&](const std::string& name, const core::Value& value) { size.add(name, value); });
    memory.add(size.bytes);
    // Assimp adds an entry of its own, the source's format, for which it copies all names.
    memory.require(size.entries * std::uint64_t{sizeof(aiString) + sizeof(aiMetadataEntry)});
    scene.mMetaData = aiMetadata::Alloc(size.entries);
    unsigned next = 0;
    forEachFact(asset, options, diagnostics, [&](const std::string& name, const core::Value& value) {
        setMetadata(*scene.mMetaData, next, name, value);
    });
}

}  // namespace reanima
