#include "gltf_export/gltf_builder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include <glm/gtc/matrix_inverse.hpp>

#include "core/edit.h"
#include "core/pose.h"
#include "core/proxy_mesh.h"
#include "core/text.h"
#include "core/validate.h"

namespace reanima::gltf {

namespace {

using core::Asset;
using core::Channel;
using core::Clip;
using core::Interpolation;
using core::Joint;
using core::Skeleton;

// glm's vectors and quaternions are copied to the buffer as they are.
static_assert(sizeof(glm::vec3) == 12 && sizeof(glm::quat) == 16 && sizeof(glm::mat4) == 64);
static_assert(offsetof(glm::quat, x) == 0 && offsetof(glm::quat, w) == 12, "glTF stores quaternions as x, y, z, w");

// ---------------------------------------------------------------------------------------------------------------------
// Extras

/// Well-formed text that is no placeholder.
std::string plainText(const std::string& text) {
    std::string plain = core::validUtf8(text);
    std::replace(plain.begin(), plain.end(), kPlaceholder, '_');
    return plain;
}

tinygltf::Value toGltf(const core::Value& value);

tinygltf::Value toGltf(const core::Properties& properties) {
    tinygltf::Value::Object object;
    for (const auto& [key, value] : properties)
        object.emplace(plainText(key), toGltf(value));
    return tinygltf::Value(std::move(object));
}

tinygltf::Value placeholder(const char* meaning) { return tinygltf::Value(kPlaceholder + std::string(meaning)); }

struct ToGltf {
    tinygltf::Value operator()(std::nullptr_t) const { return placeholder("null"); }
    tinygltf::Value operator()(bool value) const { return tinygltf::Value(value); }
    tinygltf::Value operator()(std::int64_t value) const {
        const bool fits = value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
        return fits ? tinygltf::Value(static_cast<int>(value)) : tinygltf::Value(static_cast<double>(value));
    }
    tinygltf::Value operator()(double value) const {
        return std::isfinite(value) ? tinygltf::Value(value) : placeholder("null");  // JSON has no other numbers
    }
    tinygltf::Value operator()(const std::string& value) const { return tinygltf::Value(plainText(value)); }
    tinygltf::Value operator()(const std::vector<core::Value>& list) const {
        if (list.empty())
            return placeholder("[]");
        tinygltf::Value::Array array;
        for (const core::Value& value : list)
            array.push_back(toGltf(value));
        return tinygltf::Value(std::move(array));
    }
    tinygltf::Value operator()(const core::Properties& properties) const { return toGltf(properties); }
};

tinygltf::Value toGltf(const core::Value& value) { return std::visit(ToGltf{}, value.data); }

core::Properties extrasOf(const Clip& clip, const GltfOptions& options) {
    std::vector<core::Value> events;
    for (const core::EventMarker& event : clip.events) {
        core::Properties marker = {{"time", event.time}, {"name", event.name}};
        marker.insert(marker.end(), event.properties.begin(), event.properties.end());
        events.emplace_back(std::move(marker));
    }
    return {{"name", clip.name},
            {"source", clip.source},
            {"format", clip.format},
            {"index", clip.index},
            {"rate", clip.rate},
            {"frames", clip.frames},
            {"loop", clip.loop ? core::Value(*clip.loop) : core::Value()},
            {"root_motion", options.rootMotion},
            {"events", std::move(events)},
            {"counters", clip.counters}};
}

core::Properties extrasOf(const Joint& joint, std::size_t index) {
    core::Properties extras = {{"index", static_cast<std::uint32_t>(index)}};
    if (joint.id)
        extras.emplace_back("id", *joint.id);
    extras.insert(extras.end(), joint.extras.begin(), joint.extras.end());
    return extras;
}

// ---------------------------------------------------------------------------------------------------------------------
// The buffer

class ModelBuilder {
  public:
    ModelBuilder(const Asset& asset, const GltfOptions& options)
        : asset_(asset), skeleton_(asset.skeletons.front()), options_(options) {}

    tinygltf::Model build() {
        model_.asset.version = "2.0";
        model_.asset.generator = "reanima " REANIMA_VERSION;
        addNodes();
        animationView_ = beginView();
        addAnimations();
        endView(animationView_);
        addSkin();
        if (options_.proxyMesh)
            addProxyMesh();
        addScene();
        if (data_.size() > std::numeric_limits<std::uint32_t>::max() / 2)
            throw std::invalid_argument("the animations need more than 2 GiB: convert fewer clips at once");
        dropEmptyView();
        model_.buffers.emplace_back().data = std::move(data_);
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
        for (std::size_t i = 0; i < skeleton_.joints.size(); ++i) {
            const Joint& joint = skeleton_.joints[i];
            tinygltf::Node& node = model_.nodes.emplace_back();
            node.name = joint.name;
            const core::Transform& rest = joint.rest;
            if (rest.translation != glm::vec3(0))
                node.translation = {rest.translation.x, rest.translation.y, rest.translation.z};
            if (rest.rotation != glm::quat(1, 0, 0, 0))
                node.rotation = {rest.rotation.x, rest.rotation.y, rest.rotation.z, rest.rotation.w};
            if (rest.scale != glm::vec3(1))
                node.scale = {rest.scale.x, rest.scale.y, rest.scale.z};
            node.extras = toGltf(extrasOf(joint, i));
            const int parent = joint.parent == core::kNoParent ? kContainer
                                                               : nodeOf(static_cast<std::size_t>(joint.parent));
            model_.nodes[static_cast<std::size_t>(parent)].children.push_back(nodeOf(i));
        }
    }

    void addAnimations() {
        const std::vector<core::AnimatedProperties> animated = core::animatedProperties(asset_, 0);
        for (const Clip& clip : asset_.clips) {
            if (clip.tracks.empty())  // an animation without channels is invalid
                continue;
            tinygltf::Animation& animation = model_.animations.emplace_back();
            animation.name = plainText(clip.name);
            animation.extras = toGltf(extrasOf(clip, options_));
            animation.channels.reserve(skeleton_.joints.size() + 1);
            animation.samplers.reserve(skeleton_.joints.size() + 1);
            std::vector<int> times(clip.timelines.size(), -1);
            for (std::uint32_t joint = 0; joint < skeleton_.joints.size(); ++joint) {
                static const core::JointTrack kNoTrack;
                const core::JointTrack* track = clip.trackOf(joint);
                const core::JointTrack& present = track != nullptr ? *track : kNoTrack;
                const core::Transform& rest = skeleton_.joints[joint].rest;
                // A bone without a key keeps the pose of the action that was shown before it.
                if (animated[joint].translation)
                    addChannel(animation, clip, times, joint, "translation", present.translation, rest.translation);
                addChannel(animation, clip, times, joint, "rotation", present.rotation, rest.rotation);
                if (animated[joint].scale)
                    addChannel(animation, clip, times, joint, "scale", present.scale, rest.scale);
            }
        }
    }

    template <typename T>
    void addChannel(tinygltf::Animation& animation, const Clip& clip, std::vector<int>& times, std::uint32_t joint,
                    const char* path, const Channel<T>& channel, const T& rest) {
        tinygltf::AnimationChannel& target = animation.channels.emplace_back();
        target.sampler = static_cast<int>(animation.samplers.size());
        target.target_node = nodeOf(joint);
        target.target_path = path;
        tinygltf::AnimationSampler& sampler = animation.samplers.emplace_back();
        sampler.interpolation = channel.interpolation == Interpolation::step ? "STEP" : "LINEAR";
        if (channel.isAnimated()) {
            int& accessor = times[channel.timeline];
            if (accessor < 0)
                accessor = timeAccessor(clip.timelines[channel.timeline]);
            sampler.input = accessor;
        } else {
            sampler.input = timeAccessor({0});
        }
        constexpr int kType = sizeof(T) == sizeof(glm::quat) ? TINYGLTF_TYPE_VEC4 : TINYGLTF_TYPE_VEC3;
        const bool present = channel.isPresent();
        sampler.output = addAccessor(animationView_, kType, present ? channel.values.data() : &rest,
                                     present ? channel.values.size() : 1);
    }

    /// One accessor per distinct set of times.
    int timeAccessor(const std::vector<float>& times) {
        const auto [known, isNew] = timeAccessors_.try_emplace(times, 0);
        if (isNew) {
            known->second = addAccessor(animationView_, TINYGLTF_TYPE_SCALAR, times.data(), times.size());
            tinygltf::Accessor& accessor = model_.accessors.back();
            accessor.minValues = {times.front()};  // must equal the stored floats exactly
            accessor.maxValues = {times.back()};
        }
        return known->second;
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
        const int view = beginView();
        skin.inverseBindMatrices = addAccessor(view, TINYGLTF_TYPE_MAT4, inverseBind.data(), inverseBind.size());
        endView(view);
    }

    void addProxyMesh() {
        const core::ProxyMesh mesh = core::makeProxyMesh(skeleton_);
        tinygltf::Primitive primitive;
        primitive.mode = TINYGLTF_MODE_TRIANGLES;
        const auto add = [&](const char* attribute, int type, int component, const auto& values, int target) {
            const int view = beginView();
            const int accessor = addAccessor(view, type, values.data(), values.size(), component);
            model_.bufferViews[static_cast<std::size_t>(view)].target = target;
            endView(view);
            if (attribute != nullptr)
                primitive.attributes[attribute] = accessor;
            return accessor;
        };
        const int positions = add("POSITION", TINYGLTF_TYPE_VEC3, TINYGLTF_COMPONENT_TYPE_FLOAT, mesh.positions,
                                  TINYGLTF_TARGET_ARRAY_BUFFER);
        tinygltf::Accessor& bounds = model_.accessors[static_cast<std::size_t>(positions)];
        bounds.minValues = {mesh.lowest.x, mesh.lowest.y, mesh.lowest.z};
        bounds.maxValues = {mesh.highest.x, mesh.highest.y, mesh.highest.z};
        add("JOINTS_0", TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, mesh.joints,
            TINYGLTF_TARGET_ARRAY_BUFFER);
        add("WEIGHTS_0", TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_FLOAT, mesh.weights, TINYGLTF_TARGET_ARRAY_BUFFER);
        primitive.indices = add(nullptr, TINYGLTF_TYPE_SCALAR, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT, mesh.indices,
                                TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
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
                clips.emplace_back(extrasOf(clip, options_));
        core::Properties reanima = {{"version", REANIMA_VERSION},
                                    {"skeleton", std::string(core::originName(skeleton_.origin))},
                                    {"clips", std::move(clips)}};
        if (!options_.contentKey.empty())
            reanima.emplace_back("key", options_.contentKey);
        scene.extras = toGltf(core::Properties{{"reanima", std::move(reanima)}});
        model_.defaultScene = 0;
    }

    // A view covers what is added between beginView and endView.
    int beginView() {
        data_.resize((data_.size() + 3) / 4 * 4);
        tinygltf::BufferView& view = model_.bufferViews.emplace_back();
        view.buffer = 0;
        view.byteOffset = data_.size();
        return static_cast<int>(model_.bufferViews.size()) - 1;
    }
    void endView(int index) {
        tinygltf::BufferView& view = model_.bufferViews[static_cast<std::size_t>(index)];
        view.byteLength = data_.size() - view.byteOffset;
    }

    /// A rig without clips has no animation data, and a view of 0 bytes is invalid.
    void dropEmptyView() {
        if (model_.bufferViews.front().byteLength > 0)
            return;
        model_.bufferViews.erase(model_.bufferViews.begin());
        for (tinygltf::Accessor& accessor : model_.accessors)
            --accessor.bufferView;
    }

    template <typename T>
    int addAccessor(int view, int type, const T* values, std::size_t count,
                    int component = TINYGLTF_COMPONENT_TYPE_FLOAT) {
        tinygltf::Accessor& accessor = model_.accessors.emplace_back();
        accessor.bufferView = view;
        accessor.byteOffset = data_.size() - model_.bufferViews[static_cast<std::size_t>(view)].byteOffset;
        accessor.componentType = component;
        accessor.type = type;
        accessor.count = count;
        const auto* bytes = reinterpret_cast<const unsigned char*>(values);  // NOLINT: the layout is asserted above
        data_.insert(data_.end(), bytes, bytes + count * sizeof(T));
        return static_cast<int>(model_.accessors.size()) - 1;
    }

    const Asset& asset_;
    const Skeleton& skeleton_;
    const GltfOptions& options_;
    tinygltf::Model model_;
    std::vector<unsigned char> data_;
    std::map<std::vector<float>, int> timeAccessors_;
    int animationView_ = 0;
    int meshNode_ = -1;
};

}  // namespace

tinygltf::Model buildModel(const Asset& asset, const GltfOptions& options) {
    if (asset.skeletons.size() != 1 || asset.skeletons.front().joints.empty())
        throw std::invalid_argument("a glTF file of this writer has one skeleton with joints");
    const std::vector<std::string> problems = core::validate(asset);
    if (!problems.empty())
        throw std::invalid_argument("the asset is not valid: " + problems.front());
    return ModelBuilder(asset, options).build();
}

}  // namespace reanima::gltf
