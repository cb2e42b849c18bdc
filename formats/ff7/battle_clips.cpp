#include "formats/ff7/battle_clips.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/memory.h"
#include "formats/angle_clips.h"
#include "formats/ff7/battle_cast.h"
#include "formats/naming.h"

namespace reanima::ff7 {

namespace {

using core::Clip;
using core::Code;
using core::Joint;
using core::LargeSteps;
using core::Skeleton;
using BattleChannels = AngleChannels<AxisOrder::yxz>;

/// Without added keys no check is needed: a pack decodes to less than 64 times its size.
void requireMemoryForAddedKeys(const BattlePack& pack, double subdivide, const core::Limits& limits) {
    if (subdivide <= 0)
        return;
    std::uint64_t keys = 0;
    for (const BattleAnimation& animation : pack.animations)
        keys += rotationKeys(animation.frames, subdivide);
    requireMemoryForKeys(keys, limits);
}

// ---------------------------------------------------------------------------------------------------------------------
// The joints

Joint joint(std::string name, int parent) {
    Joint result;
    result.name = std::move(name);
    result.parent = parent;
    return result;
}

constexpr double kApart = 48;  // units of the game between placeholder joints: about 9 cm

/// The weapon's frames, cut to the number of the body's frames, since the clip ends with the body.
AngleFrames framesBeside(const BattleAnimation& body, const BattleAnimation& weapon, std::size_t index,
                         core::Diagnostics& diagnostics) {
    AngleFrames frames = static_cast<const AngleFrames&>(weapon.frames);
    const std::size_t most = body.frames.count();
    if (frames.count() <= most)
        return frames;
    diagnostics.warn(Code::ignored, {fmt::format("animations[{}].frames", index), std::nullopt},
                     fmt::format("the weapon has {}, but the body has {}; the weapon's last frames are left out",
                                 frames.count(), most));
    frames.rotations.resize(most * frames.triples());
    frames.translations.resize(most);
    return frames;
}

core::Properties countersOf(const BattleAnimation& animation) {
    core::Properties counters;
    counters.reserve(6);
    counters.emplace_back("bone_count", animation.boneCount);
    counters.emplace_back("frame_count", animation.frameCount);
    counters.emplace_back("block_size", animation.blockSize);
    if (animation.streamFrameCount)
        counters.emplace_back("stream_frame_count", std::uint32_t{*animation.streamFrameCount});
    else
        counters.emplace_back("stream_frame_count", nullptr);
    counters.emplace_back("stream_size", std::uint32_t{animation.streamSize});
    counters.emplace_back("key_bits", std::uint32_t{animation.keyBits});
    return counters;
}

}  // namespace

Skeleton toSkeleton(const BattleSkeleton& native, double scale) {
    Skeleton skeleton;
    skeleton.joints.push_back(joint("root", core::kNoParent));
    for (std::size_t i = 0; i < native.bones.size(); ++i) {
        const Bone& bone = native.bones[i];
        std::optional<double> parentLength;
        if (bone.parent >= 0)
            parentLength = native.bones[static_cast<std::size_t>(bone.parent)].length;
        Joint made = chainJoint(i, bone.parent + 1, parentLength, bone.length, scale);
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
                                                         : madeUpBones(cast.bones(), kApart * settings.scale, "root"));
    const auto weaponJoint = static_cast<std::uint32_t>(skeleton.joints.size());
    if (cast.hasWeapon())
        skeleton.joints.push_back(joint(std::string(kWeaponJoint), core::kNoParent));

    core::MemoryCount memory(limits, fmt::format("{} animations", pack.animations.size()));
    for (const BattleAnimation& animation : pack.animations)
        memory.add(memoryOf(animation));
    const AngleClipSettings channelSettings{settings.rate, settings.scale, settings.subdivide};
    LargeSteps largeSteps;
    std::size_t inserted = 0;
    for (std::size_t index = 0; index < pack.animations.size(); ++index) {
        const Part part = cast.partOf(index);
        if (part == Part::nothing || cast.isInsideBodyClip(index))
            continue;
        const BattleAnimation& animation = pack.animations[index];
        Clip& clip =
            asset.clips.emplace_back(clipOf(fmt::format("{}_{:03}", settings.stem, index), settings.source,
                                            static_cast<std::uint32_t>(animation.frames.count()), settings.rate));
        clip.index = clip.id = static_cast<std::uint32_t>(index);
        clip.counters = countersOf(animation);

        const auto addWeapon = [&](const AngleFrames& frames) {
            BattleChannels channels(frames, channelSettings, clip, largeSteps);
            clip.tracks.push_back(
                {weaponJoint, channels.translation(), channels.rotation(0, std::string(kWeaponJoint)), {}});
            inserted += channels.inserted();
        };
        if (part == Part::weapon) {
            addWeapon(animation.frames);
        } else {
            BattleChannels channels(animation.frames, channelSettings, clip, largeSteps);
            clip.tracks.reserve(cast.bones() + 2);
            clip.tracks.push_back({0, channels.translation(), channels.rotation(0, "root"), {}});
            const std::uint32_t bones = std::min(animation.rotationCount - 1, cast.bones());
            for (std::uint32_t bone = 0; bone < bones; ++bone)
                clip.tracks.push_back({bone + 1, {}, channels.rotation(bone + 1, skeleton.joints[bone + 1].name), {}});
            inserted += channels.inserted();
            if (const std::optional<std::size_t> weapon = cast.weaponOf(index))
                addWeapon(framesBeside(animation, pack.animations[*weapon], *weapon, diagnostics));
        }
        clip.duration = static_cast<double>(clip.frames - 1) / clip.rate;
        memory.add(core::memoryOf(clip));
    }
    if (settings.subdivide > 0)
        diagnostics.note(Code::keysInserted, {},
                         fmt::format("{} keys were inserted between the keys of the file", inserted));
    largeSteps.report(diagnostics, {"subdivide", "90"});
    return asset;
}

}  // namespace reanima::ff7
