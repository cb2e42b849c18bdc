#include "binding/roles/motion_anatomy.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "binding/roles/body.h"
#include "binding/roles/body_points.h"

namespace reanima::roles {

namespace {

using Index = BodyPoints::Index;
using Bone = BodyPoints::Bone;

double lengthOf(const std::vector<Bone>& bones) {
    double sum = 0;
    for (const Bone& bone : bones)
        sum += bone.length;
    return sum;
}

// ---------------------------------------------------------------------------------------------------------------------
// Pairs of limbs

struct Limb {
    std::vector<Bone> bones{};
    std::size_t upper = 0;  ///< the first of the two long bones
    Index tip = 0;
};

struct Pair {
    Limb a{};
    Limb b{};
    Index top = 0;
    double likeness = 0;
    double score = -1e30;

    [[nodiscard]] double shorter() const { return std::min(lengthOf(a.bones), lengthOf(b.bones)); }
};

/// Weights of bones for finding the two long bones of a limb, indexed by the point at the bone's end.
using Weights = std::vector<double>;

/// Thighs and shins point down; a foot, which may be as long, points to the front, and a hip sideways.
Weights downwards(const BodyPoints& points) {
    Weights weights(points.size(), 1);
    for (Index point = 0; point < points.size(); ++point) {
        if (points[point].parent == core::kNoParent || points[point].length <= points.nothing())
            continue;
        const std::vector<glm::dvec3>& above = points[static_cast<Index>(points[point].parent)].at;
        double down = 0;
        for (std::size_t frame = 0; frame < points.frames(); ++frame)
            down += std::max(above[frame].y - points[point].at[frame].y, 0.0) / points[point].length;
        weights[point] = std::min(down / static_cast<double>(points.frames()), 1.0);
    }
    return weights;
}

/// Upper arms and forearms rotate; a collar bone, which may be as long, does not in most games.
Weights turning(const BodyPoints& points) {
    constexpr double kStiff = 0.5;
    Weights weights(points.size(), 1);
    for (Index point = 0; point < points.size() && !points.isStill(); ++point)
        if (const int parent = points[point].parent; parent != core::kNoParent)
            weights[point] = points.turns(points[static_cast<Index>(parent)].joint) ? 1 : kStiff;
    return weights;
}

/// A last joint that never rotates only marks the end of the bone before it.
bool isTip(const BodyPoints& points, Index point) {
    return points[point].isEnd || (!points.isStill() && !points.turns(points[point].joint));
}

/// The first of two consecutive long bones before a shorter one; none if the chain has fewer than two bones. A hand or
/// foot at the end of the chain may be as long.
std::optional<std::size_t> longBones(const BodyPoints& points, const std::vector<Bone>& bones, const Weights& weights) {
    std::optional<std::size_t> best;
    double most = -1e30;
    constexpr double kWithoutTip = 0.4;
    const auto weightOf = [&](std::size_t bone) { return bones[bone].length * weights[bones[bone].to]; };
    for (std::size_t i = 0; i + 1 < bones.size(); ++i) {
        const bool isLast = i + 2 == bones.size();
        const double next = isLast ? 0 : weightOf(i + 2);
        const double pair = std::min(weightOf(i), weightOf(i + 1));
        const double both = pair * (isLast && isTip(points, bones.back().to) ? kWithoutTip : 1) - next / 3;
        if (!best || both > most + 0.0001 * std::abs(most)) {
            most = both;
            best = i;
        }
    }
    return best;
}

double alikeness(double a, double b) { return std::min(a, b) / std::max({a, b, 1e-9}); }

/// Limbs end where they are no longer alike: joints that only one hand has below it belong to a held object.
void dropHeld(Pair& pair) {
    constexpr std::size_t kFewest = 3;
    constexpr double kAlike = 0.9;
    std::size_t alike = 0;
    while (alike < std::min(pair.a.bones.size(), pair.b.bones.size()) &&
           alikeness(pair.a.bones[alike].length, pair.b.bones[alike].length) > kAlike)
        ++alike;
    for (Limb* limb : {&pair.a, &pair.b})
        if (alike >= kFewest && limb->bones.size() > alike) {
            limb->bones.resize(alike);
            limb->tip = limb->bones.back().to;
        }
}

/// Removes bones of the back at the start of both chains: they carry both limbs and belong to neither.
void dropShared(const BodyPoints& points, Pair& pair) {
    const auto endsTogether = [&] {
        const std::vector<glm::dvec3>& a = points[pair.a.bones.front().to].at;
        const std::vector<glm::dvec3>& b = points[pair.b.bones.front().to].at;
        return std::equal(a.begin(), a.end(), b.begin(), [&](const glm::dvec3& x, const glm::dvec3& y) {
            return glm::distance(x, y) <= points.nothing();
        });
    };
    while (!pair.a.bones.empty() && !pair.b.bones.empty() && endsTogether()) {
        pair.a.bones.erase(pair.a.bones.begin());
        pair.b.bones.erase(pair.b.bones.begin());
    }
}

/// Finds the long bones, and measures how alike the limbs are.
/// @return false if there are too few bones
bool measureLimbs(const BodyPoints& points, const Weights& weights, Pair& pair) {
    auto longA = longBones(points, pair.a.bones, weights);
    auto longB = longBones(points, pair.b.bones, weights);
    if (!longA || !longB)
        return false;
    if (longA != longB && pair.a.bones.size() == pair.b.bones.size()) {  // one side is still: only lengths count
        const Weights alike(points.size(), 1);
        longA = longBones(points, pair.a.bones, alike);
        longB = longBones(points, pair.b.bones, alike);
    }
    pair.a.upper = *longA;
    pair.b.upper = *longB;
    pair.likeness = std::min({alikeness(lengthOf(pair.a.bones), lengthOf(pair.b.bones)),
                              alikeness(pair.a.bones[*longA].length, pair.b.bones[*longB].length),
                              alikeness(pair.a.bones[*longA + 1].length, pair.b.bones[*longB + 1].length)});
    return true;
}

constexpr double kAlikeLimbs = 0.75;

std::optional<Pair> pairOf(const BodyPoints& points, Index a, Index b, const Weights& weights) {
    Pair pair;
    pair.top = points.meeting(a, b);
    if (pair.top == a || pair.top == b)
        return std::nullopt;
    pair.a = {points.bonesBetween(pair.top, a), 0, a};
    pair.b = {points.bonesBetween(pair.top, b), 0, b};
    dropShared(points, pair);
    if (!measureLimbs(points, weights, pair))
        return std::nullopt;
    if (pair.likeness < kAlikeLimbs && !points.isStill()) {
        dropHeld(pair);
        if (!measureLimbs(points, weights, pair))
            return std::nullopt;
    }
    return pair;
}

template <typename Score>
std::optional<Pair> bestPair(const BodyPoints& points, const std::vector<Index>& leaves, const Weights& weights,
                             const Score& score) {
    std::optional<Pair> best;
    for (std::size_t i = 0; i < leaves.size(); ++i)
        for (std::size_t j = i + 1; j < leaves.size(); ++j) {
            std::optional<Pair> pair = pairOf(points, leaves[i], leaves[j], weights);
            if (!pair || pair->likeness < kAlikeLimbs)
                continue;
            pair->score = score(*pair);
            if (pair->score > (best ? best->score : -1e20))
                best = std::move(pair);
        }
    return best;
}

/// The mean height of the tips above the floor, as a share of the whole height.
double heightOf(const BodyPoints& points, const Pair& pair) {
    return (points.heightOf(pair.a.tip) + points.heightOf(pair.b.tip)) / (2 * points.height());
}

std::optional<Pair> findLegs(const BodyPoints& points) {
    return bestPair(points, points.leaves(), downwards(points), [&](const Pair& pair) {
        const double length = pair.shorter() / points.height();
        return length < 0.2 ? -1e30 : 0.1 * std::min(length, 0.6) + 0.1 * pair.likeness - heightOf(points, pair);
    });
}

std::optional<Pair> findArms(const BodyPoints& points, const std::vector<Index>& leaves) {
    return bestPair(points, leaves, turning(points), [&](const Pair& pair) {
        const double length = pair.shorter() / points.height();
        const double lower = std::min(pair.a.bones[pair.a.upper + 1].length, pair.b.bones[pair.b.upper + 1].length);
        return length < 0.15 ? -1e30 : std::min(length, 0.6) * pair.likeness + lower / points.height();
    });
}

/// The tips that belong neither to the limbs nor to their branches.
std::vector<Index> without(const BodyPoints& points, const std::vector<Index>& leaves, const Pair& pair) {
    const Index a = points.below(pair.top, pair.a.tip);
    const Index b = points.below(pair.top, pair.b.tip);
    std::vector<Index> rest;
    for (const Index leaf : leaves)
        if (!points.isWithin(leaf, a) && !points.isWithin(leaf, b))
            rest.push_back(leaf);
    return rest;
}

// ---------------------------------------------------------------------------------------------------------------------
// Left and right

struct Sides {
    bool isLegALeft = true;
    bool isArmALeft = true;
    double certainty = 0;  ///< 1: all frames agree
};

/// The horizontal direction to the front: the foot points there, and the knee bends there from the line of the leg.
glm::dvec3 aheadOf(const BodyPoints& points, const Limb& leg, std::size_t frame) {
    const auto at = [&](Index point) { return points[point].at[frame]; };
    const glm::dvec3 hip = at(leg.bones[leg.upper].start);
    const glm::dvec3 knee = at(leg.bones[leg.upper + 1].start);
    const glm::dvec3 ankle = at(leg.bones[leg.upper + 1].to);
    const glm::dvec3 line = ankle - hip;
    const double share = glm::dot(knee - hip, line) / std::max(glm::dot(line, line), 1e-12);
    glm::dvec3 ahead = knee - (hip + share * line);
    if (leg.upper + 2 < leg.bones.size())
        ahead += 2.0 * (at(leg.tip) - ankle);
    return {ahead.x, 0, ahead.z};
}

Sides sidesOf(const BodyPoints& points, const Pair& legs, const Pair& arms, Facing facing) {
    double legVotes = 0;
    double armVotes = 0;
    double allLegs = 1e-12;
    double allArms = 1e-12;
    for (std::size_t frame = 0; frame < points.frames(); ++frame) {
        const glm::dvec3 ahead = facing == Facing::ahead
                                     ? glm::dvec3(0, 0, 1)
                                     : aheadOf(points, legs.a, frame) + aheadOf(points, legs.b, frame);
        const glm::dvec3 left(ahead.z, 0, -ahead.x);
        const auto across = [&](const Pair& pair) {
            const glm::dvec3 a = points[pair.a.bones[pair.a.upper].start].at[frame];
            const glm::dvec3 b = points[pair.b.bones[pair.b.upper].start].at[frame];
            return glm::dot(left, a - b);
        };
        legVotes += across(legs);
        armVotes += across(arms);
        allLegs += std::abs(across(legs));
        allArms += std::abs(across(arms));
    }
    return {legVotes > 0, armVotes > 0, std::min(std::abs(legVotes) / allLegs, std::abs(armVotes) / allArms)};
}

// ---------------------------------------------------------------------------------------------------------------------
// Certainty

/// Measured shares of correct links: for motion of games, and for rest poses of rigs from 25 families.
constexpr double kByMotion = 0.95;
constexpr double kByShape = 0.7;

/// The confidence that these are the limbs of a standing biped, and the strongest objection.
class Certainty {
  public:
    Certainty(const BodyPoints& points, const Pair& legs, const Pair& arms, Facing facing)
        : value_(points.isStill() && facing == Facing::unknown ? kByShape : kByMotion) {
        const auto ratio = [](const Limb& limb) {
            return limb.bones[limb.upper].length / limb.bones[limb.upper + 1].length;
        };
        double apart = 1;
        for (const Limb* limb : {&legs.a, &legs.b, &arms.a, &arms.b})
            apart = std::max({apart, ratio(*limb), 1 / ratio(*limb)});
        for (const double much : {2.0, 2.5})  // games have children whose forearms are half as long as their upper arms
            doubtIf(apart > much, 0.1, "limbs with bones of very different lengths");
        doubtIf(std::min(legs.likeness, arms.likeness) < 0.85, 0.1, "left and right differ in length");
        const bool hasFeet = legs.a.bones.size() > legs.a.upper + 2 && legs.b.bones.size() > legs.b.upper + 2;
        doubtIf(!hasFeet && facing == Facing::unknown, 0.1, "legs without feet");
        const double legsUp = heightOf(points, legs);
        const double armsUp = heightOf(points, arms);
        doubtIf(legsUp > 0.3, 0.2, "no two legs that reach the ground");
        doubtIf(armsUp < 0.15 || armsUp < legsUp + 0.1, 0.6, "four legs");
    }

    void addSides(const Sides& sides) { doubtIf(sides.certainty < 0.6, 0.3, "left and right can't be told apart"); }

    void addBack(const BodyPoints& points, Index hips, Index crown) {
        // In some clips of games people lie on the ground, but not in most clips.
        std::vector<double> upright;
        for (std::size_t frame = 0; frame < points.frames(); ++frame) {
            const glm::dvec3 back = points[crown].at[frame] - points[hips].at[frame];
            upright.push_back(back.y / std::max(glm::length(back), 1e-12));
        }
        std::ranges::sort(upright);
        constexpr double kStands = 0.45;  // the cosine of 63 degrees: old people walk with bent backs
        doubtIf(upright[upright.size() / 2] < kStands, 0.4, "a horizontal back");
        doubtIf(points.heightOf(crown) < 0.6 * points.height(), 0.2, "a head that is not on top");
    }

    [[nodiscard]] double value() const { return std::max(value_, 0.0); }
    [[nodiscard]] const std::string& reason() const { return reason_; }

  private:
    void doubtIf(bool isSeen, double by, const char* why) {
        if (!isSeen)
            return;
        value_ -= by;
        if (by > worst_) {
            worst_ = by;
            reason_ = why;
        }
    }

    double value_;
    double worst_ = 0;
    std::string reason_;
};

// ---------------------------------------------------------------------------------------------------------------------
// The body

/// Gives the joints of limbs and torso their roles.
class RoleSetter {
  public:
    RoleSetter(const BodyPoints& points, std::size_t joints, const core::BodySurface& surface, Facing facing)
        : points_(points), surface_(surface), facing_(facing), roles_(joints) {}

    std::vector<Role> take() { return std::move(roles_); }

    void setLeg(const Limb& leg, Side side) {
        setLimb(leg, leg.upper, Part::upperLeg, side);
        setLimb(leg, leg.upper + 1, Part::lowerLeg, side);
        setLimb(leg, leg.upper + 2, Part::foot, side);
        // In rigs the last joint is more often the toes than their end.
        if (leg.upper + 3 < leg.bones.size() || points_.isStill())
            setLimb(leg, leg.upper + 3, Part::toes, side);
    }

    /// @param other the arm of the other side: a joint that carries both is not a collar bone
    void setArm(const Limb& arm, Side side, const Limb& other) {
        setLimb(arm, arm.upper, Part::upperArm, side);
        setLimb(arm, arm.upper + 1, Part::lowerArm, side);
        setLimb(arm, arm.upper + 2, Part::hand, side);
        if (arm.upper > 0 && !points_.isWithin(other.tip, arm.bones[arm.upper - 1].from))
            set(arm.bones[arm.upper - 1].from, Part::shoulder, side);
        collars_.push_back(arm.bones[arm.upper > 0 ? arm.upper - 1 : arm.upper].from);
    }

    void setTorso(Index hips, const Pair& arms, Index crown) {
        Index top = hips;
        while (points_[top].parent != core::kNoParent && points_[top].length <= points_.nothing())
            top = static_cast<Index>(points_[top].parent);
        set(top, Part::hips, Side::middle);
        const Index head = withoutFace(headBelow(top, arms, crown), top);
        std::vector<Index> path = points_.pathTo(head);
        path.erase(path.begin(), std::find(path.begin(), path.end(), top) + 1);
        const double collar = alongPath(path);
        double along = 0;
        std::vector<Index> spine;
        std::vector<Index> neck;
        for (const Index point : path) {
            along += points_[point].length;
            const bool carriesArms = points_.isWithin(arms.a.tip, point) && points_.isWithin(arms.b.tip, point);
            if (point != head)
                (carriesArms || along < collar - points_.nothing() ? spine : neck).push_back(point);
        }
        set(head, Part::head, Side::middle);
        setMoving(spine, Part::spine);
        setMoving(neck, Part::neck);
    }

  private:
    void set(Index point, Part part, Side side) {
        if (!points_[point].isEnd && roles_[points_[point].joint].part == Part::none)
            roles_[points_[point].joint] = {part, side, 0};
    }

    /// Sets the role of the joint at a bone's start: of the topmost joint at that position.
    void setLimb(const Limb& limb, std::size_t bone, Part part, Side side) {
        if (bone < limb.bones.size())
            set(bone == 0 ? limb.bones[0].from : limb.bones[bone].start, part, side);
        else if (bone == limb.bones.size())
            set(limb.bones.back().to, part, side);
    }

    /// Of the joints above the arms, the last one that carries at least half as many vertices as any other. Without a
    /// mesh, the crown is the end of the head's bone. If that end is unknown, the crown is the head itself, provided
    /// that it turns, and only a neck is between it and the arms.
    [[nodiscard]] Index headBelow(Index top, const Pair& arms, Index crown) const {
        std::vector<Index> aboveArms;
        for (const Index point : points_.pathTo(crown))
            if (point != top && points_.isWithin(point, top) && !points_.isWithin(arms.a.tip, point) &&
                !points_.isWithin(arms.b.tip, point))
                aboveArms.push_back(point);
        const auto vertices = [this](Index point) {
            return points_[point].isEnd ? 0 : surface_.of(points_[point].joint).size();
        };
        std::size_t most = 0;
        for (const Index point : aboveArms)
            most = std::max(most, vertices(point));
        const auto face = std::find_if(aboveArms.rbegin(), aboveArms.rend(),
                                       [&](Index point) { return 2 * vertices(point) >= most; });
        if (most > 0)
            return *face;
        if (facing_ == Facing::ahead && !aboveArms.empty())
            return aboveArms[std::min<std::size_t>(1, aboveArms.size() - 1)];
        if (const auto branching = earsOn(aboveArms, arms, crown))
            return *branching;
        const std::vector<Bone> bones = points_.bonesBetween(top, crown);
        constexpr double kHead = 0.06;  // of the whole height: a head is longer
        if (bones.empty() || (points_.isStill() && bones.back().length < kHead * points_.height()))
            return crown;
        constexpr std::size_t kNeckAndHead = 2;
        if (!points_.isStill() && !points_[crown].isEnd && aboveArms.size() <= kNeckAndHead &&
            points_.turns(points_[crown].joint))
            return crown;
        return bones.back().start == top ? bones.back().from : bones.back().start;
    }

    /// The joint above the arms from which two equal chains branch off, ears or horns, if one of them ends in the
    /// crown.
    [[nodiscard]] std::optional<Index> earsOn(const std::vector<Index>& aboveArms, const Pair& arms,
                                              Index crown) const {
        constexpr double kAlike = 0.95;
        constexpr double kAside = 0.8;
        const auto apart = [this](Index a, Index b) {
            return unit(points_[a].at.front() - points_[b].at.front()).value_or(glm::dvec3(0));
        };
        const glm::dvec3 across = apart(arms.a.bones[arms.a.upper].start, arms.b.bones[arms.b.upper].start);
        for (const Index leaf : points_.leaves()) {
            const Index top = points_.meeting(leaf, crown);
            if (leaf == crown || std::ranges::find(aboveArms, top) == aboveArms.end())
                continue;
            const std::vector<Bone> one = points_.bonesBetween(top, crown);
            const std::vector<Bone> other = points_.bonesBetween(top, leaf);
            if (std::abs(glm::dot(apart(leaf, crown), across)) > kAside && !one.empty() &&
                std::ranges::equal(one, other,
                                   [](const Bone& a, const Bone& b) { return alikeness(a.length, b.length) > kAlike; }))
                return top;
        }
        return std::nullopt;
    }

    /// Replaces a joint of a face by the head from which it branches off. Such joints never rotate on their own.
    [[nodiscard]] Index withoutFace(Index head, Index top) const {
        for (Index point = head; point != top && !points_.isStill() && !points_.turns(points_[point].joint);) {
            point = static_cast<Index>(points_[point].parent);
            const bool carriesArms =
                std::ranges::any_of(collars_, [&](Index collar) { return points_.isWithin(collar, point); });
            if (carriesArms)
                break;
            if (points_[point].children.size() > 1 && points_.turns(points_[point].joint))
                return point;
        }
        return head;
    }

    /// The length of a path up to the point that is nearest to the collars.
    [[nodiscard]] double alongPath(const std::vector<Index>& path) const {
        double nearest = 1e30;
        double found = 0;
        double along = 0;
        for (const Index point : path) {
            along += points_[point].length;
            double far = 0;
            for (const Index collar : collars_)
                far += glm::distance(points_[collar].at.front(), points_[point].at.front());
            if (far < nearest - points_.nothing()) {
                nearest = far;
                found = along;
            }
        }
        return found;
    }

    /// Joints that never rotate belong to their parents, unless no joint rotates.
    void setMoving(const std::vector<Index>& points, Part part) {
        const auto turns = [this](Index point) { return points_.turns(points_[point].joint); };
        const bool any = std::any_of(points.begin(), points.end(), turns);
        for (const Index point : points)
            set(point, !any || turns(point) || points_[point].length > points_.nothing() ? part : Part::helper,
                Side::middle);
    }

    const BodyPoints& points_;
    const core::BodySurface& surface_;
    Facing facing_;
    std::vector<Role> roles_;
    std::vector<Index> collars_;
};

/// Fills the anatomy. @return why there is no body; empty if there is one
std::string findBody(const BodyPoints& points, const core::BodySurface& surface, Facing facing, Anatomy& anatomy) {
    constexpr std::size_t kMostLeaves = 200;
    if (points.leaves().size() > kMostLeaves)
        return "too many branches";
    const std::optional<Pair> legs = points.height() > 0 ? findLegs(points) : std::nullopt;
    if (!legs)
        return "no two legs";
    const std::vector<Index> rest = without(points, points.leaves(), *legs);
    const std::optional<Pair> arms = findArms(points, rest);
    if (!arms)
        return "no two arms";
    const std::vector<Index> tops = without(points, rest, *arms);
    if (tops.empty())
        return "no head";
    Index crown = *std::max_element(tops.begin(), tops.end(),
                                    [&](Index a, Index b) { return points.heightOf(a) < points.heightOf(b); });
    while (points[crown].length <= points.nothing() && points[crown].children.empty() &&
           !points.turns(points[crown].joint))  // a file may have ends of bones without length
        crown = static_cast<Index>(points[crown].parent);
    const Index hips = points.meeting(points.meeting(legs->top, crown), arms->top);
    const Sides sides = sidesOf(points, *legs, *arms, facing);
    RoleSetter setter(points, anatomy.roles.size(), surface, facing);
    setter.setLeg(legs->a, sides.isLegALeft ? Side::left : Side::right);
    setter.setLeg(legs->b, sides.isLegALeft ? Side::right : Side::left);
    setter.setArm(arms->a, sides.isArmALeft ? Side::left : Side::right, arms->b);
    setter.setArm(arms->b, sides.isArmALeft ? Side::right : Side::left, arms->a);
    setter.setTorso(hips, *arms, crown);
    anatomy.roles = setter.take();
    Certainty certainty(points, *legs, *arms, facing);
    certainty.addSides(sides);
    certainty.addBack(points, hips, crown);
    anatomy.confidence = certainty.value();
    if (anatomy.confidence >= kCertain)
        return {};
    return certainty.reason().empty() ? "its shape is not conclusive" : certainty.reason();
}

}  // namespace

Anatomy anatomyByMotion(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips,
                        const core::BodySurface& surface, Facing facing) {
    Anatomy anatomy;
    if (skeleton.joints.empty())
        return anatomy;
    anatomy.roles.resize(skeleton.joints.size());
    anatomy.from = Anatomy::From::motion;
    anatomy.seen = findBody(BodyPoints(skeleton, clips), surface, facing, anatomy);
    return anatomy;
}

}  // namespace reanima::roles
