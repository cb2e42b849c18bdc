#include "formats/ff7/battle_clips.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

#include "core/axes.h"
#include "core/large_steps.h"
#include "core/memory.h"
#include "formats/naming.h"

namespace reanima::ff7 {

namespace {

using core::Channel;
using core::Clip;
using core::Code;
using core::Joint;
using core::LargeSteps;
using core::Skeleton;

constexpr double kDegreesPerUnit = 360.0 / core::kFullTurn;

glm::quat rotationOf(const AngleTriple& triple) {
    return core::axes::fromYDown(
        core::composeYXZ(core::halfAngle(triple[0]), core::halfAngle(triple[1]), core::halfAngle(triple[2])));
}

/// The rotation a share of the way from one triple to the next, along the angles.
glm::quat rotationBetween(const AngleTriple& from, const AngleTriple& to, double share) {
    const auto half = [&](std::size_t axis) {
        return core::halfOfAngle(from[axis] + core::signedStep(from[axis], to[axis]) * share);
    };
    return core::axes::fromYDown(core::composeYXZ(half(0), half(1), half(2)));
}

// ---------------------------------------------------------------------------------------------------------------------
// Steps that turn far

struct StepSize {
    double largest = 0;  // degrees of the angle that turns most
    double sum = 0;      // degrees of the three angles: no rotation on the way turns further
};

StepSize stepSize(const AngleTriple& from, const AngleTriple& to) {
    StepSize size;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double degrees = std::abs(core::signedStep(from[axis], to[axis])) * kDegreesPerUnit;
        size.largest = std::max(size.largest, degrees);
        size.sum += degrees;
    }
    return size;
}

/// Into how many parts a step is cut.
/// @param subdivide degrees that an angle may turn between two keys; 0: any
int partsOf(const AngleTriple& from, const AngleTriple& to, double subdivide) {
    if (subdivide <= 0)
        return 1;
    const StepSize step = stepSize(from, to);
    if (step.largest <= subdivide)
        return 1;
    // Three angles that turn together can turn the joint by their sum.
    return static_cast<int>(std::ceil(std::max(step.largest / subdivide, step.sum / LargeSteps::kDegrees)));
}

/// Keys of all rotations, with those that are added between the file's.
std::uint64_t rotationKeys(const BattleAnimation& animation, double subdivide) {
    std::uint64_t keys = 0;
    for (std::size_t triple = 0; triple < animation.rotationCount; ++triple) {
        std::uint64_t ofTriple = 1;
        bool constant = true;
        for (std::size_t at = triple + animation.rotationCount; at < animation.frames.rotations.size();
             at += animation.rotationCount) {
            const AngleTriple& from = animation.frames.rotations[at - animation.rotationCount];
            const AngleTriple& to = animation.frames.rotations[at];
            constant = constant && from == to;
            ofTriple += static_cast<std::uint64_t>(partsOf(from, to, subdivide));
        }
        keys += constant ? 1 : ofTriple;
    }
    return keys;
}

/// Without keys in between there is nothing to look at: a pack decodes to less than 64 times its size.
void requireMemoryForAddedKeys(const BattlePack& pack, double subdivide, const core::Limits& limits) {
    if (subdivide <= 0)
        return;
    std::uint64_t keys = 0;
    for (const BattleAnimation& animation : pack.animations)
        keys += rotationKeys(animation, subdivide);
    core::requireMemory(core::memoryOfKeys(keys), limits, {"rotations", std::nullopt});
}

/// Looks at a step between two keys that stay neighbours.
void look(LargeSteps& largeSteps, const AngleTriple& from, const AngleTriple& to, const std::string& clip,
          const std::string& joint, std::size_t frame) {
    const StepSize step = stepSize(from, to);
    if (step.sum <= LargeSteps::kDegrees)
        return;
    // Half-way, does interpolation between the keys show what the angles say?
    const glm::quat a = rotationOf(from);
    const glm::quat shown = glm::normalize(a + core::nearestSign(rotationOf(to), a));
    const float cosine = std::abs(glm::dot(shown, rotationBetween(from, to, 0.5)));
    constexpr float kVisible = 0.9659258F;  // the cosine of half of 30 degrees
    if (step.largest > LargeSteps::kDegrees || cosine < kVisible)
        largeSteps.add(1, step.sum, clip, joint, frame);
}

// ---------------------------------------------------------------------------------------------------------------------
// Channels

/// Makes the channels of one animation's triples.
class ChannelMaker {
  public:
    ChannelMaker(const BattleAnimation& animation, const ClipSettings& settings, Clip& clip, LargeSteps& largeSteps)
        : frames_(animation.frames),
          rotationCount_(animation.rotationCount),
          settings_(settings),
          clip_(clip),
          timeline_(core::timelineOf(clip, core::frameTimes(animation.frames.count(), settings.rate))),
          largeSteps_(largeSteps) {}

    Channel<glm::vec3> translation() const {
        Channel<glm::vec3> channel{timeline_, {}, {}};
        const bool constant = std::all_of(frames_.translations.begin(), frames_.translations.end(),
                                          [&](const Position& p) { return p == frames_.translations.front(); });
        const std::size_t count = constant ? 1 : frames_.count();
        channel.values.reserve(count);
        for (std::size_t frame = 0; frame < count; ++frame) {
            const Position& p = frames_.translations[frame];
            channel.values.push_back(core::axes::fromYDown(glm::dvec3(p[0], p[1], p[2]), settings_.scale));
        }
        return channel;
    }

    Channel<glm::quat> rotation(std::uint32_t triple, const std::string& joint) {
        Channel<glm::quat> channel{timeline_, {}, {rotationOf(angles(0, triple))}};
        if (isConstant(triple))
            return channel;
        channel.values.reserve(frames_.count());
        std::vector<float> times;  // stays empty while the keys are the frames
        for (std::size_t frame = 1; frame < frames_.count(); ++frame) {
            const AngleTriple& from = angles(frame - 1, triple);
            const AngleTriple& to = angles(frame, triple);
            const int parts = partsOf(from, to, settings_.subdivide);
            if (parts > 1 && times.empty())
                times = core::frameTimes(frame, settings_.rate);
            for (int part = 1; part < parts; ++part) {
                const double share = part / static_cast<double>(parts);
                append(channel, rotationBetween(from, to, share));
                times.push_back(core::frameTime(static_cast<double>(frame - 1) + share, settings_.rate));
            }
            append(channel, rotationOf(to));
            if (!times.empty())
                times.push_back(core::frameTime(static_cast<double>(frame), settings_.rate));
            if (parts == 1)
                look(largeSteps_, from, to, clip_.name, joint, frame);
        }
        if (!times.empty()) {
            inserted_ += times.size() - frames_.count();
            channel.timeline = core::timelineOf(clip_, std::move(times));
        }
        return channel;
    }

    /// Keys that were added between those of the file.
    [[nodiscard]] std::size_t inserted() const { return inserted_; }

  private:
    [[nodiscard]] const AngleTriple& angles(std::size_t frame, std::uint32_t triple) const {
        return frames_.rotations[frame * rotationCount_ + triple];
    }

    [[nodiscard]] bool isConstant(std::uint32_t triple) const {
        for (std::size_t frame = 1; frame < frames_.count(); ++frame)
            if (angles(frame, triple) != angles(0, triple))
                return false;
        return true;
    }

    static void append(Channel<glm::quat>& channel, const glm::quat& rotation) {
        channel.values.push_back(core::nearestSign(rotation, channel.values.back()));
    }

    const Frames& frames_;
    std::uint32_t rotationCount_;
    const ClipSettings& settings_;
    Clip& clip_;
    std::uint32_t timeline_;
    LargeSteps& largeSteps_;
    std::size_t inserted_ = 0;
};

// ---------------------------------------------------------------------------------------------------------------------
// The joints

Joint joint(std::string name, int parent) {
    Joint result;
    result.name = std::move(name);
    result.parent = parent;
    return result;
}

Skeleton madeUpSkeleton(std::uint32_t bones, double scale) {
    constexpr double kApart = 48;  // units of the game: about 9 cm
    std::vector<std::uint32_t> ids(bones);
    std::iota(ids.begin(), ids.end(), 0U);
    return madeUpBones(ids, kApart * scale, "root");
}

/// What an animation of a pack moves.
enum class Part { nothing, body, weapon };

/// Which animations move the body, which the weapon, and which weapon animation belongs to which body animation.
class Cast {
  public:
    /// @param bones of the model, where no skeleton tells; without it the animation with most rotations does
    Cast(const BattlePack& pack, const BattleSkeleton* skeleton, std::optional<std::uint32_t> bones) : pack_(pack) {
        if (skeleton != nullptr) {
            bodyAnimations_ = skeleton->bodyAnimationCount;
            bones = static_cast<std::uint32_t>(skeleton->bones.size());
        }
        if (bones) {
            bones_ = *bones;
            bodyRotations_ = bodyRotations(bones_);
        } else {
            for (const BattleAnimation& animation : pack.animations)
                bodyRotations_ = std::max(bodyRotations_, animation.rotationCount);
            bones_ = bodyRotations_ - 1;
        }
    }

    [[nodiscard]] std::uint32_t bones() const { return bones_; }

    [[nodiscard]] Part partOf(std::size_t index) const {
        if (index >= pack_.animations.size() || pack_.animations[index].kind != BattleAnimation::Kind::animation)
            return Part::nothing;
        if (pack_.animations[index].rotationCount != 1)
            return Part::body;
        if (bodyRotations_ == 1)  // as a weapon has
            return bodyAnimations_ > 0 && index >= bodyAnimations_ ? Part::weapon : Part::body;
        return Part::weapon;
    }

    /// The weapon animation that is played with a body animation.
    [[nodiscard]] std::optional<std::size_t> weaponOf(std::size_t body) const {
        const std::size_t weapon = body + bodyAnimations_;
        const bool paired = bodyAnimations_ > 0 && body < bodyAnimations_ && partOf(body) == Part::body &&
                            partOf(weapon) == Part::weapon;
        return paired ? std::optional(weapon) : std::nullopt;
    }

    [[nodiscard]] bool isInsideBodyClip(std::size_t index) const {
        return bodyAnimations_ > 0 && index >= bodyAnimations_ && weaponOf(index - bodyAnimations_) == index;
    }

    [[nodiscard]] bool hasWeapon() const {
        for (std::size_t i = 0; i < pack_.animations.size(); ++i)
            if (partOf(i) == Part::weapon)
                return true;
        return false;
    }

  private:
    const BattlePack& pack_;
    std::uint32_t bodyAnimations_ = 0;
    std::uint32_t bodyRotations_ = 1;
    std::uint32_t bones_ = 0;
};

core::Properties countersOf(const BattleAnimation& animation) {
    return {{"bone_count", animation.boneCount},
            {"frame_count", animation.frameCount},
            {"block_size", animation.blockSize},
            {"stream_frame_count", animation.streamFrameCount
                                       ? core::Value(static_cast<std::uint32_t>(*animation.streamFrameCount))
                                       : core::Value()},
            {"stream_size", std::uint32_t{animation.streamSize}},
            {"key_bits", std::uint32_t{animation.keyBits}}};
}

}  // namespace

Skeleton toSkeleton(const BattleSkeleton& native, double scale) {
    Skeleton skeleton;
    skeleton.joints.push_back(joint("root", core::kNoParent));
    for (std::size_t i = 0; i < native.bones.size(); ++i) {
        const Bone& bone = native.bones[i];
        Joint made = joint(boneName(i), bone.parent + 1);
        if (bone.parent >= 0) {
            const double parentLength = native.bones[static_cast<std::size_t>(bone.parent)].length;
            made.rest.translation = core::axes::fromYDown(glm::dvec3(0, 0, parentLength), scale);
        }
        made.end = core::axes::fromYDown(glm::dvec3(0, 0, bone.length), scale);
        made.id = static_cast<std::uint32_t>(i);
        made.extras = {{"length", static_cast<double>(bone.length)}, {"geometry", bone.hasModel != 0}};
        skeleton.joints.push_back(std::move(made));
    }
    return skeleton;
}

core::Asset toAsset(const BattlePack& pack, const BattleSkeleton* nativeSkeleton, const ClipSettings& settings,
                    const core::Limits& limits, core::Diagnostics& diagnostics) {
    requireMemoryForAddedKeys(pack, settings.subdivide, limits);
    const Cast cast(pack, nativeSkeleton, settings.bones);
    core::Asset asset;
    Skeleton& skeleton =
        asset.skeleton.emplace(nativeSkeleton != nullptr ? toSkeleton(*nativeSkeleton, settings.scale)
                                                         : madeUpSkeleton(cast.bones(), settings.scale));
    const auto weaponJoint = static_cast<std::uint32_t>(skeleton.joints.size());
    if (cast.hasWeapon())
        skeleton.joints.push_back(joint("weapon000", core::kNoParent));

    core::MemoryCount memory(limits, fmt::format("{} animations", pack.animations.size()));
    for (const BattleAnimation& animation : pack.animations)
        memory.add(memoryOf(animation));
    LargeSteps largeSteps;
    std::size_t inserted = 0;
    for (std::size_t index = 0; index < pack.animations.size(); ++index) {
        const Part part = cast.partOf(index);
        if (part == Part::nothing || cast.isInsideBodyClip(index))
            continue;
        const BattleAnimation& animation = pack.animations[index];
        Clip& clip = asset.clips.emplace_back();
        clip.name = fmt::format("{}_{:03}", settings.stem, index);
        clip.source = settings.source;
        clip.index = clip.id = static_cast<std::uint32_t>(index);
        clip.rate = settings.rate;
        clip.frames = static_cast<std::uint32_t>(animation.frames.count());
        clip.counters = countersOf(animation);

        const auto addWeapon = [&](const BattleAnimation& weapon) {
            ChannelMaker channels(weapon, settings, clip, largeSteps);
            clip.tracks.push_back({weaponJoint, channels.translation(), channels.rotation(0, "weapon000"), {}});
            clip.frames = std::max(clip.frames, static_cast<std::uint32_t>(weapon.frames.count()));
            inserted += channels.inserted();
        };
        if (part == Part::weapon) {
            addWeapon(animation);
        } else {
            ChannelMaker channels(animation, settings, clip, largeSteps);
            clip.tracks.reserve(cast.bones() + 2);
            clip.tracks.push_back({0, channels.translation(), channels.rotation(0, "root"), {}});
            const std::uint32_t bones = std::min(animation.rotationCount - 1, cast.bones());
            for (std::uint32_t bone = 0; bone < bones; ++bone)
                clip.tracks.push_back({bone + 1, {}, channels.rotation(bone + 1, skeleton.joints[bone + 1].name), {}});
            inserted += channels.inserted();
            if (const std::optional<std::size_t> weapon = cast.weaponOf(index))
                addWeapon(pack.animations[*weapon]);
        }
        clip.duration = static_cast<double>(clip.frames - 1) / clip.rate;
        memory.add(core::memoryOf(clip));
    }
    if (settings.subdivide > 0)
        diagnostics.note(Code::keysInserted, {}, fmt::format("{} keys inserted between those of the file", inserted));
    largeSteps.report(diagnostics, {"subdivide", "90"});
    return asset;
}

}  // namespace reanima::ff7
