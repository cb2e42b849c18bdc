/// What joints are for: the humanoid bones of VRM 1.0, and what else a character's skeleton holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/skeleton.h"

namespace reanima::roles {

enum class Part : std::uint8_t {
    none,    ///< unknown
    ground,  ///< stands on the floor below the whole
    hips,
    spine,  ///< any joint between hips and neck: which of them is the chest, their number tells
    neck,
    head,
    jaw,
    eye,
    shoulder,  ///< the collar bone
    upperArm,
    lowerArm,
    hand,
    thumb,
    index,
    middle,
    ring,
    little,
    upperLeg,
    lowerLeg,
    foot,
    toes,
    twist,   ///< takes a share of a limb's roll
    ik,      ///< a target of inverse kinematics
    helper,  ///< corrective joints, hair, cloth: nothing of the body
    weapon,
    end,  ///< the end of a bone
};

enum class Side : std::uint8_t { middle, left, right };

/// A part of the body and its side.
struct Role {
    Part part = Part::none;
    Side side = Side::middle;
    std::uint8_t segment = 0;  ///< of fingers: 0 at the hand, to 2 at the tip

    friend bool operator==(const Role&, const Role&) = default;
};

/// True for what a motion of another skeleton can lead: the body, without ground, twist, ik and helpers.
[[nodiscard]] bool isBody(Part part);
[[nodiscard]] bool isFinger(Part part);  ///< a thumb is one, too

/// `leftUpperArm`, `leftIndexProximal`, `hips`, `ground`; a joint of the spine is `spine`.
[[nodiscard]] std::string nameOf(const Role& role);

/// The role of a text, whatever its case, separators and order of words: `leftUpperArm`, `Upper Arm Left`,
/// `upper_arm.L`. `chest` and `upperChest` are joints of the spine.
[[nodiscard]] std::optional<Role> roleNamed(std::string_view text);

/// What a skeleton's joints are, as far as that is known.
struct Anatomy {
    /// What the roles were taken from, the strongest first.
    enum class From { stated, family, names, motion, none };

    std::vector<Role> roles;  ///< per joint
    From from = From::none;
    std::string family;     ///< of the naming convention: `Mixamo`; empty: unknown
    double confidence = 0;  ///< that the roles are right, 0 to 1
    std::string seen;       ///< why this is no humanoid, or not surely one: `four legs`; empty where it is one

    /// Joints of a part and side, parents first.
    [[nodiscard]] std::vector<std::uint32_t> jointsOf(Part part, Side side = Side::middle) const;
    /// The first of them.
    [[nodiscard]] std::optional<std::uint32_t> jointOf(Part part, Side side = Side::middle) const;
};

/// What the joints of links are for, on both sides.
struct LinkedRoles {
    Anatomy source;
    Anatomy target;
};

/// Links are made without a mapping only where both skeletons are at least as certain as this.
inline constexpr double kCertain = 0.8;

}  // namespace reanima::roles
