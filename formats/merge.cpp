#include "formats/merge.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/memory.h"
#include "core/text.h"

namespace reanima {

namespace {

using core::DecodeError;

void moveTo(const std::vector<std::uint32_t>& joints, core::Primitive& primitive) {
    for (std::uint32_t& joint : primitive.joints)
        joint = joints[joint];
    for (core::Influences& others : primitive.others)
        for (core::Influence& other : others)
            other.joint = joints[other.joint];
}

bool sameJoint(const core::Skeleton& a, const core::Joint& jointA, const core::Skeleton& b, const core::Joint& jointB) {
    const auto parentName = [](const core::Skeleton& skeleton, const core::Joint& joint) {
        return joint.parent == core::kNoParent ? std::string()
                                               : skeleton.joints[static_cast<std::size_t>(joint.parent)].name;
    };
    return jointA.name == jointB.name && parentName(a, jointA) == parentName(b, jointB) &&
           jointA.rest.translation == jointB.rest.translation && jointA.id == jointB.id;
}

/// True for joints of another program's file, which have no numbers.
bool isForeign(const core::Skeleton& skeleton) {
    return skeleton.origin != core::Skeleton::Origin::madeUp &&
           std::ranges::none_of(skeleton.joints, [](const core::Joint& joint) { return joint.id.has_value(); });
}

/// True if `outer` has all joint names of `inner`.
bool holdsNames(const core::Skeleton& outer, const core::Skeleton& inner) {
    return std::ranges::all_of(inner.joints,
                               [&](const core::Joint& joint) { return outer.find(joint.name).has_value(); });
}

/// Adds the joints of `other` to `target`.
/// @return for every joint of `other` its index in `target`; empty if joints of the same name differ, or if both
/// skeletons are from other programs and each has joints that the other lacks
std::optional<std::vector<std::uint32_t>> joinSkeletons(core::Skeleton& target, const core::Skeleton& other) {
    if ((isForeign(target) || isForeign(other)) && !holdsNames(target, other) && !holdsNames(other, target))
        return std::nullopt;
    std::vector<std::uint32_t> indices;
    for (const core::Joint& joint : other.joints) {
        std::optional<std::uint32_t> known = target.find(joint.name);
        if (known && !sameJoint(target, target.joints[*known], other, joint))
            return std::nullopt;
        if (!known) {
            if (joint.id)  // a joint from the file; only joints that clips add (weapons) may be missing
                return std::nullopt;
            known = static_cast<std::uint32_t>(target.joints.size());
            core::Joint added = joint;
            if (joint.parent != core::kNoParent)
                added.parent = static_cast<int>(indices[static_cast<std::size_t>(joint.parent)]);
            target.joints.push_back(std::move(added));
        }
        indices.push_back(*known);
    }
    return indices;
}

std::string sourceOf(const core::Asset& asset) {
    return asset.clips.empty() ? asset.skeleton->name : asset.clips.front().source;
}

/// @throws DecodeError if there are several assets and one has no skeleton
void requireSkeletons(const std::vector<core::Asset>& assets) {
    const auto lone = std::ranges::find_if(assets, [](const core::Asset& asset) { return !asset.skeleton; });
    if (lone == assets.end() || assets.size() == 1)
        return;
    if (lone->video)
        throw DecodeError(fmt::format("{} is a video or an image. Write it to a separate output", lone->video->source));
    throw DecodeError(fmt::format("{} has no joints. Write it to a separate output",
                                  lone->meshes.empty() ? lone->images.front().name : lone->meshes.front().name));
}

/// Moves the look of one asset to the merged one, unless the merged asset has a look.
/// @param joints the index in `to` of every joint of `from`
void takeMeshes(core::Asset& to, core::Asset& from, const std::vector<std::uint32_t>& joints) {
    if (!to.meshes.empty())
        return;
    for (core::Mesh& mesh : from.meshes)
        for (core::Primitive& primitive : mesh.primitives)
            moveTo(joints, primitive);
    to.meshes = std::move(from.meshes);
    to.materials = std::move(from.materials);
    to.images = std::move(from.images);
    to.character = std::move(from.character);
}

/// Names the merged asset after the first asset with a character.
void takeName(core::Asset& to, const core::Asset& from) {
    if (!to.called.title.empty() || from.called.title.empty())
        return;
    to.called = from.called;
    to.skeleton->name = from.skeleton->name;
}

}  // namespace

void requireMemoryFor(const core::Asset& asset, const core::Limits& limits) {
    const std::uint64_t joints = !asset.skeleton ? 0 : asset.skeleton->joints.size();
    core::requireMemory(core::memoryOf(asset), limits,
                        {fmt::format("{} clips of {} joints", asset.clips.size(), joints), std::nullopt});
}

void giveVertices(core::Asset& asset) {
    if (!asset.skeleton || asset.meshes.empty())
        return;
    const std::vector<core::Joint>& joints = asset.skeleton->joints;
    std::vector<std::uint32_t> takers(joints.size());
    std::iota(takers.begin(), takers.end(), 0U);
    for (std::uint32_t joint = 0; joint < joints.size(); ++joint)
        if (joints[joint].takesVertices && joints[joint].parent != core::kNoParent)
            takers[static_cast<std::size_t>(joints[joint].parent)] = joint;
    for (core::Mesh& mesh : asset.meshes)
        for (core::Primitive& primitive : mesh.primitives)
            moveTo(takers, primitive);
}

core::Asset merge(std::vector<core::Asset> assets, const core::Limits& limits) {
    std::erase_if(assets, [](const core::Asset& asset) {
        return !asset.skeleton && !asset.video && asset.meshes.empty() && asset.images.empty();
    });
    if (assets.empty())
        return {};
    requireSkeletons(assets);
    core::Asset merged = std::move(assets.front());
    // The largest skeleton comes first, so that the order of smaller ones does not matter.
    const auto largest = std::max_element(assets.begin() + 1, assets.end(), [](const auto& a, const auto& b) {
        return a.skeleton->joints.size() < b.skeleton->joints.size();
    });
    if (largest != assets.end() && isForeign(*largest->skeleton)) {
        core::Skeleton joined = *merged.skeleton;
        if (joinSkeletons(joined, *largest->skeleton))
            *merged.skeleton = std::move(joined);
    }
    for (std::size_t i = 1; i < assets.size(); ++i) {
        core::Asset& other = assets[i];
        core::Skeleton joined = *merged.skeleton;
        const auto indices = joinSkeletons(joined, *other.skeleton);
        if (!indices)
            throw DecodeError(fmt::format(
                "{} and {} move different skeletons ({} with {} joints, {} with {}). Write each to a separate output",
                sourceOf(merged), sourceOf(other), merged.skeleton->name, merged.skeleton->joints.size(),
                other.skeleton->name, other.skeleton->joints.size()));
        *merged.skeleton = std::move(joined);
        takeMeshes(merged, other, *indices);
        takeName(merged, other);
        for (core::Clip& clip : other.clips) {
            for (core::JointTrack& track : clip.tracks)
                track.joint = (*indices)[track.joint];
            std::sort(clip.tracks.begin(), clip.tracks.end(),
                      [](const core::JointTrack& a, const core::JointTrack& b) { return a.joint < b.joint; });
            merged.clips.push_back(std::move(clip));
        }
    }
    giveVertices(merged);
    requireMemoryFor(merged, limits);
    core::UniqueNames names;
    for (core::Clip& clip : merged.clips)
        clip.name = names.unique(clip.name);
    return merged;
}

}  // namespace reanima
