#include "formats/ff7/field_edits.h"

#include <cmath>

#include <fmt/format.h>

#include "core/axes.h"
#include "core/nearest_angles.h"

namespace reanima::ff7 {

namespace {

constexpr double kUnitsOfDegree = core::kFullTurn / 360.0;

/// Converts a position to the file's form: the root's y points up, all other y axes point down.
/// @throws core::DecodeError for a position that readers reject
Triple placeOf(const core::TranslationEdit& moved, double scale, const std::string& clip) {
    glm::dvec3 at = core::axes::toYDown(moved.translation) / scale;
    at.y = -at.y;  // the root's stored y points up: see field_clips.cpp
    for (int axis = 0; axis < 3; ++axis)
        if (!(std::abs(at[axis]) <= kMostFieldUnits))
            throw core::DecodeError({clip, std::nullopt},
                                    fmt::format("frame {}: the position is {} units, expected at most {}", moved.frame,
                                                at[axis], kMostFieldUnits));
    return {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)};
}

Triple anglesOf(const core::RotationEdit& edit, const core::Factors& factors, const Triple& near) {
    core::RealAngles from{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        from[axis] = static_cast<double>(near[axis]) * kUnitsOfDegree;
    const core::RealAngles found = core::nearestAngles(core::axes::toYDown(edit.rotation), factors, from);
    Triple degrees{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        degrees[axis] = static_cast<float>(found[axis] / kUnitsOfDegree);
    return degrees;
}

void setFrameCount(FieldAnimation& animation, std::uint32_t frames) {
    const std::size_t before = animation.frames.size();
    if (animation.frameCount == before)
        animation.frameCount = frames;
    animation.frames.resize(frames, animation.frames.back());
    animation.rotations.resize(std::size_t{frames} * animation.boneCount);
    for (std::size_t at = before * animation.boneCount; at < animation.rotations.size(); ++at)
        animation.rotations[at] = animation.rotations[at - animation.boneCount];
}

}  // namespace

core::StoredSteps fieldSteps(double scale) {
    constexpr double kDegrees = 0.005;  // some hundred times the error of a round trip through Blender
    constexpr double kUnits = 0.002;    // ten times the error of a round trip through Blender
    return {kDegrees, kUnits * scale};
}

FieldAnimation stillFieldAnimation(std::uint32_t bones) {
    FieldAnimation still;
    still.frameCount = 1;
    still.boneCount = bones;
    still.frames.resize(1);
    still.rotations.resize(bones);
    return still;
}

std::vector<std::string> applyEdit(FieldAnimation& animation, const core::Asset& original, const core::ClipEdit& edit,
                                   const FieldSettings& settings) {
    std::vector<std::string> losses;
    const core::Clip& clip = original.clips[edit.clip];
    const core::Factors factors = factorsOf(animation);
    if (edit.frames != clip.frames)
        setFrameCount(animation, edit.frames);
    for (const core::JointEdit& joint : edit.joints) {
        const std::string& name = original.skeleton->joints[joint.joint].name;
        if (joint.isScaled)
            losses.push_back(fmt::format("{}: {} is scaled, which the format can't store", clip.name, name));
        if (joint.joint > animation.boneCount) {
            losses.push_back(fmt::format("{}: {} is rotated, but the animation has only {} bones", clip.name, name,
                                         animation.boneCount));
            continue;
        }
        if (joint.joint != 0 && !joint.translations.empty())
            losses.push_back(fmt::format("{}: {} is moved. Only the root can move", clip.name, name));
        for (const core::TranslationEdit& moved : joint.translations) {
            if (joint.joint != 0)
                break;
            animation.frames[moved.frame].translation = placeOf(moved, settings.scale, clip.name);
        }
        const auto stored = [&](std::uint32_t frame) -> Triple& {
            return joint.joint == 0 ? animation.frames[frame].rotation
                                    : animation.rotations[std::size_t{frame} * animation.boneCount + joint.joint - 1];
        };
        for (const core::RotationEdit& turned : joint.rotations)
            stored(turned.frame) =
                anglesOf(turned, factors, stored(turned.frame < clip.frames ? turned.frame : turned.frame - 1));
    }
    return losses;
}

}  // namespace reanima::ff7
