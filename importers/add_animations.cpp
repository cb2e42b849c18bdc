#include "importers/add_animations.h"

#include <algorithm>
#include <memory>
#include <unordered_set>

#include <fmt/format.h>

#include "core/edit.h"
#include "core/file_system.h"
#include "importers/assimp_content.h"
#include "importers/scene_animation.h"
#include "importers/scene_skeleton.h"
#include "importers/scene_values.h"
#include "pipeline/cast.h"

namespace reanima {

namespace {

/// The nodes of a scene, depth first, in the order of Rig::nodes.
std::vector<aiNode*> allNodes(aiScene& scene) {
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

/// The names in use. Assimp's glTF exporter fails if added animations or nodes have one of them.
class UsedNames {
  public:
    UsedNames(const aiScene& scene, const std::vector<aiNode*>& nodes) {
        for (unsigned i = 0; i < scene.mNumAnimations; ++i)
            (void)ofAnimation(textOf(scene.mAnimations[i]->mName), scene.mAnimations[i]->mNumChannels);
        for (unsigned i = 0; i < scene.mNumMeshes; ++i)
            used_.insert(textOf(scene.mMeshes[i]->mName));
        for (const aiNode* node : nodes)
            used_.insert(textOf(node->mName));
    }

    /// A name that is not used yet: `walk`, `walk.2`, ...
    std::string unique(const std::string& wanted) {
        std::string name = wanted;
        for (unsigned number = 2; !used_.insert(name).second; ++number)
            name = fmt::format("{}.{}", wanted, number);
        return name;
    }

    /// Like unique(). The exporter also uses the names `walk_0`, `walk_1`, ... for the channels of `walk`.
    std::string ofAnimation(const std::string& wanted, std::size_t channels) {
        std::string name = unique(wanted);
        for (std::size_t i = 0; i < channels; ++i)
            used_.insert(fmt::format("{}_{}", name, i));
        return name;
    }

  private:
    std::unordered_set<std::string> used_;
};

/// The rig of a scene, with its motion if that helps to find the joint roles.
core::Rig rigWithMotion(const aiScene& scene, const core::Limits& limits, core::Diagnostics& diagnostics) {
    const SceneNodes nodes = nodesOf(scene, scene.mRootNode->mName.C_Str(), diagnostics);
    core::Rig rig = rigOf(nodes, diagnostics);
    rig.readMotion = [&](const core::Limits& within) {
        return core::MovingScene{nodes.scene, motionsOf(scene, nodes, within)};
    };
    return withOwnMotion(std::move(rig), limits);
}

/// Adds nodes for joints without one, such as weapons, below their parents' nodes.
void addNodes(const core::Skeleton& skeleton, float unitsPerMetre, aiNode& root, UsedNames& names,
              std::vector<aiNode*>& nodes) {
    for (std::size_t joint = nodes.size(); joint < skeleton.joints.size(); ++joint) {
        const core::Joint& added = skeleton.joints[joint];
        auto node = std::make_unique<aiNode>(names.unique(added.name));
        node->mTransformation = toAssimp(added.rest, unitsPerMetre);
        aiNode* parent = added.parent == core::kNoParent ? &root : nodes[static_cast<std::size_t>(added.parent)];
        nodes.push_back(node.get());
        aiNode* child = node.release();
        parent->addChildren(1, &child);
    }
}

/// The joints that at least one clip moves, with the names of their nodes.
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

/// @param file the file's name in messages
/// @param load loads it with these settings
template <typename Load>
LoadedFile addLoaded(aiScene& scene, Settings& settings, const std::string& file, const Load& load) {
    if (scene.mRootNode == nullptr)
        throw core::DecodeError("the scene has no nodes");
    core::Diagnostics diagnostics;
    const core::Rig rig = rigWithMotion(scene, settings.limits, diagnostics);
    settings.rig = std::make_shared<const core::Rig>(rig);
    LoadedFile loaded = load(settings);
    if (loaded.asset.clips.empty())
        throw core::DecodeError("contains no animation").inFile(file);
    for (const core::Warning& warning : diagnostics.warnings())
        loaded.diagnostics.add(warning);

    const core::Skeleton& skeleton = *loaded.asset.skeleton;
    const std::vector<aiNode*> all = allNodes(scene);
    std::vector<aiNode*> nodes;
    for (const std::uint32_t node : rig.nodes)
        nodes.push_back(all[node]);
    UsedNames names(scene, all);
    for (core::Clip& clip : loaded.asset.clips)
        clip.name = names.ofAnimation(clip.name, skeleton.joints.size());
    core::MemoryCount memory(settings.limits.holding(core::memoryOf(loaded.asset)), "the animations");
    const auto unitsPerMetre = static_cast<float>(1 / rig.metresPerUnit);
    addNodes(skeleton, unitsPerMetre, *scene.mRootNode, names, nodes);
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
    return addLoaded(scene, settings, core::toUtf8(file),
                     [&file](const Settings& bound) { return loadFile(file, bound); });
}

LoadedFile addAnimationsTo(aiScene& scene, core::ByteVector bytes, const std::string& name, Settings settings,
                           const Companions& given) {
    return addLoaded(scene, settings, name,
                     [&](const Settings& bound) { return loadBytes(std::move(bytes), name, bound, given); });
}

}  // namespace reanima
