#include "formats/ff9/edits.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "formats/angle_edits.h"

namespace reanima::ff9 {

namespace {

/// Three channels, frame by frame.
template <typename T>
using Frames = std::vector<std::array<T, 3>>;

template <typename T>
Frames<T> framesOf(const Channels<T>& channels, std::size_t first, std::size_t before, std::size_t count) {
    Frames<T> frames(count);
    for (std::size_t frame = 0; frame < count; ++frame)
        for (std::size_t axis = 0; axis < 3; ++axis)
            frames[frame][axis] = channels.at(first + axis, std::min(frame, before - 1));
    return frames;
}

/// Appends the three channels of `frames`. A constant channel stays constant unless a frame differs.
template <typename T>
void add(Channels<T>& channels, const Frames<T>& frames, const Channels<T>& before, std::size_t first) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<T> values;
        values.reserve(frames.size());
        for (const std::array<T, 3>& frame : frames)
            values.push_back(frame[axis]);
        const bool isConstant = before[first + axis].size() == 1 &&
                                std::ranges::all_of(values, [&values](T value) { return value == values.front(); });
        channels.add(std::span<const T>(values).first(isConstant ? 1 : values.size()));
    }
}

}  // namespace

Animation stillAnimation(std::uint32_t bones) {
    Animation still;
    still.frameCount = 1;
    still.hasLowTable = false;
    for (int axis = 0; axis < 3; ++axis)
        still.translation.add(1);
    for (std::uint32_t channel = 0; channel < 3 * bones; ++channel)
        still.angles.add(1);
    return still;
}

Animation edited(const Animation& animation, const core::Asset& original, const core::ClipEdit& edit, double scale,
                 std::vector<std::string>& losses) {
    const core::Clip& clip = original.clips[edit.clip];
    if (edit.frames > kMostFrames)
        throw core::DecodeError({clip.name, std::nullopt},
                                fmt::format("has {} frames, expected at most {}", edit.frames, kMostFrames));
    const std::size_t before = animation.frameCount;
    std::map<std::uint32_t, const core::JointEdit*> edits;
    for (const core::JointEdit& joint : edit.joints) {
        const std::string& name = original.skeleton->joints[joint.joint].name;
        if (joint.isScaled)
            losses.push_back(fmt::format("{}: {} is scaled, which the format can't store", clip.name, name));
        if (joint.joint != 0 && !joint.translations.empty())
            losses.push_back(fmt::format("{}: {} is moved. Only the first bone can move", clip.name, name));
        edits.emplace(joint.joint, &joint);
    }
    Animation result;
    result.frameCount = static_cast<std::uint16_t>(edit.frames);
    result.hasLowTable = animation.hasLowTable;
    const auto editOf = [&edits](std::size_t bone) {
        const auto found = edits.find(static_cast<std::uint32_t>(bone));
        return found == edits.end() ? nullptr : found->second;
    };
    Frames<std::int16_t> places = framesOf(animation.translation, 0, before, edit.frames);
    if (const core::JointEdit* joint = editOf(0))
        for (const core::TranslationEdit& moved : joint->translations)
            places[moved.frame] = positionOf(moved, scale, clip.name);
    add(result.translation, places, animation.translation, 0);
    for (std::size_t bone = 0; bone < animation.boneCount(); ++bone) {
        Frames<Angle> angles = framesOf(animation.angles, 3 * bone, before, edit.frames);
        if (const core::JointEdit* joint = editOf(bone))
            for (const core::RotationEdit& turned : joint->rotations) {
                const AngleTriple& near = angles[turned.frame < before ? turned.frame : turned.frame - 1];
                angles[turned.frame] = anglesOf(turned, core::AxisOrder::zyx, near);
                const auto hasLow = [](Angle angle) { return (angle & 0xFU) != 0; };
                result.hasLowTable = result.hasLowTable || std::ranges::any_of(angles[turned.frame], hasLow);
            }
        add(result.angles, angles, animation.angles, 3 * bone);
    }
    return result;
}

}  // namespace reanima::ff9
