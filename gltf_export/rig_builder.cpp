#include "gltf_export/rig_builder.h"

#include <algorithm>
#include <stdexcept>

#include <glm/gtc/matrix_inverse.hpp>

#include "core/edit.h"
#include "core/facts.h"
#include "core/pose.h"
#include "core/proxy_mesh.h"
#include "core/text.h"
#include "gltf_export/animation_builder.h"
#include "gltf_export/extras.h"
#include "gltf_export/joint_node.h"

namespace reanima::gltf {

namespace {

using core::Asset;
using core::Clip;
using core::Joint;
using core::Skeleton;

class RigBuilder {
  public:
    RigBuilder(const Asset& asset, const GltfOptions& options)
        : asset_(asset), skeleton_(asset.skeletons.front()), options_(options), buffer_(model_) {}

    tinygltf::Model build() {
        addNodes();
        addAnimations();
        addSkin();
        if (options_.proxyMesh)
            addProxyMesh();
        addScene();
        dropEmptyView();
        buffer_.finish();
        return std::move(model_);
    }

  private:
    // Node 0 is the container, joint j is node j + 1.
    static constexpr int kContainer = 0;
    static int nodeOf(std::size_t joint) { return static_cast<int>(joint) + 1; }

    void addNodes() {
        core::UniqueNames names;
        for (const Joint& joint : skeleton_.joints)
            (void)names.unique(joint.name);
        tinygltf::Node& container = model_.nodes.emplace_back();
        container.name = names.unique(core::safeName(skeleton_.name));
        if (!skeleton_.extras.empty())
            container.extras = toGltf(skeleton_.extras);
        for (std::size_t i = 0; i < skeleton_.joints.size(); ++i) {
            const Joint& joint = skeleton_.joints[i];
            model_.nodes.push_back(gltf::nodeOf(joint, i));
            const int parent =
                joint.parent == core::kNoParent ? kContainer : nodeOf(static_cast<std::size_t>(joint.parent));
            model_.nodes[static_cast<std::size_t>(parent)].children.push_back(nodeOf(i));
        }
    }

    void addAnimations() {
        const std::vector<core::AnimatedProperties> animated =
            core::animatedProperties(asset_.clips, skeleton_.joints.size());
        std::vector<AnimatedNode> nodes;
        for (std::size_t joint = 0; joint < animated.size(); ++joint)
            nodes.push_back({nodeOf(joint), animated[joint].translation, true, animated[joint].scale});
        const bool travels = std::any_of(asset_.clips.begin(), asset_.clips.end(),
                                         [](const Clip& clip) { return clip.travel.isPresent(); });
        reserve();
        AnimationBuilder animations(model_, buffer_, skeleton_, std::move(nodes),
                                    travels ? std::optional(WholeNode{kContainer}) : std::nullopt);
        for (const Clip& clip : asset_.clips)
            animations.add(clip, clip.name, options_);
        animations.finish();
    }

    void reserve() {
        std::size_t accessors = 1;  // of the skin
        std::size_t bytes = skeleton_.joints.size() * sizeof(glm::mat4);
        for (const Clip& clip : asset_.clips) {
            accessors += clip.timelines.size();
            core::forEachChannel(clip, [&]<typename T>(const core::Channel<T>& channel) {
                ++accessors;
                bytes += channel.values.size() * sizeof(T);
            });
        }
        buffer_.reserve(accessors, bytes);
    }

    void addSkin() {
        tinygltf::Skin& skin = model_.skins.emplace_back();
        skin.name = model_.nodes[kContainer].name;
        skin.skeleton = kContainer;  // the common root: a weapon lies beside the root joint
        std::vector<glm::mat4> inverseBind;
        for (const glm::dmat4& global : core::globalMatrices(skeleton_, core::restPose(skeleton_))) {
            glm::mat4 inverse(glm::affineInverse(global));
            for (int column = 0; column < 4; ++column)
                inverse[column][3] = column == 3 ? 1.0F : 0.0F;
            inverseBind.push_back(inverse);
            skin.joints.push_back(nodeOf(skin.joints.size()));
        }
        const int view = buffer_.beginView();
        skin.inverseBindMatrices =
            buffer_.addAccessor(view, TINYGLTF_TYPE_MAT4, inverseBind.data(), inverseBind.size());
        buffer_.endView(view);
    }

    void addProxyMesh() {
        const core::ProxyMesh mesh = core::makeProxyMesh(skeleton_);
        tinygltf::Primitive primitive;
        primitive.mode = TINYGLTF_MODE_TRIANGLES;
        const int positions = buffer_.addVertexData(TINYGLTF_TYPE_VEC3, TINYGLTF_COMPONENT_TYPE_FLOAT, mesh.positions,
                                                    TINYGLTF_TARGET_ARRAY_BUFFER);
        buffer_.setBounds(positions, {mesh.lowest.x, mesh.lowest.y, mesh.lowest.z},
                          {mesh.highest.x, mesh.highest.y, mesh.highest.z});
        primitive.attributes["POSITION"] = positions;
        primitive.attributes["JOINTS_0"] = buffer_.addVertexData(
            TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, mesh.joints, TINYGLTF_TARGET_ARRAY_BUFFER);
        primitive.attributes["WEIGHTS_0"] = buffer_.addVertexData(TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_FLOAT,
                                                                  mesh.weights, TINYGLTF_TARGET_ARRAY_BUFFER);
        primitive.indices = buffer_.addVertexData(TINYGLTF_TYPE_SCALAR, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT,
                                                  mesh.indices, TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
        tinygltf::Mesh& gltfMesh = model_.meshes.emplace_back();
        gltfMesh.name = model_.nodes[kContainer].name + "_proxy";
        gltfMesh.primitives.push_back(std::move(primitive));
        // A skinned mesh stands beside the joints: transforms above it have no effect.
        tinygltf::Node& node = model_.nodes.emplace_back();
        node.name = gltfMesh.name;
        node.mesh = 0;
        node.skin = 0;
        meshNode_ = static_cast<int>(model_.nodes.size()) - 1;
    }

    void addScene() {
        tinygltf::Scene& scene = model_.scenes.emplace_back();
        scene.name = model_.nodes[kContainer].name;
        scene.nodes.push_back(kContainer);
        if (meshNode_ >= 0)
            scene.nodes.push_back(meshNode_);
        std::vector<core::Value> clips;
        for (const Clip& clip : asset_.clips)
            if (!clip.tracks.empty())
                clips.emplace_back(core::factsOf(clip, clip.name, options_.rootMotion));
        core::Properties reanima = {{"version", REANIMA_VERSION},
                                    {"skeleton", std::string(core::originName(skeleton_.origin))},
                                    {"clips", std::move(clips)}};
        if (!options_.contentKey.empty())
            reanima.emplace_back("key", options_.contentKey);
        scene.extras = toGltf(core::Properties{{"reanima", std::move(reanima)}});
    }

    /// A rig without clips has no animation data, and a view of 0 bytes is invalid.
    void dropEmptyView() {
        if (model_.bufferViews.front().byteLength > 0)
            return;
        model_.bufferViews.erase(model_.bufferViews.begin());
        for (tinygltf::Accessor& accessor : model_.accessors)
            --accessor.bufferView;
    }

    const Asset& asset_;
    const Skeleton& skeleton_;
    const GltfOptions& options_;
    tinygltf::Model model_;
    BufferWriter buffer_;
    int meshNode_ = -1;
};

}  // namespace

tinygltf::Model buildRig(const Asset& asset, const GltfOptions& options) { return RigBuilder(asset, options).build(); }

}  // namespace reanima::gltf
