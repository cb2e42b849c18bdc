#include "formats/ff7/field_clips.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/axes.h"
#include "core/large_steps.h"
#include "core/text.h"
#include "formats/naming.h"

namespace reanima::ff7 {

namespace {

using core::Channel;
using core::Clip;
using core::Joint;
using core::Skeleton;

/// Half of an angle in degrees. Whole turns go first, exactly: angles have no bounds in the file.
core::HalfAngle halfOf(float degrees) {
    constexpr double kFullCircle = 360;
    // Half an angle has two circles until it is where it was.
    return core::halfOfAngle(std::fmod(static_cast<double>(degrees), 2 * kFullCircle) *
                             (core::kFullTurn / kFullCircle));
}

/// @param factors axes, the last one applied first
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

/// Makes the channels of an animation.
class ChannelMaker {
  public:
    ChannelMaker(const FieldAnimation& animation, const FieldSettings& settings, Clip& clip)
        : animation_(animation),
          settings_(settings),
          factors_(factorsOf(animation)),
          clip_(clip),
          timeline_(core::timelineOf(clip, core::frameTimes(animation.frames.size(), settings.rate))) {}

    /// The stored y points up where all others point down: a root at y stands y above the ground.
    Channel<glm::vec3> translation() const {
        Channel<glm::vec3> channel{timeline_, {}, {}};
        for (const FieldAnimation::Frame& frame : animation_.frames) {
            const Triple& t = frame.translation;
            channel.values.push_back(core::axes::fromYDown(glm::dvec3(t[0], -t[1], t[2]), settings_.scale));
        }
        return shortened(std::move(channel));
    }

    Channel<glm::quat> rootRotation() {
        return rotation("root", [this](std::size_t frame) { return animation_.frames[frame].rotation; });
    }

    Channel<glm::quat> boneRotation(std::size_t bone, const std::string& name) {
        return rotation(
            name, [&, this](std::size_t frame) { return animation_.rotations[frame * animation_.boneCount + bone]; });
    }

    void report(core::Diagnostics& diagnostics) const { largeSteps_.report(diagnostics, {}); }

  private:
    template <typename At>
    Channel<glm::quat> rotation(const std::string& joint, const At& at) {
        Channel<glm::quat> channel{timeline_, {}, {}};
        for (std::size_t frame = 0; frame < animation_.frames.size(); ++frame) {
            const glm::quat made = rotationOf(at(frame), factors_);
            if (frame == 0) {
                channel.values.push_back(made);
                continue;
            }
            const glm::quat before = channel.values.back();
            channel.values.push_back(core::nearestSign(made, before));
            constexpr float kFar = 0.5F;  // the cosine of half of 120 degrees
            if (const float cosine = std::abs(glm::dot(before, made)); cosine < kFar)
                largeSteps_.add(1, 1 - static_cast<double>(cosine), clip_.name, joint, frame);
        }
        return shortened(std::move(channel));
    }

    /// A channel that never changes needs one value.
    template <typename T>
    static Channel<T> shortened(Channel<T> channel) {
        if (std::ranges::all_of(channel.values, [&](const T& value) { return value == channel.values.front(); }))
            channel.values.resize(std::min<std::size_t>(1, channel.values.size()));
        return channel;
    }

    const FieldAnimation& animation_;
    const FieldSettings& settings_;
    std::array<std::uint8_t, 3> factors_;
    Clip& clip_;
    std::uint32_t timeline_;
    core::LargeSteps largeSteps_;
};

Skeleton madeUpSkeleton(std::uint32_t bones, double scale) {
    constexpr double kApart = 1.5;  // units of the game: about 8 cm
    std::vector<std::uint32_t> ids(bones);
    std::iota(ids.begin(), ids.end(), 0U);
    return madeUpBones(ids, kApart * scale, "root");
}

/// Beyond, sums of lengths are no numbers any more.
constexpr double kMostUnits = 1e18;

void requireUsable(double units, std::string field) {
    if (std::abs(units) > kMostUnits)
        throw core::DecodeError({std::move(field), std::nullopt},
                                fmt::format("is {}, expected at most {}", units, kMostUnits));
}

void compareBones(const FieldAnimation& animation, std::size_t bones, core::Diagnostics& diagnostics) {
    if (animation.boneCount == bones)
        return;
    const char* what = animation.boneCount < bones ? "the last ones are not turned" : "the others are left out";
    diagnostics.warn(core::Code::skeletonMismatch, {"bone_count", std::nullopt},
                     fmt::format("is {}, the skeleton has {} bones; {}", animation.boneCount, bones, what));
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
        Joint joint;
        joint.name = unique.unique(core::safeName(bone.name));
        joint.parent = bone.parent ? static_cast<int>(*bone.parent) + 1 : 0;
        if (bone.parent)
            joint.rest.translation =
                core::axes::fromYDown(glm::dvec3(0, 0, -static_cast<double>(native.bones[*bone.parent].length)), scale);
        joint.end = core::axes::fromYDown(glm::dvec3(0, 0, -static_cast<double>(bone.length)), scale);
        joint.id = static_cast<std::uint32_t>(i);
        joint.extras = {{"length", static_cast<double>(bone.length)}, {"geometry", !bone.resources.empty()}};
        skeleton.joints.push_back(std::move(joint));
    }
    return skeleton;
}

core::Asset toAsset(const FieldAnimation& animation, const FieldSkeleton* native, const FieldSettings& settings,
                    core::Diagnostics& diagnostics) {
    core::Asset asset;
    // Without frames the file has no bytes for its bones, however many it states.
    const std::uint32_t madeUp = settings.bones.value_or(animation.frames.empty() ? 0 : animation.boneCount);
    const Skeleton& skeleton = asset.skeleton.emplace(native != nullptr ? toSkeleton(*native, settings.scale)
                                                                        : madeUpSkeleton(madeUp, settings.scale));
    const std::size_t bones = skeleton.joints.size() - 1;
    compareBones(animation, bones, diagnostics);
    for (std::size_t frame = 0; frame < animation.frames.size(); ++frame)
        for (const float value : animation.frames[frame].translation)
            requireUsable(value, fmt::format("frames[{}].translation", frame));
    if (animation.frames.empty())
        return asset;
    Clip& clip = asset.clips.emplace_back();
    clip.name = settings.stem;
    clip.source = settings.source;
    clip.rate = settings.rate;
    clip.frames = static_cast<std::uint32_t>(animation.frames.size());
    clip.duration = static_cast<double>(clip.frames - 1) / clip.rate;
    clip.counters = {{"frame_count", animation.frameCount}, {"bone_count", animation.boneCount}};
    ChannelMaker channels(animation, settings, clip);
    clip.tracks.push_back({0, channels.translation(), channels.rootRotation(), {}});
    for (std::uint32_t bone = 0; bone < bones; ++bone)
        clip.tracks.push_back({bone + 1,
                               {},
                               bone < animation.boneCount
                                   ? channels.boneRotation(bone, skeleton.joints[bone + 1].name)
                                   : Channel<glm::quat>{0, {}, {core::axes::fromYDown(glm::quat(1, 0, 0, 0))}},
                               {}});
    channels.report(diagnostics);
    return asset;
}

}  // namespace reanima::ff7
