#include "gltf_export/rig_builder.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <glm/gtc/matrix_inverse.hpp>

#include "core/edit.h"
#include "core/memory.h"
#include "core/pose.h"
#include "core/proxy_mesh.h"
#include "core/text.h"
#include "gltf_export/animation_builder.h"
#include "gltf_export/encoded_images.h"
#include "gltf_export/extras.h"
#include "gltf_export/joint_node.h"
#include "gltf_export/mesh_builder.h"
#include "gltf_export/model_text.h"
#include "gltf_export/scene_extras.h"

namespace reanima::gltf {

namespace {

using core::Asset;
using core::Clip;
using core::Joint;
using core::Skeleton;

class RigBuilder {
  public:
    RigBuilder(const Asset& asset, const GltfOptions& options, const core::Limits& limits)
        : asset_(asset),
          skeleton_(asset.skeleton ? *asset.skeleton : noSkeleton_),
          options_(options),
          limits_(limits),
          encodedImages_(asset.images, limits.holding(core::memoryOf(asset))),
          heldBefore_(core::memoryOf(asset) + encodedImages_.memory()),
          buffer_(model_),
          extras_(asset.skeleton ? core::originName(skeleton_.origin) : "", options) {}

    GltfParts build(const std::string& bufferName) {
        addNodes();
        if (std::any_of(asset_.clips.begin(), asset_.clips.end(), hasTracks))
            addAnimations();
        if (options_.vrmAnimation)
            addHumanoid();
        else if (asset_.skeleton && isSkinned())
            addSkin();
        addMeshes(bufferName);
        addScene();
        GltfParts parts{{}, buffer_.take(), std::move(images_), rotationError_};
        parts.json = text_.finish(std::move(model_), parts.data, percentEncoded(bufferName));
        return parts;
    }

  private:
    // Node 0 is the container, joint j is node j + 1.
    static constexpr int kContainer = 0;
    static int nodeOf(std::size_t joint) { return static_cast<int>(joint) + 1; }

    void addNodes() {
        requireMemoryForNodes();
        for (const Joint& joint : skeleton_.joints)
            (void)names_.unique(joint.name);
        tinygltf::Node& container = model_.nodes.emplace_back();
        container.name =
            names_.unique(core::safeName(asset_.skeleton ? skeleton_.name : asset_.meshes.front().name + "_model"));
        if (!skeleton_.extras.empty() && !options_.compact)
            container.extras_json_string = jsonOf(skeleton_.extras);
        for (std::size_t i = 0; i < skeleton_.joints.size(); ++i) {
            const Joint& joint = skeleton_.joints[i];
            model_.nodes.push_back(gltf::nodeOf(joint, i, options_));
            const int parent =
                joint.parent == core::kNoParent ? kContainer : nodeOf(static_cast<std::size_t>(joint.parent));
            model_.nodes[static_cast<std::size_t>(parent)].children.push_back(nodeOf(i));
        }
    }

    static bool hasTracks(const Clip& clip) { return !clip.tracks.empty(); }

    void addAnimations() {
        const std::vector<core::AnimatedProperties> animated =
            core::animatedProperties(asset_.clips, skeleton_.joints.size());
        std::vector<AnimatedNode> nodes;
        for (std::size_t joint = 0; joint < animated.size(); ++joint)
            nodes.push_back({nodeOf(joint), animated[joint].translation, true, animated[joint].scale});
        const bool travels = std::any_of(asset_.clips.begin(), asset_.clips.end(),
                                         [](const Clip& clip) { return clip.travel.isPresent(); });
        AnimationBuilder animations(model_, buffer_, skeleton_, std::move(nodes),
                                    travels ? std::optional(WholeNode{kContainer}) : std::nullopt, options_);
        requireMemoryForChannels();
        animations.reserveFor(asset_.clips, bytesOfMeshes());
        for (const Clip& clip : asset_.clips) {
            if (!hasTracks(clip))
                continue;
            animations.add(clip, clip.name, extras_.addClip(clip, clip.name));
            text_.take(model_);
            requireMemory();
        }
        animations.finish();
        rotationError_ = animations.rotations().largestError();
    }

    /// Requires the memory for a node per joint, and for the node's text in the file.
    void requireMemoryForNodes() const {
        constexpr std::uint64_t kNode = 1000;
        const std::size_t joints = skeleton_.joints.size();
        core::requireMemory(heldBefore_ + kNode * joints, limits_, {fmt::format("{} joints", joints), std::nullopt});
    }

    /// Requires the memory for channels, so that outputs that can't fit are rejected early. Every joint has a rotation
    /// channel in every clip, with at least this many characters.
    void requireMemoryForChannels() const {
        constexpr std::uint64_t kChannel = sizeof(R"({"sampler":0,"target":{"node":1,"path":"rotation"}})");
        constexpr std::uint64_t kSamplerAndAccessor =
            sizeof(R"({"input":0,"output":1})") + sizeof(R"({"bufferView":0,"componentType":5126,"count":1})");
        const std::size_t joints = skeleton_.joints.size();
        const auto clips =
            static_cast<std::uint64_t>(std::count_if(asset_.clips.begin(), asset_.clips.end(), hasTracks));
        core::requireMemory(heldBefore_ + clips * joints * (kChannel + (options_.compact ? 0 : kSamplerAndAccessor)),
                            limits_, {fmt::format("{} clips of {} joints", clips, joints), std::nullopt});
    }

    void requireMemory() const {
        core::requireMemory(heldBefore_ + text_.size() + extras_.memory() + buffer_.memory(), limits_,
                            {"the glTF file", std::nullopt});
    }

    /// False if the files state that no vertex follows the joints, by `"skinned": false` in the character's properties.
    [[nodiscard]] bool isSkinned() const {
        const auto saysNo = [](const auto& member) {
            const bool* value = std::get_if<bool>(&member.second.data);
            return member.first == "skinned" && value != nullptr && !*value;
        };
        return options_.proxyMesh || std::ranges::none_of(asset_.character, saysNo);
    }

    void addHumanoid() {
        std::string bones;
        for (std::size_t joint = 0; joint < skeleton_.joints.size(); ++joint)
            if (const std::string& role = skeleton_.joints[joint].role; !role.empty())
                bones += fmt::format(R"({}"{}":{{"node":{}}})", bones.empty() ? "" : ",", role, nodeOf(joint));
        model_.extensionsUsed.emplace_back("VRMC_vrm_animation");
        model_.extensions_json_string = fmt::format(
            R"({{"VRMC_vrm_animation":{{"specVersion":"1.0","humanoid":{{"humanBones":{{{}}}}}}}}})", bones);
    }

    void addSkin() {
        tinygltf::Skin& skin = model_.skins.emplace_back();
        skin.name = model_.nodes[kContainer].name;
        skin.skeleton = kContainer;  // the common root, since a weapon is beside the root joint
        std::vector<glm::mat4> inverseBind;
        for (const glm::dmat4& global : core::bindMatrices(skeleton_)) {
            glm::mat4 inverse(glm::affineInverse(global));
            for (int column = 0; column < 4; ++column)
                inverse[column][3] = column == 3 ? 1.0F : 0.0F;
            inverseBind.push_back(inverse);
            skin.joints.push_back(nodeOf(skin.joints.size()));
        }
        const int view = buffer_.beginView();
        skin.inverseBindMatrices =
            buffer_.addAccessor(view, {TINYGLTF_TYPE_MAT4}, inverseBind.data(), inverseBind.size());
        buffer_.endView(view);
    }

    /// The approximate size of meshes and images in the buffer.
    [[nodiscard]] std::size_t bytesOfMeshes() const {
        constexpr std::size_t kVertex = 12 + 12 + 8 + 8 + 4 + 4;  // position, normal, coordinates, color, joint, weight
        constexpr std::size_t kPacked = 8;                        // texel bytes per byte of PNG
        std::size_t bytes = 0;
        for (const core::Mesh& mesh : asset_.meshes)
            for (const core::Primitive& primitive : mesh.primitives)
                bytes += primitive.positions.size() * kVertex + primitive.indices.size() * sizeof(std::uint16_t);
        for (const core::Image& image : asset_.images)
            bytes += image.rgba.size() / kPacked;
        return bytes;
    }

    void addMeshes(const std::string& bufferName) {
        const bool hasProxy = options_.proxyMesh && asset_.skeleton && asset_.meshes.empty();
        if (asset_.meshes.empty() && !hasProxy)
            return;
        MeshBuilder meshes(model_, buffer_, options_, bufferName,
                           limits_.holding(heldBefore_ + text_.size() + extras_.memory()));
        if (hasProxy)
            meshes.add(core::makeProxyCharacter(skeleton_));
        else
            meshes.add(asset_);
        meshes.addImages(asset_, encodedImages_.take());  // last, since a thread encodes the images until then
        images_ = meshes.takeImages();
        for (std::size_t i = 0; i < model_.meshes.size(); ++i) {
            tinygltf::Node& node = model_.nodes.emplace_back();
            node.name = names_.unique(core::safeName(model_.meshes[i].name));
            node.mesh = static_cast<int>(i);
            if (!model_.skins.empty() && hasJoints(i))
                node.skin = 0;
            meshNodes_.push_back(static_cast<int>(model_.nodes.size()) - 1);
        }
    }

    /// False for a static mesh beside the skeleton.
    [[nodiscard]] bool hasJoints(std::size_t mesh) const {
        return mesh >= asset_.meshes.size() ||
               std::ranges::none_of(asset_.meshes[mesh].primitives,
                                    [](const core::Primitive& primitive) { return primitive.joints.empty(); });
    }

    /// The node of a skinned mesh is a root of the scene: glTF ignores transforms above it.
    void addScene() {
        tinygltf::Scene& scene = model_.scenes.emplace_back();
        scene.name = model_.nodes[kContainer].name;
        scene.nodes.push_back(kContainer);
        std::vector<int>& above = asset_.skeleton ? scene.nodes : model_.nodes[kContainer].children;
        above.insert(above.end(), meshNodes_.begin(), meshNodes_.end());
        extras_.setCharacter(asset_.character);
        scene.extras_json_string = extras_.take();
    }

    const Asset& asset_;
    const Skeleton noSkeleton_{};
    const Skeleton& skeleton_;
    const GltfOptions& options_;
    const core::Limits& limits_;
    EncodedImages encodedImages_;
    std::uint64_t heldBefore_;
    Model model_;
    ModelText text_;
    BufferWriter buffer_;
    SceneExtras extras_;
    double rotationError_ = 0;
    core::UniqueNames names_;  ///< names of nodes
    std::vector<int> meshNodes_;
    std::vector<ImageFile> images_;
};

}  // namespace

GltfParts buildRig(const Asset& asset, const GltfOptions& options, const std::string& bufferName,
                   const core::Limits& limits) {
    return RigBuilder(asset, options, limits).build(bufferName);
}

}  // namespace reanima::gltf
