#include "core/memory.h"

namespace reanima::core {

namespace {

std::uint64_t heapOf(const std::string& text) {
    constexpr std::size_t kInside = 15;  // a string of this many characters needs no heap memory
    return text.capacity() > kInside ? heapBytes(text.capacity() + 1) : 0;
}

template <typename T>
std::uint64_t heapOf(const std::vector<T>& list) {
    return heapBytes(list.capacity() * sizeof(T));
}

std::uint64_t heapOf(const Properties& properties);

struct ValueHeap {
    std::uint64_t operator()(const std::string& text) const { return heapOf(text); }
    std::uint64_t operator()(const Properties& properties) const { return reanima::core::heapOf(properties); }
    std::uint64_t operator()(const std::vector<Value>& list) const {
        std::uint64_t bytes = heapOf(list);
        for (const Value& value : list)
            bytes += std::visit(*this, value.data);
        return bytes;
    }
    template <typename Plain>
    std::uint64_t operator()(const Plain&) const {
        return 0;
    }
};

std::uint64_t heapOf(const Properties& properties) {
    std::uint64_t bytes = heapBytes(properties.capacity() * sizeof(Properties::value_type));
    for (const auto& [name, value] : properties)
        bytes += heapOf(name) + std::visit(ValueHeap{}, value.data);
    return bytes;
}

}  // namespace

std::uint64_t memoryOf(const JointTrack& track) {
    std::uint64_t bytes = sizeof track;
    forEachChannel(track, [&bytes](const auto& channel) { bytes += heapOf(channel.values); });
    return bytes;
}

std::uint64_t memoryOf(const Clip& clip) {
    std::uint64_t bytes =
        sizeof clip + heapOf(clip.name) + heapOf(clip.source) + heapOf(clip.format) + heapOf(clip.fullName);
    bytes += heapOf(clip.timelines) + heapOf(clip.tracks) + heapOf(clip.events) + heapOf(clip.counters);
    for (const std::vector<float>& times : clip.timelines)
        bytes += heapOf(times);
    for (const EventMarker& event : clip.events)
        bytes += heapOf(event.name) + heapOf(event.properties);
    forEachChannel(clip, [&bytes](const auto& channel) { bytes += heapOf(channel.values); });
    return bytes;
}

std::uint64_t memoryOf(const Mesh& mesh) {
    std::uint64_t bytes = sizeof mesh + heapOf(mesh.name) + heapOf(mesh.primitives) + heapOf(mesh.extras);
    for (const Primitive& primitive : mesh.primitives)
        bytes += heapOf(primitive.positions) + heapOf(primitive.normals) + heapOf(primitive.lifts) +
                 heapOf(primitive.textureCoordinates) + heapOf(primitive.colors) + heapOf(primitive.joints) +
                 heapOf(primitive.emissiveCoordinates) + heapOf(primitive.others) + heapOf(primitive.indices);
    return bytes;
}

std::uint64_t memoryOf(const Asset& asset) {
    std::uint64_t bytes = 0;
    if (asset.skeleton) {
        const Skeleton& skeleton = *asset.skeleton;
        bytes += sizeof skeleton + heapOf(skeleton.name) + heapOf(skeleton.joints) + heapOf(skeleton.extras);
        for (const Joint& joint : skeleton.joints)
            bytes += heapOf(joint.name) + heapOf(joint.extras);
    }
    for (const Clip& clip : asset.clips)
        bytes += memoryOf(clip);
    for (const Mesh& mesh : asset.meshes)
        bytes += memoryOf(mesh);
    for (const Material& material : asset.materials)
        bytes += sizeof material + heapOf(material.name) + heapOf(material.extras);
    for (const Image& image : asset.images)
        bytes += sizeof image + heapOf(image.name) + heapOf(image.rgba);
    bytes += heapOf(asset.character);
    return bytes + (asset.clips.capacity() - asset.clips.size()) * sizeof(Clip);
}

}  // namespace reanima::core
