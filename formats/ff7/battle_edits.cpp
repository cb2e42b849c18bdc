#include "formats/ff7/battle_edits.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/angle_edits.h"
#include "formats/ff7/battle_cast.h"

namespace reanima::ff7 {

namespace {

using core::ClipEdit;
using core::JointEdit;

/// Writes the edits of one clip to its body and weapon animations.
class ClipWriter {
  public:
    /// @param unedited the pack before the edits
    ClipWriter(BattlePack& pack, const BattlePack& unedited, const Cast& cast, const ClipSettings& settings,
               const core::Asset& original, core::Diagnostics& diagnostics)
        : pack_(pack),
          unedited_(unedited),
          cast_(cast),
          settings_(settings),
          original_(original),
          diagnostics_(diagnostics) {}

    void write(const ClipEdit& edit) {
        const core::Clip& clip = original_.clips[edit.clip];
        const std::size_t index = edit.use == core::EditUse::adds ? copyOf(clip.index) : clip.index;
        const bool isWeapon = cast_.partOf(index) == Part::weapon;
        const std::optional<std::size_t> weapon = isWeapon ? std::optional(index) : cast_.weaponOf(index);
        const std::size_t sizeBefore = streamSizeOf(pack_.animations[index]);
        const std::uint8_t keyBefore = pack_.animations[index].keyBits;
        const auto isOfWeapon = [&](const JointEdit& joint) { return joint.joint > cast_.bones(); };
        const bool isResized = edit.frames != clip.frames;
        if (isResized)
            setLength(index, edit.frames);
        // The weapon may have fewer frames than the body, for example in a file that is cut off.
        if (weapon && *weapon != index &&
            (isResized || (frameCountOf(*weapon) < edit.frames && std::ranges::any_of(edit.joints, isOfWeapon))))
            setLength(*weapon, edit.frames);
        for (const JointEdit& joint : edit.joints) {
            if (isOfWeapon(joint) && !weapon)
                losses_.push_back(fmt::format("{}: the file has no weapon animation for this clip", clip.name));
            else
                write(joint, isOfWeapon(joint) ? *weapon : index, isOfWeapon(joint) ? 0 : joint.joint, clip);
        }
        const std::uint8_t key = coarsestKey(pack_.animations[index].frames.rotations);
        if (key < keyBefore)
            diagnostics_.note(
                core::Code::recomputed, {clip.name, std::nullopt},
                fmt::format("some angles are not multiples of {}, so angles need more bits{}", 1U << keyBefore,
                            isResized ? std::string()
                                      : fmt::format(": {} bytes instead of {}", streamSizeOf(pack_.animations[index]),
                                                    sizeBefore)));
    }

    [[nodiscard]] std::vector<std::string> takeLosses() { return std::move(losses_); }

  private:
    /// Appends a copy of an animation. Weapon animations follow the body's animations at a fixed distance, so the copy
    /// can't be put between them.
    std::size_t copyOf(std::size_t index) {
        if (cast_.hasWeapon())
            throw core::DecodeError(
                "contains weapon animations after the body's, so a new clip would be read as a weapon animation")
                .withHint({"at", "N"});
        BattleAnimation& copy = pack_.animations.emplace_back(unedited_.animations[index]);
        copy.offset = 0;
        copy.missing = 0;
        const std::size_t added = pack_.animations.size() - 1;
        pack_.count = std::max(pack_.count, static_cast<std::uint32_t>(added + 1));
        if (cast_.bodyAnimations() > 0 && added >= cast_.bodyAnimations())
            diagnostics_.note(core::Code::countMismatch, {fmt::format("animations[{}]", added), std::nullopt},
                              fmt::format("is added, but the skeleton states that there are only {} animations",
                                          cast_.bodyAnimations()));
        return added;
    }

    [[nodiscard]] std::uint32_t frameCountOf(std::size_t index) const {
        return static_cast<std::uint32_t>(pack_.animations[index].frames.count());
    }

    void setLength(std::size_t index, std::uint32_t frames) {
        BattleAnimation& animation = pack_.animations[index];
        const std::uint32_t before = frameCountOf(index);
        setFrameCount(animation.frames, frames);
        tellFrameCount(animation, before);
    }

    void write(const JointEdit& joint, std::size_t index, std::size_t triple, const core::Clip& clip) {
        BattleAnimation& animation = pack_.animations[index];
        const std::string& name = original_.skeleton->joints[joint.joint].name;
        if (joint.isScaled)
            losses_.push_back(fmt::format("{}: {} is scaled, which the format can't store", clip.name, name));
        if (triple >= animation.rotationCount) {
            losses_.push_back(fmt::format("{}: {} is rotated, but the animation has only {} bones", clip.name, name,
                                          animation.rotationCount - 1));
            return;
        }
        if (triple == 0)
            move(animation.frames, joint.translations, settings_.scale, clip.name);
        else if (!joint.translations.empty())
            losses_.push_back(fmt::format("{}: {} is moved. Only the root and the weapon can move", clip.name, name));
        turn(animation.frames, triple, joint.rotations, core::AxisOrder::yxz, clip.frames, settings_.keyBits);
    }

    BattlePack& pack_;
    const BattlePack& unedited_;
    const Cast& cast_;
    const ClipSettings& settings_;
    const core::Asset& original_;
    core::Diagnostics& diagnostics_;
    std::vector<std::string> losses_;
};

BattleAnimation stillAnimation(std::uint32_t rotations, std::uint8_t keyBits) {
    BattleAnimation still;
    still.boneCount = still.rotationCount = still.decodedRotationCount = rotations;
    still.frameCount = 1;
    still.streamFrameCount = 1;
    still.keyBits = keyBits;
    still.frames.translations.resize(1);
    still.frames.rotations.resize(rotations);
    return still;
}

}  // namespace

BattlePack stillPack(const BattleSkeleton& skeleton, std::span<const std::uint32_t> places, bool withWeapon,
                     std::uint8_t keyBits) {
    constexpr std::uint32_t kMost = 4096;  // the game's own packs have up to about a hundred
    const std::uint32_t last = std::ranges::max(places);
    const std::uint32_t body = std::max(skeleton.bodyAnimationCount, std::min(last, kMost) + 1);
    if (body > kMost)
        throw core::DecodeError({"body_animation_count", std::nullopt},
                                fmt::format("is {}, expected at most {}", body, kMost));
    if (withWeapon && body != skeleton.bodyAnimationCount)
        throw core::DecodeError(
            {"body_animation_count", std::nullopt},
            fmt::format(
                "is {}. Weapon animations begin there, so no body clip can have the number {}. Choose other clips "
                "or rename them",
                skeleton.bodyAnimationCount, last));
    const auto bones = static_cast<std::uint32_t>(skeleton.bones.size());
    BattlePack pack;
    pack.count = withWeapon ? 2 * body : body;
    pack.animations.resize(pack.count);
    for (BattleAnimation& empty : pack.animations)
        empty.kind = BattleAnimation::Kind::special;
    for (const std::uint32_t place : places) {
        pack.animations[place] = stillAnimation(bodyRotations(bones), keyBits);
        if (withWeapon)
            pack.animations[place + body] = stillAnimation(1, keyBits);
    }
    return pack;
}

void tellFrameCount(BattleAnimation& animation, std::uint32_t before) {
    const auto frames = static_cast<std::uint32_t>(animation.frames.count());
    if (frames != before) {
        const std::int64_t stated = std::int64_t{frames} - before + animation.frameCount;
        animation.frameCount = stated > 0 && stated <= 0xFFFF ? static_cast<std::uint32_t>(stated) : frames;
        if (animation.streamFrameCount.value_or(0) != 0)
            animation.streamFrameCount = static_cast<std::uint16_t>(frames);
    }
    animation.frames.wideRuns.clear();
}

std::vector<std::string> applyEdits(BattlePack& pack, const BattleSkeleton* skeleton, const ClipSettings& settings,
                                    const core::Asset& original, std::span<const ClipEdit> edits,
                                    core::Diagnostics& diagnostics) {
    const BattlePack unedited = pack;  // the cast refers to it, and animations are copied from it
    const Cast cast(unedited, skeleton, settings.bones);
    ClipWriter writer(pack, unedited, cast, settings, original, diagnostics);
    for (const ClipEdit& edit : edits)
        writer.write(edit);
    return writer.takeLosses();
}

}  // namespace reanima::ff7
