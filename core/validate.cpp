#include "core/validate.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>
#include <glm/geometric.hpp>

namespace reanima::core {

namespace {

class Problems {
  public:
    template <typename... Args>
    void add(fmt::format_string<Args...> text, Args&&... args) {
        list_.push_back(fmt::format(text, std::forward<Args>(args)...));
    }
    std::vector<std::string> take() { return std::move(list_); }

  private:
    std::vector<std::string> list_;
};

bool isFinite(const glm::vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }
bool isFinite(const glm::quat& q) {
    return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}
/// True for a length of 1 +- 1e-6 and finite components.
bool isUnit(const glm::quat& q) {
    const glm::dquat exact(q);
    return std::abs(glm::dot(exact, exact) - 1) <= 2e-6;
}

void checkSkeleton(const Skeleton& skeleton, Problems& problems) {
    std::unordered_set<std::string_view> names;
    for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
        const Joint& joint = skeleton.joints[i];
        if (joint.name.empty() || !names.insert(joint.name).second)
            problems.add("joint {}: the name \"{}\" is empty or used twice", i, joint.name);
        if (joint.parent < kNoParent || joint.parent >= static_cast<int>(i))
            problems.add("joint {}: parent {} does not come before it", joint.name, joint.parent);
        if (!isFinite(joint.rest.translation) || !isFinite(joint.rest.scale) || !isFinite(joint.rest.rotation) ||
            !isUnit(joint.rest.rotation))
            problems.add("joint {}: the rest pose is not finite, or its rotation is not of unit length", joint.name);
    }
}

template <typename T>
void checkChannel(const Clip& clip, const Channel<T>& channel, const std::string& joint, const char* property,
                  Problems& problems) {
    if (channel.values.size() > 1 &&
        (channel.timeline >= clip.timelines.size() || channel.values.size() != clip.timelines[channel.timeline].size()))
        problems.add("clip {}: {} of {}: has {} values for {} key times", clip.name, property, joint,
                     channel.values.size(),
                     channel.timeline < clip.timelines.size() ? clip.timelines[channel.timeline].size() : 0);
    const auto report = [&](std::size_t key, const char* problem) {
        problems.add("clip {}: {} of {}: key {} {}", clip.name, property, joint, key, problem);
    };
    for (std::size_t key = 0; key < channel.values.size(); ++key) {
        const T& value = channel.values[key];
        if constexpr (std::is_same_v<T, glm::quat>) {
            if (!isUnit(value))
                report(key, isFinite(value) ? "is not of unit length" : "is not finite");
            if (key > 0 && glm::dot(value, channel.values[key - 1]) < 0)
                report(key, "changes sign");
        } else if (!isFinite(value)) {
            report(key, "is not finite");
        }
    }
}

void checkClip(const Skeleton& skeleton, const Clip& clip, Problems& problems) {
    for (std::size_t i = 0; i < clip.timelines.size(); ++i) {
        const std::vector<float>& times = clip.timelines[i];
        if (times.empty())
            problems.add("clip {}: timeline {} is empty", clip.name, i);
        for (std::size_t key = 0; key < times.size(); ++key)
            if (!std::isfinite(times[key]) || times[key] < 0 || (key > 0 && times[key] <= times[key - 1]))
                problems.add("clip {}: timeline {}: time {} does not ascend", clip.name, i, key);
    }
    checkChannel(clip, clip.travel, "the whole", "travel", problems);
    const std::vector<Joint>& joints = skeleton.joints;
    for (std::size_t i = 0; i < clip.tracks.size(); ++i) {
        const JointTrack& track = clip.tracks[i];
        if (track.joint >= joints.size() || (i > 0 && track.joint <= clip.tracks[i - 1].joint)) {
            problems.add("clip {}: track {}: joint {} does not exist or is out of order", clip.name, i, track.joint);
            continue;
        }
        const std::string& name = joints[track.joint].name;
        checkChannel(clip, track.translation, name, "translation", problems);
        checkChannel(clip, track.rotation, name, "rotation", problems);
        checkChannel(clip, track.scale, name, "scale", problems);
    }
}

void checkImages(const ImageSequence& images, Problems& problems) {
    if (images.name.empty())
        problems.add("a video has no name");
    if (images.width == 0 || images.height == 0 || images.count == 0 || images.rateNumerator == 0 ||
        images.rateDenominator == 0 || !images.open)
        problems.add("video {}: its size, number of frames or rate is 0, or it can't be opened", images.name);
}

template <typename Vector>
bool areFinite(const std::vector<Vector>& list) {
    return std::ranges::all_of(list, [](const Vector& v) {
        for (glm::length_t i = 0; i < Vector::length(); ++i)
            if (!std::isfinite(v[i]))
                return false;
        return true;
    });
}

bool areUnit(const std::vector<glm::vec3>& list) {
    constexpr double kTolerance = 1e-3;
    return std::ranges::all_of(
        list, [](const glm::vec3& v) { return std::abs(glm::length(glm::dvec3(v)) - 1) <= kTolerance; });
}

bool areColors(const std::vector<glm::vec4>& list) {
    const auto isShare = [](float value) { return value >= 0 && value <= 1; };
    return std::ranges::all_of(
        list, [&](const glm::vec4& c) { return isShare(c.r) && isShare(c.g) && isShare(c.b) && isShare(c.a); });
}

void checkMaterials(const Asset& asset, Problems& problems) {
    std::unordered_set<std::string_view> names;
    for (std::size_t i = 0; i < asset.images.size(); ++i) {
        const Image& image = asset.images[i];
        if (image.name.empty() || !names.insert(image.name).second)
            problems.add("image {}: the name \"{}\" is empty or used twice", i, image.name);
        if (image.width == 0 || image.height == 0 || image.rgba.size() != std::uint64_t{4} * image.width * image.height)
            problems.add("image {}: {} x {} texels do not fit {} bytes", image.name, image.width, image.height,
                         image.rgba.size());
    }
    for (std::size_t i = 0; i < asset.materials.size(); ++i) {
        const Material& material = asset.materials[i];
        if (material.name.empty())
            problems.add("material {} has no name", i);
        if (material.image && *material.image >= asset.images.size())
            problems.add("material {}: there is no image {}", material.name, *material.image);
        if (material.emissive && *material.emissive >= asset.images.size())
            problems.add("material {}: there is no image {}", material.name, *material.emissive);
        if (!areColors({material.factor}))
            problems.add("material {}: its factor is out of range", material.name);
        if (!(material.alphaCutoff >= 0 && material.alphaCutoff <= 1))
            problems.add("material {}: the alpha cutoff is not between 0 and 1", material.name);
    }
}

/// @param name names the primitive in messages
void checkAttributes(const Primitive& primitive, const std::string& name, Problems& problems) {
    const std::size_t vertices = primitive.positions.size();
    const auto check = [&](const char* attribute, std::size_t count, bool isSound) {
        if (count != 0 && count != vertices)
            problems.add("{}: {} {} do not fit {} vertices", name, count, attribute, vertices);
        if (!isSound)
            problems.add("{}: the {} are out of range", name, attribute);
    };
    check("positions", vertices, areFinite(primitive.positions));
    check("normals", primitive.normals.size(), areUnit(primitive.normals));
    check("lifts", primitive.lifts.size(), areFinite(primitive.lifts));
    check("texture coordinates", primitive.textureCoordinates.size(), areFinite(primitive.textureCoordinates));
    check("emissive coordinates", primitive.emissiveCoordinates.size(), areFinite(primitive.emissiveCoordinates));
    check("colors", primitive.colors.size(), areColors(primitive.colors));
}

/// True if no weight is negative, the sum is at most 1, and all joints exist.
bool areInfluences(const Primitive& primitive, std::size_t joints) {
    for (std::size_t vertex = 0; vertex < primitive.others.size(); ++vertex) {
        for (const Influence& other : primitive.others[vertex])
            if (other.joint >= joints || !(other.weight >= 0) || !areFinite(std::vector{other.position}))
                return false;
        if (!(firstWeight(primitive, vertex) >= 0))
            return false;
    }
    return true;
}

void checkPrimitive(const Asset& asset, const Primitive& primitive, const std::string& name, Problems& problems) {
    const auto isAnyOf = [](std::size_t count) { return [count](std::uint32_t index) { return index < count; }; };
    checkAttributes(primitive, name, problems);
    if (primitive.material >= asset.materials.size())
        problems.add("{}: there is no material {}", name, primitive.material);
    else if ((asset.materials[primitive.material].image || asset.materials[primitive.material].emissive) &&
             primitive.textureCoordinates.empty())
        problems.add("{}: its material has an image, but there are no texture coordinates", name);
    const std::size_t joints = asset.skeleton ? asset.skeleton->joints.size() : 0;
    const bool hasJoints = !primitive.joints.empty();
    if ((hasJoints && primitive.joints.size() != primitive.positions.size()) ||
        !std::ranges::all_of(primitive.joints, isAnyOf(joints)))
        problems.add("{}: not every vertex has a joint of the skeleton", name);
    if (!primitive.others.empty() &&
        (primitive.others.size() != primitive.joints.size() || !areInfluences(primitive, joints)))
        problems.add("{}: its influences are out of range", name);
    if (primitive.indices.empty() || primitive.indices.size() % 3 != 0 ||
        !std::ranges::all_of(primitive.indices, isAnyOf(primitive.positions.size())))
        problems.add("{}: its {} indices do not form triangles of its {} vertices", name, primitive.indices.size(),
                     primitive.positions.size());
}

void checkMeshes(const Asset& asset, Problems& problems) {
    std::unordered_set<std::string_view> names;
    if (asset.skeleton)
        names.insert(asset.skeleton->name);
    for (std::size_t i = 0; i < asset.meshes.size(); ++i) {
        const Mesh& mesh = asset.meshes[i];
        if (mesh.name.empty() || !names.insert(mesh.name).second)
            problems.add("mesh {}: the name \"{}\" is empty or used twice", i, mesh.name);
        if (mesh.primitives.empty())
            problems.add("mesh {} is empty", mesh.name);
        for (std::size_t k = 0; k < mesh.primitives.size(); ++k)
            checkPrimitive(asset, mesh.primitives[k], fmt::format("mesh {}: primitive {}", mesh.name, k), problems);
    }
}

void checkNames(std::span<const Clip> clips, Problems& problems) {
    std::unordered_set<std::string_view> names;
    for (const Clip& clip : clips)
        if (clip.name.empty() || !names.insert(clip.name).second)
            problems.add("the clip name \"{}\" is empty or used twice", clip.name);
}

}  // namespace

std::vector<std::string> validate(const Skeleton& skeleton, std::span<const Clip> clips) {
    Problems problems;
    checkSkeleton(skeleton, problems);
    checkNames(clips, problems);
    for (const Clip& clip : clips)
        checkClip(skeleton, clip, problems);
    return problems.take();
}

std::vector<std::string> validate(const Asset& asset) {
    Problems problems;
    if (asset.skeleton)
        checkSkeleton(*asset.skeleton, problems);
    checkNames(asset.clips, problems);
    for (const Clip& clip : asset.clips)
        if (asset.skeleton)
            checkClip(*asset.skeleton, clip, problems);
        else
            problems.add("clip {}: there is no skeleton", clip.name);
    checkMaterials(asset, problems);
    checkMeshes(asset, problems);
    if (asset.video)
        checkImages(*asset.video, problems);
    return problems.take();
}

}  // namespace reanima::core
