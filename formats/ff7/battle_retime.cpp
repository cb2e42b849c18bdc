#include "formats/ff7/battle_retime.h"

#include <fmt/format.h>

#include "formats/ff7/battle_cast.h"
#include "formats/ff7/battle_edits.h"

namespace reanima::ff7 {

namespace {

constexpr std::size_t kMostStored = 0xFFFF;  // limit for frames, and also for the bytes of a stream

/// @throws core::DecodeError, before frames are made, if there would be more frames than the counter can store
void requireRoomForFrames(const BattleAnimation& animation, const core::Place& place, const RetimeSettings& settings) {
    constexpr std::uint64_t kBitsOfPlace = 24;  // lower bound for the bits of a frame's position
    constexpr std::uint64_t kBitsOfTriple = 3;
    if (settings.direction == RetimeSettings::Direction::fewer)
        return;
    const std::uint64_t frames = std::uint64_t{animation.frames.count()} * settings.times;
    if (frames > kMostStored)
        throw core::DecodeError(
            place, fmt::format("would have {} frames, but the format allows {}; its {} frames are kept", frames,
                               kMostStored + 0, animation.frames.count()));
    const std::uint64_t bytes =
        (frames - 1) * (kBitsOfPlace + kBitsOfTriple * std::uint64_t{animation.rotationCount}) / 8;
    if (bytes > kMostStored)
        throw core::DecodeError(
            place,
            fmt::format("its frames would need at least {} bytes, but the format allows {}; its {} frames are kept",
                        bytes, kMostStored + 0, animation.frames.count()));
}

/// @throws core::DecodeError if the format can't store the new frames
BattleAnimation retimedAnimation(const BattleAnimation& old, std::size_t index, const RetimeSettings& settings,
                                 bool isLoop) {
    const core::Place place{fmt::format("animations[{}]", index), old.offset};
    requireRoomForFrames(old, place, settings);
    BattleAnimation animation = old;
    static_cast<AngleFrames&>(animation.frames) =
        retimed(old.frames, core::AxisOrder::yxz, old.keyBits, settings, isLoop);
    tellFrameCount(animation, static_cast<std::uint32_t>(old.frames.count()));
    if (const std::size_t bytes = streamSizeOf(animation); bytes > kMostStored)
        throw core::DecodeError(
            place, fmt::format("its frames would need {} bytes, but the format allows {}; its {} frames are kept",
                               bytes, kMostStored + 0, old.frames.count()));
    return animation;
}

/// Adds the animations that can't be read: their clips would play at another speed than the retimed ones.
void addDamaged(const BattlePack& pack, std::vector<core::DecodeError>& left) {
    for (std::size_t index = 0; index < pack.animations.size(); ++index)
        if (pack.animations[index].kind == BattleAnimation::Kind::damaged)
            left.push_back(core::DecodeError({fmt::format("animations[{}]", index), pack.animations[index].offset},
                                             "can't be read; its bytes are kept, so its speed differs from the other "
                                             "animations"));
}

}  // namespace

RetimedFile retime(BattlePack& pack, const BattleSkeleton* skeleton, std::optional<std::uint32_t> bones,
                   const RetimeSettings& settings) {
    const BattlePack old = pack;  // the cast refers to it while the pack changes
    const Cast cast(old, skeleton, bones);
    RetimedFile result;
    StepMedian steps;
    for (std::size_t index = 0; index < old.animations.size(); ++index) {
        if (cast.partOf(index) == Part::nothing)
            continue;
        addSteps(old.animations[index].frames, steps);
        if (cast.isInsideBodyClip(index))
            continue;
        const bool isLoop = settings.loops && settings.loops(static_cast<std::uint32_t>(index));
        try {
            BattleAnimation own = retimedAnimation(old.animations[index], index, settings, isLoop);
            if (const std::optional<std::size_t> weapon = cast.weaponOf(index)) {
                pack.animations[*weapon] = retimedAnimation(old.animations[*weapon], *weapon, settings, isLoop);
                ++result.animations;
            }
            pack.animations[index] = std::move(own);
            ++result.animations;
        } catch (const core::DecodeError& error) {
            result.left.push_back(error);
            continue;
        }
        const std::size_t frames = old.animations[index].frames.count();
        if (settings.direction == RetimeSettings::Direction::fewer && frames % settings.times != 0)
            result.cut.emplace_back(core::Place{fmt::format("animations[{}]", index), std::nullopt},
                                    fmt::format("has {} frames, which is not a multiple of {}; {} frames remain",
                                                frames, settings.times, pack.animations[index].frames.count()));
    }
    if (result.animations > 0)
        addDamaged(old, result.left);
    result.usualStep = steps.median();
    return result;
}

}  // namespace reanima::ff7
