/// The roles of a battle pack's animations: body or weapon, and which ones belong together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "battle_animation.h"
#include "battle_skeleton.h"

namespace reanima::ff7 {

/// The part that an animation of a pack moves.
enum class Part { nothing, body, weapon };

/// The body's and the weapon's animations, and which of them belong together.
class Cast {
  public:
    /// @param bones number of bones if there is no skeleton; empty: the number of the animation with the most rotations
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
    /// The number of body animations that the skeleton states; 0 without a skeleton.
    [[nodiscard]] std::uint32_t bodyAnimations() const { return bodyAnimations_; }

    [[nodiscard]] Part partOf(std::size_t index) const {
        if (index >= pack_.animations.size() || pack_.animations[index].kind != BattleAnimation::Kind::animation)
            return Part::nothing;
        if (pack_.animations[index].rotationCount != 1)
            return Part::body;
        if (bodyRotations_ == 1)  // the body has one triple per frame, like a weapon
            return bodyAnimations_ > 0 && index >= bodyAnimations_ ? Part::weapon : Part::body;
        return Part::weapon;
    }

    /// The weapon animation that plays with a body animation.
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

}  // namespace reanima::ff7
