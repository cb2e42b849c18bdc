#include "importers/scene_builder.h"

#include <algorithm>
#include <memory>

#include <assimp/material.h>
#include <fmt/format.h>

#include "core/facts.h"
#include "core/memory.h"
#include "core/proxy_mesh.h"
#include "core/text.h"
#include "formats/format.h"
#include "importers/flipbook_scene.h"
#include "importers/format_importer.h"
#include "importers/scene_animation.h"
#include "importers/scene_meshes.h"
#include "importers/scene_metadata.h"

namespace reanima {

namespace {

using core::Clip;
using core::Skeleton;

// Parts are attached to the scene as early as possible, and arrays of pointers start as null. ~aiScene then frees
// everything if memory runs out.

// ---------------------------------------------------------------------------------------------------------------------
// Nodes

constexpr const char* kMeshName = "reanima_skeleton";

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

void setMeshes(aiNode& node, const std::vector<unsigned>& meshes) {
    node.mMeshes = new unsigned[meshes.size()];
    node.mNumMeshes = static_cast<unsigned>(meshes.size());
    std::ranges::copy(meshes, node.mMeshes);
}

/// The container, the joints below it, and a node for each mesh beside them.
class NodeBuilder {
  public:
    /// Node names must differ from each other and from animation names. Otherwise Assimp's glTF exporter fails.
    explicit NodeBuilder(const core::Asset& asset) {
        for (const Clip& clip : asset.clips)
            (void)names_.unique(clip.name);
        if (asset.skeleton)
            for (const core::Joint& joint : asset.skeleton->joints)
                (void)names_.unique(joint.name);
        container_ = std::make_unique<aiNode>(names_.unique(
            core::safeName(asset.skeleton ? asset.skeleton->name : asset.meshes.front().name + "_model")));
    }

    void addJoints(const Skeleton& skeleton, core::MemoryCount& memory) {
        memory.add((skeleton.joints.size() + 1) * (core::heapBytes(sizeof(aiNode)) + core::heapBytes(sizeof(void*))));
        std::vector<aiNode*> nodes;
        std::vector<Children> children(skeleton.joints.size());
        for (const core::Joint& joint : skeleton.joints) {
            auto node = std::make_unique<aiNode>(joint.name);
            node->mTransformation = toAssimp(joint.rest);
            nodes.push_back(node.get());
            (joint.parent == core::kNoParent ? children_ : children[static_cast<std::size_t>(joint.parent)])
                .push_back(std::move(node));
        }
        for (std::size_t i = 0; i < nodes.size(); ++i)
            setChildren(*nodes[i], children[i]);
    }

    void addMeshes(const std::vector<SceneMesh>& meshes) {
        for (const SceneMesh& mesh : meshes) {
            if (mesh.name == kMeshName) {
                setMeshes(*container_, mesh.parts);
                continue;
            }
            children_.push_back(std::make_unique<aiNode>(names_.unique(core::safeName(mesh.name))));
            setMeshes(*children_.back(), mesh.parts);
        }
    }

    [[nodiscard]] std::unique_ptr<aiNode> take() {
        setChildren(*container_, children_);
        return std::move(container_);
    }

  private:
    core::UniqueNames names_;
    std::unique_ptr<aiNode> container_;
    Children children_;
};

/// The mesh that makes a skeleton without meshes visible.
core::Asset standIn(const Skeleton& skeleton) {
    core::Asset proxy = core::makeProxyCharacter(skeleton);
    proxy.meshes.front().name = kMeshName;
    proxy.materials.front().name = AI_DEFAULT_MATERIAL_NAME;
    return proxy;
}

// ---------------------------------------------------------------------------------------------------------------------
// Metadata

std::string allWarnings(const core::Diagnostics& diagnostics) {
    std::string text;
    for (const core::Warning& warning : diagnostics.warnings())
        if (warning.severity == core::Warning::Severity::warning)
            text += (text.empty() ? "" : "\n") + warning.message(propertyWording);
    return text;
}

void fillRig(aiScene& scene, const core::Asset& asset, const SceneOptions& options, core::MemoryCount& memory) {
    NodeBuilder nodes(asset);
    if (asset.skeleton)
        nodes.addJoints(*asset.skeleton, memory);
    if (!asset.meshes.empty())
        nodes.addMeshes(addMeshes(scene, asset, memory));
    else if (options.skeletonMesh)
        nodes.addMeshes(addMeshes(scene, standIn(*asset.skeleton), memory));
    else
        scene.mFlags |= AI_SCENE_FLAGS_INCOMPLETE;  // no material is added: quality presets would reject it
    scene.mRootNode = nodes.take().release();
    if (asset.clips.empty())
        return;
    const AnimatedJoints joints(*asset.skeleton, *scene.mRootNode);
    scene.mNumAnimations = static_cast<unsigned>(asset.clips.size());
    scene.mAnimations = new aiAnimation*[asset.clips.size()]();
    for (std::size_t i = 0; i < asset.clips.size(); ++i) {
        refuseIfCancelled(options.cancelled);
        scene.mAnimations[i] = makeAnimation(joints, asset.clips[i], memory).release();
        if (options.progress)
            options.progress(static_cast<double>(i + 1) / static_cast<double>(asset.clips.size()));
    }
}

/// Calls use(name, value) for all metadata.
template <typename Use>
void forEachFact(const core::Asset& asset, const SceneOptions& options, const core::Diagnostics& diagnostics,
                 const Use& use) {
    use("reanima.warnings", allWarnings(diagnostics));
    if (asset.video) {
        use("reanima.clip.0", core::factsOf(*asset.video));
        return;
    }
    if (asset.skeleton) {
        use("reanima.skeleton", std::string(core::originName(asset.skeleton->origin)));
        for (const auto& [key, value] : asset.skeleton->extras)
            use("reanima.skeleton_" + key, value);
    }
    if (!asset.model.empty())
        use("reanima.model", asset.model);
    if (!asset.called.title.empty())
        use("reanima.title", asset.called.title);
    if (!asset.called.fullName.empty())
        use("reanima.full_name", asset.called.fullName);
    use("reanima.models", std::vector<core::Value>(asset.models.begin(), asset.models.end()));
    if (options.skeletonMesh && asset.meshes.empty())
        use("reanima.skeleton_mesh", kMeshName);
    for (std::size_t i = 0; i < asset.clips.size(); ++i)
        use(fmt::format("reanima.clip.{}", i), core::factsOf(asset.clips[i], asset.clips[i].name));
}

}  // namespace

void fillScene(aiScene& scene, const core::Asset& asset, const SceneOptions& options,
               const core::Diagnostics& diagnostics) {
    if (!asset.video && !asset.skeleton && asset.meshes.empty())
        throw core::DecodeError("contains only an image, which a scene can't show");
    core::MemoryCount memory(options.limits.holding(core::memoryOf(asset)), "the scene");
    if (!asset.video)
        fillRig(scene, asset, options, memory);
    else
        fillFlipbook(scene, *asset.video, options, memory);
    MetadataSize size;
    forEachFact(asset, options, diagnostics,
                [&](const std::string& name, const core::Value& value) { size.add(name, value); });
    memory.add(size.bytes);
    // Assimp adds an entry for the source's format, and copies all names to do so.
    memory.require(size.entries * std::uint64_t{sizeof(aiString) + sizeof(aiMetadataEntry)});
    scene.mMetaData = aiMetadata::Alloc(size.entries);
    unsigned next = 0;
    forEachFact(asset, options, diagnostics, [&](const std::string& name, const core::Value& value) {
        setMetadata(*scene.mMetaData, next, name, value);
    });
}

}  // namespace reanima
