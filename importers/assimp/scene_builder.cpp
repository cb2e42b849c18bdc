#include "importers/assimp/scene_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <assimp/anim.h>
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
#include "importers/assimp/scene_metadata.h"

namespace reanima {

namespace {

using core::Channel;
using core::Clip;
using core::Skeleton;

aiVector3D toAssimp(const glm::vec3& v) { return {v.x, v.y, v.z}; }
aiQuaternion toAssimp(const glm::quat& q) { return {q.w, q.x, q.y, q.z}; }

aiMatrix4x4 toAssimp(const glm::dmat4& m) {
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
// Animations

/// Whole frames are whole ticks, whatever the rounding of their seconds.
double tickOf(double seconds, double rate) {
    const double tick = seconds * rate;
    const double whole = std::round(tick);
    return std::abs(tick - whole) < 1e-3 ? whole : tick;
}

/// @param held a single key is repeated at the end
template <typename T>
std::size_t keysOf(const Channel<T>& channel, bool held) {
    return channel.isAnimated() ? channel.values.size() : held ? 2 : 1;
}

template <typename Key, typename T>
Key* makeKeys(const Clip& clip, const Channel<T>& channel, const T& rest, unsigned& count, bool held) {
    std::vector<T> values = channel.values;
    if (values.empty())
        values.push_back(rest);
    std::vector<double> ticks = {0};
    if (values.size() > 1) {
        ticks.clear();
        for (const float time : clip.timelines[channel.timeline])
            ticks.push_back(tickOf(static_cast<double>(time), clip.rate));
    }
    if (held && values.size() == 1) {
        values.push_back(values.front());
        ticks.push_back(1);
    }
    count = static_cast<unsigned>(values.size());
    auto* keys = new Key[count];
    for (unsigned i = 0; i < count; ++i)
        keys[i] = Key(ticks[i], toAssimp(values[i]));
    return keys;
}

std::unique_ptr<aiNodeAnim> makeChannel(const Skeleton& skeleton, std::uint32_t joint, const Clip& clip, bool held,
                                        core::MemoryCount& memory) {
    static const core::JointTrack kNoTrack;
    const core::JointTrack* track = clip.trackOf(joint);
    if (track == nullptr)
        track = &kNoTrack;
    const core::Transform& rest = skeleton.joints[joint].rest;
    memory.add(sizeof(aiNodeAnim*) + core::heapBytes(sizeof(aiNodeAnim)) +
               core::heapBytes(keysOf(track->translation, held) * sizeof(aiVectorKey)) +
               core::heapBytes(keysOf(track->rotation, held) * sizeof(aiQuatKey)) +
               core::heapBytes(keysOf(track->scale, held) * sizeof(aiVectorKey)));
    auto channel = std::make_unique<aiNodeAnim>();
    channel->mNodeName = skeleton.joints[joint].name;
    channel->mPositionKeys =
        makeKeys<aiVectorKey>(clip, track->translation, rest.translation, channel->mNumPositionKeys, held);
    channel->mRotationKeys = makeKeys<aiQuatKey>(clip, track->rotation, rest.rotation, channel->mNumRotationKeys, held);
    channel->mScalingKeys = makeKeys<aiVectorKey>(clip, track->scale, rest.scale, channel->mNumScalingKeys, held);
    return channel;
}

std::unique_ptr<aiAnimation> makeAnimation(const Skeleton& skeleton, const Clip& clip, core::MemoryCount& memory) {
    memory.add(core::heapBytes(sizeof(aiAnimation)));
    auto animation = std::make_unique<aiAnimation>();
    animation->mName = core::validUtf8(clip.name);
    animation->mTicksPerSecond = clip.rate;
    // Engines take the time modulo the duration: it must not be 0.
    const bool held = clip.duration <= 0;
    animation->mDuration = held ? 1 : tickOf(clip.duration, clip.rate);
    animation->mNumChannels = static_cast<unsigned>(skeleton.joints.size());
    animation->mChannels = new aiNodeAnim*[skeleton.joints.size()]();
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
        animation->mChannels[joint] = makeChannel(skeleton, joint, clip, held, memory).release();
    return animation;
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
        bone->mOffsetMatrix = toAssimp(glm::affineInverse(globals[joint]));
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
    const Skeleton& skeleton = asset.skeletons.front();
    scene.mRootNode = makeNodes(skeleton, asset.clips, memory).release();
    if (options.skeletonMesh)
        addMesh(scene, skeleton, memory);
    else
        scene.mFlags |= AI_SCENE_FLAGS_INCOMPLETE;  // and no material: it would fail the quality presets
    scene.mNumAnimations = static_cast<unsigned>(asset.clips.size());
    scene.mAnimations = asset.clips.empty() ? nullptr : new aiAnimation*[asset.clips.size()]();
    for (std::size_t i = 0; i < asset.clips.size(); ++i)
        scene.mAnimations[i] = makeAnimation(skeleton, asset.clips[i], memory).release();
}

/// Calls use(name, value) for everything that becomes metadata.
template <typename Use>
void forEachFact(const core::Asset& asset, const SceneOptions& options, const core::Diagnostics& diagnostics,
                 const Use& use) {
    use("reanima.warnings", allWarnings(diagnostics));
    if (!asset.images.empty()) {
        use("reanima.clip.0", core::factsOf(asset.images.front()));
        return;
    }
    const Skeleton& skeleton = asset.skeletons.front();
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
    if (asset.images.empty())
        fillRig(scene, asset, options, memory);
    else
        fillFlipbook(scene, asset.images.front(), options, memory);
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
