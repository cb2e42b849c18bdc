#include "formats/ff9/clips.h"

#include <algorithm>

#include "core/axes.h"
#include "core/continuous_rotations.h"
#include "formats/angle_clips.h"
#include "formats/ff9/names.h"
#include "formats/naming.h"

namespace reanima::ff9 {

namespace {

using core::Skeleton;

bool neverChanges(const Channels<Angle>& channels, std::size_t first) {
    for (std::size_t channel = first; channel < first + 3; ++channel)
        if (std::any_of(channels[channel].begin(), channels[channel].end(),
                        [&](Angle value) { return value != channels[channel].front(); }))
            return false;
    return true;
}

/// The rotations of a bone, with consistent signs. Large steps are counted.
/// @param room memory for a rotation per frame, reused for every bone: a new vector would first be filled with zeros
/// @return the part of `room` that is used
std::span<const glm::quat> rotationsOf(const Animation& animation, std::size_t bone, std::span<glm::quat> room,
                                       const std::string& clip, core::LargeSteps& largeSteps) {
    constexpr float kCosine = 0.5F;  // cosine of half of LargeSteps::kDegrees
    const std::size_t first = 3 * bone;
    const std::span<glm::quat> rotations = room.first(neverChanges(animation.angles, first) ? 1 : animation.frameCount);
    const std::size_t far = core::composeContinuously(
        {animation.angles[first], animation.angles[first + 1], animation.angles[first + 2]}, rotations, kCosine);
    if (far == 0)
        return rotations;
    float least = kCosine;
    std::size_t largest = 0;
    for (std::size_t frame = 1; frame < rotations.size(); ++frame) {
        const float cosine = core::halfCosine(rotations[frame - 1], rotations[frame]);
        if (cosine < least) {
            least = cosine;
            largest = frame;
        }
    }
    largeSteps.add(far, 1 - static_cast<double>(least), clip, boneName(bone), largest);
    return rotations;
}

}  // namespace

Skeleton toSkeleton(const ModelHead& model, double scale) {
    Skeleton skeleton;
    for (std::size_t i = 0; i < model.bones.size(); ++i) {
        const Bone& bone = model.bones[i];
        core::Joint& joint = skeleton.joints.emplace_back();
        joint.name = boneName(i);
        joint.id = static_cast<std::uint32_t>(i);
        joint.extras = {{"length", int{bone.length}}};
        if (i == 0)
            continue;
        joint.parent = bone.parent;
        joint.rest.translation = core::axes::fromYDown(glm::dvec3(0, 0, bone.length), scale);
    }
    skeleton.extras = {
        {"neck_bone", int{model.neckBone}}, {"height", int{model.height}}, {"radius", int{model.radius}}};
    return skeleton;
}

Skeleton madeUpSkeleton(std::size_t bones, double scale) {
    constexpr double kApart = 24;  // units of the game: about 9 cm
    return madeUpBones(bones, kApart * scale);
}

core::Clip toClip(const Animation& animation, std::string name, std::size_t joints, const ClipSettings& settings,
                  core::LargeSteps& largeSteps) {
    core::Clip clip = clipOf(std::move(name), {}, animation.frameCount, settings.rate);
    clip.timelines = {core::frameTimes(clip.frames, clip.rate)};
    clip.counters = {{"frame_count", clip.frames}, {"low_table", animation.hasLowTable}};
    const std::size_t bones = std::min(animation.boneCount(), joints);
    clip.tracks.reserve(bones);
    std::vector<glm::quat> room(animation.frameCount);
    for (std::size_t bone = 0; bone < bones; ++bone) {
        core::JointTrack& track = clip.tracks.emplace_back();
        track.joint = static_cast<std::uint32_t>(bone);
        if (bone == 0)
            track.translation = placesOf(0, animation.frameCount, settings.scale, [&](std::size_t frame) {
                const Channels<std::int16_t>& axes = animation.translation;
                return Position{axes.at(0, frame), axes.at(1, frame), axes.at(2, frame)};
            });
        const std::span<const glm::quat> rotations = rotationsOf(animation, bone, room, clip.name, largeSteps);
        track.rotation.values.assign(rotations.begin(), rotations.end());
    }
    return clip;
}

void nameClips(std::vector<core::Clip>& clips, std::uint32_t model) {
    for (core::Clip& clip : clips) {
        if (belongByName(model, clip.id) != true)
            continue;
        clip.fullName = animationName(clip.id);
        const std::string name = shortClipName(clip.fullName);
        if (name.empty())
            continue;
        clip.name = name;
        clip.namedBy = core::NamedBy::table;
    }
}

}  // namespace reanima::ff9
