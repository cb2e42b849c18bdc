#include "gltf_export/animation_builder.h"

#include "core/facts.h"
#include "gltf_export/extras.h"

namespace reanima::gltf {

void AnimationBuilder::add(const core::Clip& clip, const std::string& name, const GltfOptions& options) {
    if (clip.tracks.empty())
        return;
    tinygltf::Animation& animation = model_.animations.emplace_back();
    animation.name = plainText(name);
    animation.extras = toGltf(core::factsOf(clip, name, options.rootMotion));
    animation.channels.reserve(skeleton_.joints.size() + 1);
    animation.samplers.reserve(skeleton_.joints.size() + 1);
    std::vector<int> times(clip.timelines.size(), -1);
    if (whole_) {
        core::Channel<glm::vec3> places = clip.travel;
        for (glm::vec3& place : places.values)
            place = whole_->translation + whole_->fromModel * place;
        addChannel(animation, clip, times, whole_->node, "translation", places, whole_->translation);
    }
    for (std::uint32_t joint = 0; joint < skeleton_.joints.size(); ++joint) {
        static const core::JointTrack kNoTrack;
        const core::JointTrack* track = clip.trackOf(joint);
        const core::JointTrack& present = track != nullptr ? *track : kNoTrack;
        const core::Transform& rest = skeleton_.joints[joint].rest;
        const AnimatedNode& node = nodes_[joint];
        if (node.translation)
            addChannel(animation, clip, times, node.node, "translation", present.translation, rest.translation);
        if (node.rotation)
            addChannel(animation, clip, times, node.node, "rotation", present.rotation, rest.rotation);
        if (node.scale)
            addChannel(animation, clip, times, node.node, "scale", present.scale, rest.scale);
    }
}

template <typename T>
void AnimationBuilder::addChannel(tinygltf::Animation& animation, const core::Clip& clip, std::vector<int>& times,
                                  int node, const char* path, const core::Channel<T>& channel, const T& rest) {
    tinygltf::AnimationChannel& target = animation.channels.emplace_back();
    target.sampler = static_cast<int>(animation.samplers.size());
    target.target_node = node;
    target.target_path = path;
    tinygltf::AnimationSampler& sampler = animation.samplers.emplace_back();
    sampler.interpolation = channel.interpolation == core::Interpolation::step ? "STEP" : "LINEAR";
    if (channel.isAnimated()) {
        int& accessor = times[channel.timeline];
        if (accessor < 0)
            accessor = buffer_.timeAccessor(view_, clip.timelines[channel.timeline]);
        sampler.input = accessor;
    } else {
        sampler.input = buffer_.timeAccessor(view_, {0});
    }
    constexpr int kType = sizeof(T) == sizeof(glm::quat) ? TINYGLTF_TYPE_VEC4 : TINYGLTF_TYPE_VEC3;
    const bool present = channel.isPresent();
    sampler.output =
        buffer_.addAccessor(view_, kType, present ? channel.values.data() : &rest, present ? channel.values.size() : 1);
}

}  // namespace reanima::gltf
