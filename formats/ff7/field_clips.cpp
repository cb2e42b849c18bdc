#include "formats/ff7/field_clips.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/axes.h"
#include "core/text.h"
#include "formats/angle_clips.h"
#include "formats/naming.h"

namespace reanima::ff7 {

namespace {

using core::Channel;
using core::Clip;
using core::Joint;
using core::Skeleton;

/// Half of an angle in degrees. Whole turns are first removed, without rounding, since angles are unbounded.
core::HalfAngle halfOf(float degrees) {
    constexpr double kFullCircle = 360;
    // Half an angle repeats after two full turns.
    return core::halfOfAngle(std::fmod(static_cast<double>(degrees), 2 * kFullCircle) *
                             (core::kFullTurn / kFullCircle));
}

/// @param factors the axes; the last one is applied first
glm::quat rotationOf(const Triple& degrees, const std::array<std::uint8_t, 3>& factors) {
    glm::dquat rotation(1, 0, 0, 0);
    for (const std::uint8_t axis : factors) {
        const core::HalfAngle half = halfOf(degrees[axis]);
        glm::dquat factor(static_cast<double>(half.cosine), 0, 0, 0);
        factor[axis] = static_cast<double>(half.sine);
        rotation *= factor;
    }
    return core::axes::fromYDown(glm::quat(glm::normalize(rotation)));
}

constexpr double kFieldApart = 1.5;  // units of the game between placeholder joints: about 8 cm

void requireUsable(double units, std::string field) {
    if (std::abs(units) > kMostFieldUnits)
        throw core::DecodeError({std::move(field), std::nullopt},
                                fmt::format("is {}, expected at most {}", units, kMostFieldUnits));
}

void compareBones(const FieldAnimation& animation, std::size_t bones, core::Diagnostics& diagnostics) {
    if (animation.boneCount == bones)
        return;
    const char* what = animation.boneCount < bones ? "the skeleton's last bones are not animated"
                                                   : "the animation's last bones are left out";
    diagnostics.warn(core::Code::skeletonMismatch, {"bone_count", std::nullopt},
                     fmt::format("is {}, but the skeleton has {} bones; {}", animation.boneCount, bones, what));
}

}  // namespace

Skeleton toSkeleton(const FieldSkeleton& native, double scale) {
    Skeleton skeleton;
    core::UniqueNames unique;
    Joint& root = skeleton.joints.emplace_back();
    root.name = unique.unique("root");
    for (std::size_t i = 0; i < native.bones.size(); ++i) {
        const FieldBone& bone = native.bones[i];
        requireUsable(bone.length, fmt::format("bones[{}].length", i));
        std::optional<double> parentLength;
        if (bone.parent)
            parentLength = -static_cast<double>(native.bones[*bone.parent].length);
        Joint joint = chainJoint(i, bone.parent ? static_cast<int>(*bone.parent) + 1 : 0, parentLength,
                                 -static_cast<double>(bone.length), scale);
        joint.name = unique.unique(core::safeName(bone.name));
        joint.extras = {{"length", static_cast<double>(bone.length)}, {"geometry", !bone.resources.empty()}};
        skeleton.joints.push_back(std::move(joint));
    }
    return skeleton;
}

core::Asset toAsset(const FieldAnimation& animation, const FieldSkeleton* native, const FieldSettings& settings,
                    core::Diagnostics& diagnostics) {
    core::Asset asset;
    // A file without frames has no data for its bones, so the number that it states is not used.
    const std::uint32_t madeUp = settings.bones.value_or(animation.frames.empty() ? 0 : animation.boneCount);
    const Skeleton& skeleton =
        asset.skeleton.emplace(native != nullptr ? toSkeleton(*native, settings.scale)
                                                 : madeUpBones(madeUp, kFieldApart * settings.scale, "root"));
    const std::size_t bones = skeleton.joints.size() - 1;
    compareBones(animation, bones, diagnostics);
    for (std::size_t frame = 0; frame < animation.frames.size(); ++frame)
        for (const float value : animation.frames[frame].translation)
            requireUsable(value, fmt::format("frames[{}].translation", frame));
    if (animation.frames.empty())
        return asset;
    const std::size_t frames = animation.frames.size();
    Clip& clip = asset.clips.emplace_back(
        clipOf(settings.stem, settings.source, static_cast<std::uint32_t>(frames), settings.rate));
    clip.counters = {{"frame_count", animation.frameCount}, {"bone_count", animation.boneCount}};
    const std::uint32_t timeline = core::timelineOf(clip, core::frameTimes(frames, settings.rate));
    core::LargeSteps largeSteps;
    const auto rotations = [&, factors = factorsOf(animation)](const std::string& joint, const auto& at) {
        const auto made = [&](std::size_t frame) { return rotationOf(at(frame), factors); };
        return rotationsOf(timeline, frames, made, clip.name, joint, largeSteps);
    };
    // The stored y of the root points up, all other stored y axes point down. The root's y is its height.
    const auto place = [&](std::size_t frame) {
        const Triple& t = animation.frames[frame].translation;
        return Triple{t[0], -t[1], t[2]};
    };
    clip.tracks.push_back({0,
                           placesOf(timeline, frames, settings.scale, place),
                           rotations("root", [&](std::size_t frame) { return animation.frames[frame].rotation; }),
                           {}});
    for (std::uint32_t bone = 0; bone < bones; ++bone) {
        const auto at = [&](std::size_t frame) { return animation.rotations[frame * animation.boneCount + bone]; };
        clip.tracks.push_back({bone + 1,
                               {},
                               bone < animation.boneCount
                                   ? rotations(skeleton.joints[bone + 1].name, at)
                                   : Channel<glm::quat>{0, {}, {core::axes::fromYDown(glm::quat(1, 0, 0, 0))}},
                               {}});
    }
    largeSteps.report(diagnostics, {});
    return asset;
}

}  // namespace reanima::ff7
