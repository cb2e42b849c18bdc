/// Roles of joints: the humanoid bones of VRM 1.0, and other joints of character skeletons.
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
    ground,  ///< on the floor below the character
    hips,
    spine,  ///< any joint between hips and neck; their number determines which one is the chest
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
    helper,  ///< corrective joints, hair, cloth: not part of the body
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

/// True for parts that can follow another skeleton: the body, without ground, twist, ik and helpers.
[[nodiscard]] bool isBody(Part part);
[[nodiscard]] bool isFinger(Part part);  ///< also true for a thumb

/// `leftUpperArm`, `leftIndexProximal`, `hips`, `ground`; a joint of the spine is `spine`.
[[nodiscard]] std::string nameOf(const Role& role);

/// The role named by a text; case, separators and word order do not matter: `leftUpperArm`, `Upper Arm Left`,
/// `upper_arm.L`. `chest` and `upperChest` are joints of the spine.
[[nodiscard]] std::optional<Role> roleNamed(std::string_view text);

/// The known roles of a skeleton's joints.
struct Anatomy {
    /// How the roles were found, the most reliable first.
    enum class From { stated, family, names, motion, shape, none };

    std::vector<Role> roles;  ///< per joint
    From from = From::none;
    std::string family;     ///< of the naming convention: `Mixamo`; empty: unknown
    double confidence = 0;  ///< in the roles, 0 to 1
    std::string seen;       ///< why this is not, or not certainly, a humanoid: `four legs`; empty if it is one

    /// Joints of a part and side, parents first.
    [[nodiscard]] std::vector<std::uint32_t> jointsOf(Part part, Side side = Side::middle) const;
    /// The first of them.
    [[nodiscard]] std::optional<std::uint32_t> jointOf(Part part, Side side = Side::middle) const;
};

/// The roles of linked joints on both sides.
struct LinkedRoles {
    Anatomy source;
    Anatomy target;
};

/// Roles are used without a mapping only if the confidence for both skeletons is at least this.
inline constexpr double kCertain = 0.8;

}  // namespace reanima::roles
