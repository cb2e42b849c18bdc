#include "formats/ff8/monster_clips.h"

#include <algorithm>

#include "core/axes.h"
#include "formats/ff8/scale_fit.h"
#include "formats/naming.h"

namespace reanima::ff8 {

namespace {

/// Units of length per unit of translation. With this value, planted feet stay in place.
constexpr double kUnitsOfTranslation = 16;

/// @param unit metres per unit of length
core::Skeleton toSkeleton(const Skeleton& native, double unit) {
    core::Skeleton skeleton;
    skeleton.origin = core::Skeleton::Origin::found;
    for (std::size_t i = 0; i < native.bones.size(); ++i) {
        const Bone& bone = native.bones[i];
        const bool isRoot = bone.parent == kNoParent;
        skeleton.joints.push_back(chainJoint(
            i, isRoot ? core::kNoParent : bone.parent,
            isRoot ? std::nullopt : std::optional<double>(native.bones[bone.parent].length), bone.length, unit));
        skeleton.joints.back().extras = {{"length", int{bone.length}}};
    }
    skeleton.extras = {{"model_scale", int{native.modelScale}}};
    return skeleton;
}

bool hasScales(const Animation& animation) {
    return std::ranges::any_of(animation.scales, [](const auto& scales) { return !scales.empty(); });
}

/// A box per bone around its joint, its end and its vertices.
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

}  // namespace

double unitOf(const Skeleton& skeleton, double scale) { return scale * skeleton.modelScale / Skeleton::kUnscaled; }

core::Asset toAsset(const Monster& monster, const std::vector<Object>& objects, const FileClipSettings& settings,
                    const core::Limits& limits, core::Diagnostics& diagnostics) {
    const double unit = unitOf(monster.skeleton, settings.channels.scale);
    core::Asset asset;
    asset.holdsSkeleton = true;
    const core::Skeleton& skeleton = asset.skeleton.emplace(toSkeleton(monster.skeleton, unit));
    const std::vector<Box> boxes = boxesOf(monster.skeleton, objects, unit);
    ScaleFit scaleFit(skeleton, boxes);
    std::vector<AngleAnimation> animations;
    for (const Animation& animation : monster.animations)
        animations.push_back({&animation, animation.isDamaged, !hasScales(animation)});
    const auto addScales = [&](core::Clip& clip, std::size_t index) {
        for (core::JointTrack& track : clip.tracks)
            track.scale = scalesOf(monster.animations[index], track.joint, 0);
        scaleFit.apply(clip);
    };
    FileClipSettings places = settings;
    places.channels.scale = kUnitsOfTranslation * unit;
    addFileClips<AxisOrder::yxz>(asset, animations, places, addScales, limits, diagnostics);
    scaleFit.report(diagnostics);
    return asset;
}

}  // namespace reanima::ff8
