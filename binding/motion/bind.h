/// Carries clips from one skeleton to another, whose joints have other names, axes, lengths and parents.
///
/// Rotations are quaternions on column vectors. With G for rotations in model space, S for the source's reference pose
/// and T for the target's rest pose, a linked joint turns in model space as its source does:
///
///     G'(t) = G(t) * GS^-1 * GT
///
/// so that bones that point the same way in S and T do so at all times, whatever their joints' axes.
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
    copy,   ///< local values as they are: for skeletons that agree in everything but names
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

/// What told a bone's roll.
enum class RollFrom {
    map,    ///< a mapping
    hinge,  ///< an elbow or a knee
    face,   ///< a head that looks ahead, on the whole
    back,   ///< a chest that leads to the neck
    palm,   ///< a hand that points where its mesh or fingers do, and hangs with the palm at the thigh
    sole,   ///< feet that stand level
    mean,   ///< the mean of the motion
    rest,   ///< an arm of somebody who stands in the rest pose, lifted to the side
};

/// `map`, `hinge`, `face`, `back`, `palm`, `sole`, `mean` or `rest`.
[[nodiscard]] std::string_view nameOf(RollFrom from);

/// A target joint that follows a source joint.
struct JointLink {
    std::uint32_t source = 0;
    std::uint32_t target = 0;
    glm::quat rotateOffset{1, 0, 0, 0};  ///< a further turn in the target joint's own space, at all times
    std::optional<bool> translate{};     ///< unset: where the source's translation changes within a clip
    /// A source joint whose turn is mixed with that of `source`, where a chain of the target has other joints than the
    /// source's. World mode alone.
    std::optional<std::uint32_t> mixedFrom{};
    double share = 1;  ///< of `source` in that mixture
    /// The target joint that carries this one in the body, where its parent in the target is another one.
    std::optional<std::uint32_t> carrier{};
    /// Degrees by which the target joint is turned about its bone at all times, against the smallest rotation that
    /// matches the source's rest pose, where directions leave that open; unset: as the motion tells it.
    std::optional<double> roll{};
};

/// A twist joint of the target: it turns as a limb, and rolls about it by a share of another joint's roll against that.
struct TwistShare {
    std::uint32_t joint = 0;
    std::uint32_t limb = 0;   ///< target joint where the limb begins
    std::uint32_t end = 0;    ///< target joint at its end
    double share = 0.5;       ///< of the roll of `other`
    std::uint32_t other = 0;  ///< target joint: the hand at a forearm's end, what carries an upper arm or a thigh
};

/// A target joint that inverse kinematics aim at: it stays where it is beside another one.
struct IkTarget {
    std::uint32_t joint = 0;
    std::uint32_t aim = 0;  ///< target joint, such as the foot
};

/// A source joint in model space that is carried by another, such as a weapon beside the body.
struct Attachment {
    std::uint32_t source = 0;
    std::uint32_t carrier = 0;  ///< source joint
};

struct Binding {
    BindMode mode = BindMode::world;
    std::vector<JointLink> links;         ///< at most one per target
    std::vector<Attachment> attachments;  ///< of joints that no link has as its source, or whose target hangs elsewhere
    std::vector<TwistShare> twists{};     ///< world mode alone
    std::vector<IkTarget> ikTargets{};    ///< world mode alone
    Pose reference;                       ///< S: local, one transform per source joint
    double scale = 1;                     ///< of lengths, from source to target
    /// What lies elsewhere in the target's root joint than in the source's moves as it does in the source: where it is
    /// in the source, less where it is in the target, seen from the root joints at rest, in the target's metres.
    glm::dvec3 rootOffset{0};
    RootJoints roots{};  ///< of the target: who takes root motion
};

/// The clips on the target skeleton. It has further joints at its end where attachments have no target.
struct BoundMotion {
    Skeleton skeleton;
    std::vector<Clip> clips;
};

/// Scale channels of the source are left out.
/// @param clips on `source`
/// @throws DecodeError of the kind `limit` if the bound clips would exceed Limits::memory
[[nodiscard]] BoundMotion bindClips(const Skeleton& source, const std::vector<Clip>& clips, const Skeleton& target,
                                    const Binding& binding, const Limits& limits = {});

/// The ratio of the heights of the linked roots above the lowest linked joints, target to source; of the lengths
/// between linked joints where a root stands on the ground.
[[nodiscard]] double scaleBetween(const Skeleton& source, const Pose& reference, const Skeleton& target,
                                  const std::vector<JointLink>& links);

/// The joint that carries a joint in model space: the linked one beside which it moves least, over all clips. None if
/// it moves beside every one by more than a twentieth of the skeleton's extent.
[[nodiscard]] std::optional<std::uint32_t> findCarrier(const Skeleton& source, const std::vector<Clip>& clips,
                                                       std::uint32_t joint, const std::vector<JointLink>& links);

}  // namespace reanima::motion
