/// Transfers clips to a skeleton whose joints may have other names, axes, lengths and parents.
///
/// Rotations are quaternions on column vectors. With G for rotations in model space, S for the source's reference pose
/// and T for the target's rest pose, a linked joint rotates in model space as its source does:
///
///     G'(t) = G(t) * GS^-1 * GT
///
/// Bones with the same direction in S and T keep the same direction at all times, whatever their joints' axes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/clip.h"
#include "../../core/limits.h"
#include "../../core/pose.h"
#include "../../core/root_motion.h"

namespace reanima::motion {

using namespace core;

enum class BindMode {
    world,  ///< as above
    copy,   ///< local values unchanged: for skeletons that differ only in names
    local,  ///< q' = T * S^-1 * q: for skeletons whose axes agree
};

/// In the order of the enumeration.
inline constexpr std::array<std::string_view, 3> kBindModeNames = {"world", "copy", "local"};

/// `world`, `copy` or `local`.
[[nodiscard]] std::optional<BindMode> bindModeNamed(std::string_view name);
[[nodiscard]] std::string_view nameOf(BindMode mode);  ///< the word that bindModeNamed() reads

/// Why a joint follows another.
enum class MatchedBy { file, name, similarName, index, role };

/// `map`, `name`, `similar name`, `index` or `role`.
[[nodiscard]] std::string_view matchedByName(MatchedBy by);

/// How a bone's roll was determined.
enum class RollFrom {
    map,    ///< a mapping
    hinge,  ///< an elbow or a knee
    face,   ///< a head that looks ahead on average
    back,   ///< a chest that points to the neck
    palm,   ///< a hand that points where its mesh or fingers do, and hangs with the palm at the thigh
    sole,   ///< feet that stand level
    mean,   ///< the mean of the motion
    rest,   ///< an arm raised to the side in a standing rest pose
};

/// `map`, `hinge`, `face`, `back`, `palm`, `sole`, `mean` or `rest`.
[[nodiscard]] std::string_view nameOf(RollFrom from);

/// A target joint that follows a source joint.
struct JointLink {
    std::uint32_t source = 0;
    std::uint32_t target = 0;
    glm::quat rotateOffset{1, 0, 0, 0};  ///< an additional constant rotation in the target joint's own space
    std::optional<bool> translate{};     ///< unset: only if the source's translation changes within a clip
    /// A source joint whose rotation is mixed with the rotation of `source`: for chains that have different numbers of
    /// joints. World mode only.
    std::optional<std::uint32_t> mixedFrom{};
    double share = 1;  ///< weight of `source` in that mixture
    /// The target joint that carries this one anatomically, if that is not its parent.
    std::optional<std::uint32_t> carrier{};
    /// Degrees of constant rotation about the bone, added to the smallest rotation that matches the source's rest pose.
    /// Bone directions do not determine it. Unset: derived from the motion.
    std::optional<double> roll{};
};

/// A twist joint of the target. It rotates with a limb, and takes a share of another joint's roll relative to the limb.
struct TwistShare {
    std::uint32_t joint = 0;
    std::uint32_t limb = 0;   ///< target joint where the limb begins
    std::uint32_t end = 0;    ///< target joint at its end
    double share = 0.5;       ///< of the roll of `other`
    std::uint32_t other = 0;  ///< target joint: the hand for a forearm, the parent for an upper arm or a thigh
};

/// An IK target joint: it keeps its offset from another joint.
struct IkTarget {
    std::uint32_t joint = 0;
    std::uint32_t aim = 0;  ///< target joint, such as the foot
};

/// A source joint in model space that moves with another joint, such as a weapon beside the body.
struct Attachment {
    std::uint32_t source = 0;
    std::uint32_t carrier = 0;  ///< source joint
};

struct Binding {
    BindMode mode = BindMode::world;
    std::vector<JointLink> links;         ///< at most one per target
    std::vector<Attachment> attachments;  ///< of joints without a link, or whose target has another parent
    std::vector<TwistShare> twists{};     ///< world mode only
    std::vector<IkTarget> ikTargets{};    ///< world mode only
    Pose reference;                       ///< S: local, one transform per source joint
    double scale = 1;                     ///< of lengths, from source to target
    /// Compensates for root joints that are at different places of the body. For one point of the body at rest: its
    /// position relative to the source's root joint, minus its position relative to the target's root joint, in the
    /// target's metres.
    glm::dvec3 rootOffset{0};
    RootJoints roots{};  ///< the target's joints that take root motion
};

/// The clips on the target skeleton. Joints for attachments without a target are added at its end.
struct BoundMotion {
    Skeleton skeleton;
    std::vector<Clip> clips;
};

/// Scale channels of the source are left out.
/// @param clips on `source`
/// @throws DecodeError of the kind `limit` if the bound clips would exceed Limits::memory
[[nodiscard]] BoundMotion bindClips(const Skeleton& source, const std::vector<Clip>& clips, const Skeleton& target,
                                    const Binding& binding, const Limits& limits = {});

/// The ratio, target to source, of the heights of the linked roots above the lowest linked joints. If a root is on the
/// ground, the ratio of the distances from the root to linked joints.
[[nodiscard]] double scaleBetween(const Skeleton& source, const Pose& reference, const Skeleton& target,
                                  const std::vector<JointLink>& links);

/// The linked joint that carries a joint in model space: over all clips, the joint moves least relative to it. None if
/// it moves relative to every linked joint by more than a twentieth of the skeleton's extent.
[[nodiscard]] std::optional<std::uint32_t> findCarrier(const Skeleton& source, const std::vector<Clip>& clips,
                                                       std::uint32_t joint, const std::vector<JointLink>& links);

}  // namespace reanima::motion
