#include "formats/ff8/monster_clips.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/axes.h"
#include "core/memory.h"
#include "formats/angle_clips.h"
#include "formats/ff8/scale_fit.h"
#include "formats/naming.h"

namespace reanima::ff8 {

namespace {

/// Lengths and vertices to a unit of translation: so feet stand still.
constexpr double kUnitsOfTranslation = 16;

/// @param unit metres per unit of length
core::Skeleton toSkeleton(const Skeleton& native, double unit) {
    core::Skeleton skeleton;
    skeleton.origin = core::Skeleton::Origin::found;
    for (std::size_t i = 0; i < native.bones.size(); ++i) {
        const Bone& bone = native.bones[i];
        core::Joint& joint = skeleton.joints.emplace_back();
        joint.name = boneName(i);
        joint.id = static_cast<std::uint32_t>(i);
        joint.end = core::axes::fromYDown(glm::dvec3(0, 0, bone.length), unit);
        joint.extras = {{"length", int{bone.length}}};
        if (bone.parent == kNoParent)
            continue;
        joint.parent = bone.parent;
        joint.rest.translation = core::axes::fromYDown(glm::dvec3(0, 0, native.bones[bone.parent].length), unit);
    }
    skeleton.extras = {{"model_scale", int{native.modelScale}}};
    return skeleton;
}

bool hasScales(const Animation& animation) {
    return std::ranges::any_of(animation.scales, [](const auto& scales) { return !scales.empty(); });
}

/// From a bone's joint to its end, with its vertices.
std::vector<Box> boxesOf(const Skeleton& skeleton, const std::vector<Object>& objects, double unit) {
    std::vector<Box> boxes(skeleton.bones.size());
    const auto add = [&](std::size_t bone, const glm::dvec3& place) {
        const glm::vec3 at = core::axes::fromYDown(place, unit);
        boxes[bone] = {glm::min(boxes[bone][0], at), glm::max(boxes[bone][1], at)};
    };
    for (std::size_t bone = 0; bone < boxes.size(); ++bone)
        add(bone, {0, 0, skeleton.bones[bone].length});
    for (const Object& object : objects)
        for (const Vertex& vertex : object.vertices)
            add(vertex.bone, {vertex.place[0], vertex.place[1], vertex.place[2]});
    return boxes;
}

core::Channel<glm::vec3> scalesOf(const Animation& animation, std::size_t bone, std::uint32_t timeline) {
    core::Channel<glm::vec3> channel{timeline, {}, {}};
    if (!hasScales(animation))
        return channel;
    for (const std::vector<ScaleTriple>& scales : animation.scales) {
        const ScaleTriple stored = scales.empty() ? ScaleTriple{kScaleOne, kScaleOne, kScaleOne} : scales[bone];
        channel.values.push_back(glm::vec3(stored[0], stored[1], stored[2]) / static_cast<float>(kScaleOne));
    }
    return shortened(std::move(channel));
}

/// Without keys in between there is nothing to look at: an animation decodes to less than 64 times its size.
void requireMemoryForAddedKeys(const Monster& monster, double subdivide, const core::Limits& limits) {
    std::uint64_t keys = 0;
    for (const Animation& animation : monster.animations)
        keys += subdivide > 0 && !hasScales(animation) ? rotationKeys(animation, subdivide) : 0;
    requireMemoryForKeys(keys, limits);
}

}  // namespace

double unitOf(const Skeleton& skeleton, double scale) { return scale * skeleton.modelScale / Skeleton::kUnscaled; }

core::Asset toAsset(const Monster& monster, const std::vector<Object>& objects, const ClipSettings& settings,
                    const core::Limits& limits, core::Diagnostics& diagnostics) {
    requireMemoryForAddedKeys(monster, settings.subdivide, limits);
    const double unit = unitOf(monster.skeleton, settings.scale);
    core::Asset asset;
    asset.holdsSkeleton = true;
    const core::Skeleton& skeleton = asset.skeleton.emplace(toSkeleton(monster.skeleton, unit));
    core::MemoryCount memory(limits, fmt::format("{} animations", monster.animations.size()));
    core::LargeSteps largeSteps;
    const std::vector<Box> boxes = boxesOf(monster.skeleton, objects, unit);
    ScaleFit scaleFit(skeleton, boxes);
    std::size_t inserted = 0;
    for (std::size_t index = 0; index < monster.animations.size(); ++index) {
        const Animation& animation = monster.animations[index];
        if (animation.count() == 0) {
            if (!animation.isDamaged)
                diagnostics.warn(core::Code::empty, {fmt::format("animations[{}]", index), std::nullopt},
                                 "has no frames and becomes no clip");
            continue;
        }
        core::Clip& clip =
            asset.clips.emplace_back(clipOf(fmt::format("{}_{:03}", settings.stem, index), settings.source,
                                            static_cast<std::uint32_t>(animation.count()), settings.rate));
        clip.index = clip.id = static_cast<std::uint32_t>(index);
        const double subdivide = hasScales(animation) ? 0 : settings.subdivide;
        AngleChannels<AxisOrder::yxz> channels(animation, {settings.rate, kUnitsOfTranslation * unit, subdivide}, clip,
                                               largeSteps);
        for (std::uint32_t bone = 0; bone < skeleton.joints.size(); ++bone)
            clip.tracks.push_back({bone, bone == 0 ? channels.translation() : core::Channel<glm::vec3>{},
                                   channels.rotation(bone, skeleton.joints[bone].name), scalesOf(animation, bone, 0)});
        inserted += channels.inserted();
        scaleFit.apply(clip);
        memory.add(core::memoryOf(clip));
    }
    if (settings.subdivide > 0)
        diagnostics.note(core::Code::keysInserted, {},
                         fmt::format("{} keys inserted between those of the file", inserted));
    scaleFit.report(diagnostics);
    largeSteps.report(diagnostics, {"subdivide", "90"});
    return asset;
}

}  // namespace reanima::ff8
