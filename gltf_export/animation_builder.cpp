#include "gltf_export/animation_builder.h"

#include <algorithm>

#include "core/text.h"

namespace reanima::gltf {

void AnimationBuilder::reserveFor(std::span<const core::Clip> clips, std::size_t others) {
    const std::size_t joints = skeleton_.joints.size();
    std::size_t bytes = 0;
    for (const core::Clip& clip : clips) {
        core::forEachChannel(
            clip, [&bytes](const auto& channel) { bytes += channel.values.size() * sizeof(channel.values.front()); });
        bytes += (joints - std::min(joints, clip.tracks.size())) * sizeof(glm::quat);
        for (const std::vector<float>& times : clip.timelines)
            bytes += times.size() * sizeof(float);
    }
    buffer_.reserve((isCompact_ ? bytes / 2 : bytes) + others);
}

void AnimationBuilder::add(const core::Clip& clip, const std::string& name, std::string extras) {
    Animation& animation = model_.animations.emplace_back();
    samplers_.clear();
    animation.name = core::validUtf8(name);
    animation.extras = std::move(extras);
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
void AnimationBuilder::addChannel(Animation& animation, const core::Clip& clip, std::vector<int>& times, int node,
                                  std::string_view path, const core::Channel<T>& channel, const T& rest) {
    AnimationSampler sampler;
    sampler.steps = channel.interpolation == core::Interpolation::step;
    if (channel.isAnimated()) {
        int& accessor = times[channel.timeline];
        if (accessor < 0)
            accessor = buffer_.timeAccessor(view_, clip.timelines[channel.timeline]);
        sampler.input = accessor;
    } else {
        static const std::vector<float> kStart = {0};
        sampler.input = buffer_.timeAccessor(view_, kStart);
    }
    sampler.output = addValues(channel.isPresent() ? std::span(channel.values) : std::span(&rest, 1));
    animation.channels.push_back({addSampler(animation, sampler), node, path});
}

int AnimationBuilder::addSampler(Animation& animation, const AnimationSampler& sampler) {
    const auto added = static_cast<int>(animation.samplers.size());
    if (isCompact_) {
        const auto [known, isNew] = samplers_.try_emplace({sampler.input, sampler.output, sampler.steps}, added);
        if (!isNew)
            return known->second;
    }
    animation.samplers.push_back(sampler);
    return added;
}

int AnimationBuilder::addValues(std::span<const glm::vec3> values) {
    return addElements({TINYGLTF_TYPE_VEC3}, values.data(), values.size());
}

int AnimationBuilder::addValues(std::span<const glm::quat> values) {
    if (!isCompact_)
        return addElements({TINYGLTF_TYPE_VEC4}, values.data(), values.size());
    const std::vector<ShortQuat> shorts = rotations_.add(values);
    return addElements({TINYGLTF_TYPE_VEC4, TINYGLTF_COMPONENT_TYPE_SHORT, true}, shorts.data(), shorts.size());
}

template <typename T>
int AnimationBuilder::addElements(const ElementType& element, const T* values, std::size_t count) {
    return isCompact_ ? buffer_.sharedAccessor(view_, element, values, count)
                      : buffer_.addAccessor(view_, element, values, count);
}

}  // namespace reanima::gltf
