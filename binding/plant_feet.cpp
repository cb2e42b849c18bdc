#include "binding/plant_feet.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <glm/geometric.hpp>

#include "binding/foot_offsets.h"
#include "binding/leg_bones.h"
#include "binding/legs.h"
#include "binding/motion/linked_skeletons.h"
#include "binding/roles/role_links.h"
#include "binding/soles.h"

namespace reanima::binding {

namespace {

using core::Clip;
using core::Skeleton;
using motion::Globals;

/// A leg of the target and the joint on which it stands.
struct StandingLeg : Leg {
    Sole sole;
};

std::vector<StandingLeg> legsOf(const BoundBodies& bodies, const Skeleton& target) {
    std::vector<StandingLeg> legs;
    for (const Sole& sole : solesOf(bodies.sourceRoles, target, bodies.targetRoles)) {
        const std::optional<Leg> leg = legOf(target, bodies.targetRoles, sole.side);
        if (leg && (sole.target == leg->ankle || target.isBelow(sole.target, leg->ankle)))
            legs.push_back({*leg, sole});
    }
    return legs;
}

// ---------------------------------------------------------------------------------------------------------------------
// A clip

/// The frames of a clip on the target.
struct Poses {
    std::vector<core::Pose> locals;
    std::vector<Globals> globals;
    std::vector<std::vector<glm::dvec3>> soles;  ///< of the source, times the scale of the binding: per leg, per frame
    std::vector<glm::dvec3> hips;                ///< of the source, times the same scale: per frame
    std::vector<std::vector<std::optional<double>>> lifts;  ///< see Ground::liftOfFoot(): per leg, per frame
    std::vector<std::optional<double>> heights;             ///< see Ground::standingHeight(): per frame
    std::vector<double> lows;                               ///< a sole below this height is low: per leg
};

/// How far a clip leaves the floor, in metres.
struct Floor {
    double above = 0;            ///< height of the body's lowest point above the floor, while the source stands
    double below = 0;            ///< depth of this point below the floor
    std::vector<double> depths;  ///< per leg: how far the sole is below its rest height while the source's sole is low
};

/// How a leg is moved.
struct LegPlan {
    FootOffsets offsets;
    glm::dvec3 ahead;    ///< mean bending direction of the knee, in its thigh's space; zero if it never bends
    double bent = 0.05;  ///< see turnsFor()
};

struct Plan {
    std::vector<LegPlan> legs;
    std::vector<double> lowered;  ///< per frame: which share to keep of the lowering that short legs need
};

/// The mean bending direction of a knee over the clip.
glm::dvec3 kneeAhead(const Leg& leg, const Poses& poses) {
    glm::dvec3 sum(0);
    for (const Globals& globals : poses.globals)
        sum += glm::conjugate(globals.rotations[leg.hip]) * bonesOf(leg, globals).bend();
    return glm::length(sum) > 0 ? glm::normalize(sum) : sum;
}

/// True if a foot ends near its start, relative to its hip: not farther away than it moves between two frames.
bool isClosed(const StandingLeg& leg, const Poses& poses) {
    const auto at = [&](std::size_t frame) {
        const Globals& globals = poses.globals[frame];
        return globals.positions[leg.sole.target] - globals.positions[leg.hip];
    };
    double most = 0;
    for (std::size_t frame = 1; frame < poses.globals.size(); ++frame)
        most = std::max(most, glm::distance(at(frame - 1), at(frame)));
    return glm::distance(at(0), at(poses.globals.size() - 1)) <= most;
}

/// The distance by which a joint has moved since the previous frame.
double stepOf(const Poses& poses, std::uint32_t joint, std::size_t frame) {
    return glm::distance(poses.globals[frame].positions[joint], poses.globals[frame - 1].positions[joint]);
}

/// Reduces the shares around a frame: the farther away, the less.
void takeAround(std::vector<double>& shares, std::size_t frame, double taken) {
    constexpr std::size_t kFar = 2 * kBlend;
    for (std::size_t other = frame - std::min(frame, kFar); other <= std::min(frame + kFar, shares.size() - 1);
         ++other) {
        const auto apart = static_cast<double>(other > frame ? other - frame : frame - other);
        shares[other] = std::min(shares[other], 1 - taken * (1 - apart / (kFar + 1)));
    }
}

/// Frames in which a joint of a leg becomes about 1.5 times as fast as anywhere in the original clip.
struct Hurry {
    bool ofKnee = false;
    bool ofFoot = false;
    bool isOfLowering = true;    ///< the leg has no offset of its own in these frames: only the lowering moves it
    std::vector<double> shares;  ///< per frame: the share of the leg's offset to keep
};

Hurry hurryOf(const StandingLeg& leg, const FootOffsets& offsets, const Poses& before, const Poses& after) {
    constexpr double kMost = 1.45;
    constexpr double kTaken = 0.25;
    Hurry hurry;
    hurry.shares.resize(before.globals.size(), 1);
    for (const std::uint32_t joint : {leg.knee, leg.ankle, leg.sole.target}) {
        double fastest = 0;
        for (std::size_t frame = 1; frame < hurry.shares.size(); ++frame)
            fastest = std::max(fastest, stepOf(before, joint, frame));
        for (std::size_t frame = 1; frame < hurry.shares.size(); ++frame) {
            if (stepOf(after, joint, frame) <= kMost * fastest)
                continue;
            (joint == leg.knee ? hurry.ofKnee : hurry.ofFoot) = true;
            if (offsets.at(frame) != glm::dvec3(0) || offsets.at(frame - 1) != glm::dvec3(0))
                hurry.isOfLowering = false;
            takeAround(hurry.shares, frame, kTaken);
        }
    }
    return hurry;
}

/// The vertical offset of a foot by the meshes of both feet, if known.
std::optional<double> liftOf(const BoundBodies& bodies, const StandingLeg& leg, const core::Pose& source,
                             const core::Pose& bound) {
    const auto ankle = bodies.sourceRoles.jointOf(roles::Part::foot, leg.sole.side);
    return bodies.ground != nullptr && ankle ? bodies.ground->liftOfFoot(*ankle, source, leg.ankle, bound)
                                             : std::nullopt;
}

/// The vertical offset of a foot in each frame. Without meshes, it brings the foot to its rest height, plus the height
/// of the source's foot above that foot's lowest position.
/// @param soles, places positions of the sole: the source's (times the scale of the binding) and the target's
std::vector<double> liftsOf(double restHeight, const std::vector<glm::dvec3>& soles,
                            const std::vector<std::optional<double>>& byMesh, const std::vector<glm::dvec3>& places) {
    const double lowest = lowestOf(soles);
    std::vector<double> lifts;
    for (std::size_t frame = 0; frame < places.size(); ++frame)
        lifts.push_back(byMesh[frame].value_or(restHeight + soles[frame].y - lowest - places[frame].y));
    return lifts;
}

/// Prevents planted feet from moving a figure off its floor.
class FloorGuard {
  public:
    /// @param ground null: only soles are known
    /// @param leg length of a leg
    FloorGuard(const Ground* ground, const std::vector<StandingLeg>& legs, double leg, const Poses& asTheyCame)
        : ground_(ground), legs_(legs), leg_(leg), came_{0, 0, std::vector<double>(legs.size())} {
        for (std::size_t frame = 0; frame < asTheyCame.locals.size(); ++frame)
            lookAt(asTheyCame, frame, came_);
    }

    /// Corrects frames in which the figure is farther above or below its floor than anywhere in the original clip.
    /// First, the lowering for legs that are too short is reduced; if that is not enough, feet are moved less.
    /// @return false if this changes nothing
    [[nodiscard]] bool ease(Plan& plan, const Poses& moved) const {
        constexpr double kTaken = 0.5;
        constexpr double kLowered = 0.1;  // share of the lowering; below it, feet are moved less
        std::vector<double> shares(moved.locals.size(), 1);
        bool isWorse = false;
        bool isLowered = false;
        for (std::size_t frame = 0; frame < moved.locals.size(); ++frame) {
            Floor now = came_;
            lookAt(moved, frame, now);
            bool isFarther = isWorseThan(std::max(came_.above, came_.below), std::max(now.above, now.below));
            for (std::size_t i = 0; i < legs_.size(); ++i)
                isFarther = isFarther || isWorseThan(came_.depths[i], now.depths[i]);
            if (isFarther)
                takeAround(shares, frame, kTaken);
            isWorse = isWorse || isFarther;
            isLowered = isLowered || (isFarther && now.below >= now.above && plan.lowered[frame] > kLowered);
        }
        if (!isWorse)
            return false;
        for (LegPlan& leg : plan.legs)
            if (!isLowered)
                leg.offsets.ease(shares);
        for (std::size_t frame = 0; frame < plan.lowered.size(); ++frame)
            plan.lowered[frame] *= shares[frame];
        return true;
    }

  private:
    [[nodiscard]] bool isWorseThan(double was, double is) const {
        constexpr double kUnseen = 0.006;   // of a leg: 5 mm for a person
        constexpr double kNothing = 0.001;  // the same
        return is > std::max(was + kNothing * leg_, kUnseen * leg_);
    }

    /// Updates the largest distances of a clip with a frame.
    void lookAt(const Poses& poses, std::size_t frame, Floor& floor) const {
        if (poses.heights[frame]) {
            const double above = ground_->lowestOnRig(poses.locals[frame]) - *poses.heights[frame];
            floor.above = std::max(floor.above, above);
            floor.below = std::max(floor.below, -above);
        }
        for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
            const double height = poses.globals[frame].positions[legs_[leg].sole.target].y;
            if (poses.soles[leg][frame].y < poses.lows[leg])
                floor.depths[leg] = std::max(floor.depths[leg], legs_[leg].sole.restHeight - height);
        }
    }

    const Ground* ground_;
    const std::vector<StandingLeg>& legs_;
    double leg_;
    Floor came_;
};

/// Plants the feet of one clip.
class Planter {
  public:
    Planter(const BoundBodies& bodies, const Skeleton& target, const std::vector<StandingLeg>& legs, double legLength,
            std::optional<double> window)
        : bodies_(bodies), target_(target), legs_(legs), legLength_(legLength), window_(window) {}

    void plant(const Clip& source, Clip& bound) const {
        if (source.frames < 2)
            return;
        const Poses poses = posesOf(source, bound);
        const FloorGuard floor(bodies_.ground, legs_, bodies_.binding.scale * legLength_, poses);
        Plan plan{plansFor(source, poses), std::vector(poses.locals.size(), 1.0)};
        constexpr int kMostTries = 48;  // after this many tries, under a thousandth of an offset is left
        for (int tries = 0; tries < kMostTries && isMovedBy(plan.legs, poses.locals.size()); ++tries) {
            Poses moved = poses;
            const Joints lowered = move(moved, plan, bound);
            if (ease(plan, poses, moved) || (!window_ && floor.ease(plan, moved)))
                continue;
            write(moved, lowered, bound);
            return;
        }
    }

  private:
    using Joints = std::vector<std::uint32_t>;

    [[nodiscard]] static bool isMovedBy(const std::vector<LegPlan>& plans, std::size_t frames) {
        return std::ranges::any_of(plans, [&](const LegPlan& plan) {
            for (std::size_t frame = 0; frame < frames; ++frame)
                if (plan.offsets.at(frame) != glm::dvec3(0))
                    return true;
            return false;
        });
    }

    [[nodiscard]] Poses posesOf(const Clip& source, const Clip& bound) const {
        Poses poses;
        poses.soles.resize(legs_.size());
        poses.lifts.resize(legs_.size());
        const std::uint32_t hips = *bodies_.sourceRoles.jointOf(roles::Part::hips);
        for (std::uint32_t frame = 0; frame < source.frames; ++frame) {
            const auto time = static_cast<double>(core::frameTime(frame, source.rate));
            poses.locals.push_back(core::samplePose(target_, bound, time));
            poses.globals.push_back(motion::globalsOf(target_, poses.locals.back()));
            const core::Pose pose = core::samplePose(bodies_.source, source, time);
            const Globals from = motion::globalsOf(bodies_.source, pose);
            poses.hips.push_back(bodies_.binding.scale * from.positions[hips]);
            poses.heights.push_back(bodies_.ground != nullptr ? bodies_.ground->standingHeight(pose) : std::nullopt);
            for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
                poses.soles[leg].push_back(bodies_.binding.scale * from.positions[legs_[leg].sole.source]);
                poses.lifts[leg].push_back(window_ ? std::nullopt
                                                   : liftOf(bodies_, legs_[leg], pose, poses.locals.back()));
            }
        }
        for (const std::vector<glm::dvec3>& places : poses.soles)
            poses.lows.push_back(lowestOf(places) + kLowSole * bodies_.binding.scale * legLength_);
        return poses;
    }

    [[nodiscard]] std::vector<LegPlan> plansFor(const Clip& source, const Poses& poses) const {
        constexpr double kLoose = 0.0125;  // of a leg: a centimetre for a person
        constexpr double kHigh = 0.15;     // of a leg; without a mesh, rigs are off the ground by less
        const double leg = bodies_.binding.scale * legLength_;
        constexpr double kMostAround = 500;  // frames: four seconds of a capture
        const double around = std::min(window_.value_or(0) * source.rate, kMostAround);
        std::vector<LegPlan> plans;
        for (std::size_t i = 0; i < legs_.size(); ++i) {
            std::vector<glm::dvec3> places;
            for (const Globals& globals : poses.globals)
                places.push_back(globals.positions[legs_[i].sole.target]);
            std::optional<MeanWindow> window;
            if (window_)
                window = MeanWindow{static_cast<std::size_t>(std::lround(around)), isClosed(legs_[i], poses)};
            plans.push_back(
                {FootOffsets(poses.soles[i], places, standingPhasesOf(poses.soles[i], poses.hips, source.rate, leg),
                             liftsOf(legs_[i].sole.restHeight, poses.soles[i], poses.lifts[i], places),
                             FootReach{kLoose * leg, kHigh * leg}, window),
                 kneeAhead(legs_[i], poses)});
        }
        return plans;
    }

    /// Slows down legs that move too fast. First, a slightly bent knee gets its mean direction; then blending takes
    /// longer; finally the foot is moved less. If a leg bends only because the character is lowered for the other leg,
    /// the lowering is reduced.
    /// @return false if no leg is too fast
    [[nodiscard]] bool ease(Plan& plan, const Poses& before, const Poses& after) const {
        constexpr double kMostBent = 0.4;  // in thigh lengths
        bool isEased = false;
        for (std::size_t i = 0; i < legs_.size(); ++i) {
            LegPlan& leg = plan.legs[i];
            const Hurry hurry = hurryOf(legs_[i], leg.offsets, before, after);
            if (!hurry.ofKnee && !hurry.ofFoot)
                continue;
            isEased = true;
            if (!hurry.isOfLowering && !hurry.ofFoot && leg.bent < kMostBent) {
                leg.bent *= 1.25;
            } else if (hurry.isOfLowering || !leg.offsets.blendLonger()) {
                leg.offsets.ease(hurry.shares);
                for (std::size_t frame = 0; frame < plan.lowered.size(); ++frame)
                    plan.lowered[frame] *= hurry.shares[frame];
            }
        }
        return isEased;
    }

    /// How far the character must be lowered so that its feet reach their targets, blended over neighbouring frames.
    [[nodiscard]] std::vector<double> dropsFor(const Poses& poses, const Plan& plan) const {
        constexpr double kMost = 0.02;  // of a leg
        std::vector<double> needed(poses.globals.size());
        for (std::size_t frame = 0; frame < needed.size(); ++frame)
            for (std::size_t leg = 0; leg < legs_.size(); ++leg) {
                const LegBones bones = bonesOf(legs_[leg], poses.globals[frame]);
                const glm::dvec3& offset = plan.legs[leg].offsets.at(frame);
                const glm::dvec3 way = bones.ankle + offset - bones.hip;
                const double high = reachOf(bones) * reachOf(bones) - way.x * way.x - way.z * way.z;
                const double least = -way.y - std::sqrt(std::max(high, 0.0));
                const double most = kMost * (bones.thigh() + bones.shin());
                if (offset != glm::dvec3(0))
                    needed[frame] = std::max(needed[frame], std::clamp(least, 0.0, most));
            }
        std::vector<double> drops = needed;
        for (std::size_t frame = 0; frame < needed.size(); ++frame)
            for (std::size_t other = frame - std::min(frame, kBlend);
                 other <= std::min(frame + kBlend, needed.size() - 1); ++other) {
                const auto apart = static_cast<double>(other > frame ? other - frame : frame - other);
                drops[frame] = std::max(drops[frame], needed[other] * (1 - apart / (kBlend + 1)));
            }
        for (std::size_t frame = 0; frame < drops.size(); ++frame)
            drops[frame] *= plan.lowered[frame];
        return drops;
    }

    /// @return the joints that are lowered
    [[nodiscard]] Joints move(Poses& poses, const Plan& plan, const Clip& bound) const {
        const std::vector<double> drops = dropsFor(poses, plan);
        for (std::size_t frame = 0; frame < poses.locals.size(); ++frame)
            bendLegs(poses, frame, plan.legs, drops[frame]);
        Joints lowered;
        if (std::ranges::any_of(drops, [](double drop) { return drop > 0; }))
            lowered = lower(poses, drops, bound);
        for (std::size_t frame = 0; frame < poses.locals.size(); ++frame) {
            Globals after = motion::globalsOf(target_, poses.locals[frame]);
            moveIkTargets(poses.locals[frame], poses.globals[frame], after);
            poses.globals[frame] = std::move(after);
        }
        return lowered;
    }

    void bendLegs(Poses& poses, std::size_t frame, const std::vector<LegPlan>& plans, double drop) const {
        const Globals& globals = poses.globals[frame];
        core::Pose& pose = poses.locals[frame];
        for (std::size_t i = 0; i < legs_.size(); ++i) {
            const Leg& leg = legs_[i];
            const LegPlan& plan = plans[i];
            const glm::dvec3& offset = plan.offsets.at(frame);
            if (offset == glm::dvec3(0) && drop == 0)
                continue;
            const LegBones bones = bonesOf(leg, globals);
            const LegTurns turns = turnsFor(bones, bones.hip - glm::dvec3(0, drop, 0), bones.ankle + offset,
                                            globals.rotations[leg.hip] * plan.ahead, plan.bent);
            turn(pose, globals, leg.hip, motion::kNoTurn, turns.thigh);
            turn(pose, globals, leg.knee, turns.thigh, turns.shin);
            turn(pose, globals, leg.ankle, turns.shin, motion::kNoTurn);
        }
    }

    /// @param above additional rotation of the joint's parent in model space; `own`: that of the joint itself
    void turn(core::Pose& pose, const Globals& globals, std::uint32_t joint, const glm::dquat& above,
              const glm::dquat& own) const {
        const std::optional<std::uint32_t> parent = target_.parentOf(joint);
        const glm::dquat before = parent ? globals.rotations[*parent] : motion::kNoTurn;
        pose[joint].rotation =
            glm::quat(glm::normalize(glm::conjugate(above * before) * own * globals.rotations[joint]));
    }

    /// Sets keys at every frame for the changed joints.
    void write(const Poses& poses, const Joints& lowered, Clip& bound) const {
        Joints placed = lowered;
        for (const motion::IkTarget& each : bodies_.binding.ikTargets)
            placed.push_back(each.joint);
        for (const std::uint32_t joint : placed) {
            std::vector<glm::vec3> values;
            for (const core::Pose& pose : poses.locals)
                values.push_back(pose[joint].translation);
            setTranslations(bound, joint, std::move(values));
        }
        for (const Leg& leg : legs_)
            for (const std::uint32_t joint : {leg.hip, leg.knee, leg.ankle}) {
                std::vector<glm::quat> values;
                for (const core::Pose& pose : poses.locals)
                    values.push_back(pose[joint].rotation);
                setRotations(bound, joint, std::move(values));
            }
    }

    /// Lowers the hips, and joints that move beside them in model space. Returns these joints.
    [[nodiscard]] Joints lower(Poses& poses, const std::vector<double>& drops, const Clip& bound) const {
        const std::uint32_t hips = *bodies_.targetRoles.jointOf(roles::Part::hips);
        std::vector<bool> isTracked(target_.joints.size());
        for (const core::JointTrack& track : bound.tracks)
            isTracked[track.joint] = true;
        Joints lowered;
        for (std::uint32_t joint = 0; joint < target_.joints.size(); ++joint) {
            const bool isFree =
                isTracked[joint] && !target_.isBelow(hips, joint) && !isIkTarget(joint) &&
                std::ranges::none_of(target_.ancestors(joint), [&](std::uint32_t above) { return isTracked[above]; });
            if (joint != hips && (!isFree || target_.isBelow(joint, hips)))
                continue;
            for (std::size_t frame = 0; frame < drops.size(); ++frame)
                poses.locals[frame][joint].translation +=
                    glm::vec3(inParent(poses.globals[frame], joint, glm::dvec3(0, -drops[frame], 0)));
            lowered.push_back(joint);
        }
        return lowered;
    }

    /// Converts an offset from model space to the space of the joint's parent.
    [[nodiscard]] glm::dvec3 inParent(const Globals& globals, std::uint32_t joint, const glm::dvec3& way) const {
        const std::optional<std::uint32_t> parent = target_.parentOf(joint);
        return parent ? glm::conjugate(globals.rotations[*parent]) * way / globals.scales[*parent] : way;
    }

    [[nodiscard]] bool isIkTarget(std::uint32_t joint) const {
        return std::ranges::find(bodies_.binding.ikTargets, joint, &motion::IkTarget::joint) !=
               bodies_.binding.ikTargets.end();
    }

    /// IK targets move with the joint beside which they stay.
    void moveIkTargets(core::Pose& pose, const Globals& before, Globals& after) const {
        std::map<std::uint32_t, std::uint32_t> aims;  // parents first
        for (const motion::IkTarget& each : bodies_.binding.ikTargets)
            aims[each.joint] = each.aim;
        for (const auto& [joint, aim] : aims) {
            const glm::dvec3 wanted = before.positions[joint] + after.positions[aim] - before.positions[aim];
            pose[joint].translation += glm::vec3(inParent(after, joint, wanted - after.positions[joint]));
            after = motion::globalsOf(target_, pose);
        }
    }

    const BoundBodies& bodies_;
    const Skeleton& target_;
    const std::vector<StandingLeg>& legs_;
    double legLength_;
    std::optional<double> window_;
};

}  // namespace

std::size_t plantFeet(const BoundBodies& bodies, const std::vector<Clip>& clips, motion::BoundMotion& bound,
                      const core::Limits& limits, std::optional<double> window) {
    const std::vector<StandingLeg> legs = legsOf(bodies, bound.skeleton);
    const double length = roles::legLength(bodies.source, bodies.sourceRoles).value_or(0);
    if (legs.empty() || !(length > 0) || !bodies.sourceRoles.jointOf(roles::Part::hips))
        return 0;
    const Planter planter(bodies, bound.skeleton, legs, length, window);
    constexpr std::uint64_t kPoses =
        3 * (sizeof(core::Transform) + sizeof(glm::dquat) + sizeof(glm::dvec3) + sizeof(double));
    for (const Clip& clip : clips)
        core::requireMemory(clip.frames * kPoses * bound.skeleton.joints.size(), limits,
                            {"planted feet", std::nullopt});
    for (std::size_t i = 0; i < clips.size(); ++i)
        planter.plant(clips[i], bound.clips[i]);
    return legs.size();
}

}  // namespace reanima::binding
