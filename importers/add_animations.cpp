#include "importers/add_animations.h"

#include <algorithm>
#include <memory>

#include "core/edit.h"
#include "importers/scene_animation.h"
#include "importers/scene_skeleton.h"

namespace reanima {

namespace {

/// The nodes of a scene, depth first, in the order of Rig::nodes.
std::vector<aiNode*> nodesOf(aiScene& scene) {
    std::vector<aiNode*> nodes;
    std::vector<aiNode*> open = {scene.mRootNode};
    while (!open.empty()) {
        aiNode* node = open.back();
        open.pop_back();
        if (node == nullptr)
            continue;
        nodes.push_back(node);
        for (unsigned i = node->mNumChildren; i > 0; --i)
            open.push_back(node->mChildren[i - 1]);
    }
    return nodes;
}

/// Adds nodes for joints without one, such as weapons, below their parents' nodes.
void addNodes(const core::Skeleton& skeleton, float unitsPerMetre, aiNode& root, std::vector<aiNode*>& nodes) {
    for (std::size_t joint = nodes.size(); joint < skeleton.joints.size(); ++joint) {
        const core::Joint& added = skeleton.joints[joint];
        auto node = std::make_unique<aiNode>(added.name);
        node->mTransformation = toAssimp(added.rest, unitsPerMetre);
        aiNode* parent = added.parent == core::kNoParent ? &root : nodes[static_cast<std::size_t>(added.parent)];
        nodes.push_back(node.get());
        aiNode* child = node.release();
        parent->addChildren(1, &child);
    }
}

/// The joints that at least one clip moves, by the names of their nodes.
std::vector<AnimatedJoints::Row> movedJoints(const core::Asset& asset, const std::vector<aiNode*>& nodes) {
    std::vector<AnimatedJoints::Row> rows;
    const std::vector<core::AnimatedProperties> moved = core::animatedProperties(asset.clips, nodes.size());
    for (std::uint32_t joint = 0; joint < nodes.size(); ++joint)
        if (moved[joint].translation || moved[joint].rotation || moved[joint].scale)
            rows.push_back({joint, nodes[joint]->mName});
    return rows;
}

void addAnimations(aiScene& scene, std::vector<std::unique_ptr<aiAnimation>> animations) {
    auto** all = new aiAnimation*[scene.mNumAnimations + animations.size()]();
    std::copy_n(scene.mAnimations, scene.mNumAnimations, all);
    for (std::unique_ptr<aiAnimation>& animation : animations)
        all[scene.mNumAnimations++] = animation.release();
    delete[] scene.mAnimations;
    scene.mAnimations = all;
}

/// @param load loads a file with these settings
template <typename Load>
LoadedFile addLoaded(aiScene& scene, Settings& settings, const Load& load) {
    if (scene.mRootNode == nullptr)
        throw core::DecodeError("the scene has no nodes");
    core::Diagnostics diagnostics;
    const core::Rig rig = rigOf(scene, scene.mRootNode->mName.C_Str(), diagnostics);
    settings.rig = std::make_shared<const core::Rig>(rig);
    LoadedFile loaded = load(settings);
    for (const core::Warning& warning : diagnostics.warnings())
        loaded.diagnostics.add(warning);

    const core::Skeleton& skeleton = *loaded.asset.skeleton;
    const std::vector<aiNode*> all = nodesOf(scene);
    std::vector<aiNode*> nodes;
    for (const std::uint32_t node : rig.nodes)
        nodes.push_back(all[node]);
    core::MemoryCount memory(settings.limits.holding(core::memoryOf(loaded.asset)), "the animations");
    const auto unitsPerMetre = static_cast<float>(1 / rig.metresPerUnit);
    addNodes(skeleton, unitsPerMetre, *scene.mRootNode, nodes);
    AnimatedJoints joints(skeleton, *scene.mRootNode);
    joints.rows = movedJoints(loaded.asset, nodes);
    joints.unitsPerMetre = unitsPerMetre;
    std::vector<std::unique_ptr<aiAnimation>> animations;
    for (const core::Clip& clip : loaded.asset.clips)
        animations.push_back(makeAnimation(joints, clip, memory));
    addAnimations(scene, std::move(animations));
    return loaded;
}

}  // namespace

LoadedFile addAnimationsTo(aiScene& scene, const std::filesystem::path& file, Settings settings) {
    return addLoaded(scene, settings, [&file](const Settings& bound) { return loadFile(file, bound); });
}

LoadedFile addAnimationsTo(aiScene& scene, core::ByteVector bytes, const std::string& name, Settings settings,
                           const Companions& given) {
    return addLoaded(scene, settings,
                     [&](const Settings& bound) { return loadBytes(std::move(bytes), name, bound, given); });
}

}  // namespace reanima
