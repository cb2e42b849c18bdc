#include "binding/roles/stance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

#include "binding/roles/hand_at_rest.h"
#include "binding/roles/mirror_plane.h"
#include "binding/roles/name_anatomy.h"
#include "core/pose.h"

namespace reanima::roles {

namespace {

using motion::Globals;

constexpr double kNothing = 1e-9;

/// The cosine of the largest angle between a forearm and a straight hand, measured to the root of the middle finger.
const double kAside = std::cos(glm::radians(20.0));

/// The cosine of the largest angle to up at which a head's bone is assumed to point to the crown. Some captured people
/// look at the ground in whole clips: averaging with the bone, which is itself a guess, halves the error.
const double kNearCrown = std::cos(glm::radians(50.0));

/// The same as kAside for a bent hand, whose bone points to its tip.
const double kHeldBent = std::cos(glm::radians(70.0));

glm::dvec3 placeOf(const Globals& pose, std::uint32_t joint, const glm::vec3& point) {
    return pose.positions[joint] + pose.rotations[joint] * (pose.scales[joint] * glm::dvec3(point));
}

/// The end of a joint's bone in the joint's space: as stated, else the only joint below it.
std::optional<glm::dvec3> endOf(const core::Skeleton& skeleton, std::uint32_t joint) {
    std::optional<glm::dvec3> end;
    if (const auto& stated = skeleton.joints[joint].end)
        return glm::dvec3(*stated);
    for (const core::Joint& below : skeleton.joints)
        if (below.parent == static_cast<int>(joint)) {
            if (end)
                return std::nullopt;
            end = glm::dvec3(below.rest.translation);
        }
    return end;
}

/// The direction from the wrist to the end of a hand's mesh. The thumb hardly counts, because it is short.
std::optional<glm::dvec3> tipOf(const std::vector<glm::vec3>& points) {
    glm::dvec3 sum(0);
    for (const glm::vec3& point : points) {
        const glm::dvec3 way(point);
        sum += way * glm::dot(way, way) * glm::dot(way, way);
    }
    return unit(sum);
}

}  // namespace

Stance::Stance(const StanceSource& source, const StanceTarget& target)
    : source_(source),
      target_(target),
      neutral_(source.hasRest ? sourceRest_ : source.poses),
      upright_(uprightOf(source.poses)),
      rest_(motion::globalsOf(target.skeleton, core::restPose(target.skeleton))) {
    if (source.hasRest)
        sourceRest_.push_back(uprightRest());
    uprightNeutral_ = source.hasRest ? uprightOf(sourceRest_) : upright_;
    for (const Globals& pose : neutral_) {
        std::vector<glm::dvec3> body;
        for (std::size_t joint = 0; joint < pose.positions.size(); ++joint)
            if (isBody(source.roles.roles[joint].part))
                body.push_back(pose.positions[joint]);
        height_ = std::max(height_, motion::extentOf(body));
    }
    facing_ = restingFrame(rest_, target.roles);
    if (facing_)
        face_ = faceOfTarget();
}

/// Rigs are upright along an axis, although their legs may be apart and lean back.
std::optional<Frame> Stance::restingFrame(const Globals& rest, const Anatomy& roles) {
    std::optional<Frame> facing = facingOf(rest, roles);
    if (!facing)
        return std::nullopt;
    const glm::dvec3 up = nearestAxis(facing->second);
    if (const auto front = unit(core::across(facing->first, up)))
        facing = Frame{nearestAxis(*front), up};
    return facing;
}

Globals Stance::uprightRest() const {
    Globals rest = motion::globalsOf(source_.skeleton, core::restPose(source_.skeleton));
    const glm::dquat turn = standingTurn(source_.skeleton, source_.roles).value_or(motion::kNoTurn);
    for (glm::dvec3& position : rest.positions)
        position = turn * position;
    for (glm::dquat& rotation : rest.rotations)
        rotation = turn * rotation;
    return rest;
}

/// Leaves out lying poses, because a lying body looks up. Empty if the body lies all the time.
Stance::Chosen Stance::uprightOf(const std::vector<Globals>& poses) const {
    const auto hips = source_.roles.jointOf(Part::hips);
    const auto head = source_.roles.jointOf(Part::head);
    if (!hips || !head || poses.empty())
        return {};
    std::vector<double> lean;
    for (const Globals& pose : poses) {
        const auto back = unit(pose.positions[*head] - pose.positions[*hips]);
        lean.push_back(back ? back->y : 0);
    }
    std::vector<double> sorted = lean;
    std::ranges::sort(sorted);
    constexpr double kAsUpright = 0.85;
    constexpr double kLies = 0.35;  // the cosine of 70 degrees: even bent people lean less for a quarter of the time
    const double usual = sorted[sorted.size() * 3 / 4];
    Chosen upright;
    for (std::size_t i = 0; i < lean.size(); ++i)
        if (usual >= kLies && lean[i] >= kAsUpright * usual)
            upright.push_back(&poses[i]);
    return upright;
}

/// The median direction: the one with the smallest sum of distances to all.
Stance::Mean Stance::meanOf(const std::vector<glm::dvec3>& directions) {
    Mean mean;
    if (directions.empty())
        return mean;
    for (const glm::dvec3& direction : directions)
        mean.direction += direction;
    constexpr int kRounds = 30;
    constexpr double kSame = 0.02;  // radians
    for (int round = 0; round < kRounds && glm::length(mean.direction) > kNothing; ++round) {
        const glm::dvec3 last = glm::normalize(mean.direction);
        mean.direction = glm::dvec3(0);
        for (const glm::dvec3& direction : directions)
            mean.direction += direction / (glm::distance(direction, last) + kSame);
        if (glm::normalize(mean.direction) == last)
            break;  // further rounds change nothing
    }
    if (!(glm::length(mean.direction) > kNothing))
        return {};
    mean.direction = glm::normalize(mean.direction);
    for (const glm::dvec3& direction : directions)
        mean.agreement += glm::dot(direction, mean.direction) / static_cast<double>(directions.size());
    return mean;
}

glm::dquat Stance::turnBetween(const Frame& from, const Frame& to) {
    const auto axes = [](const Frame& frame) {
        const glm::dvec3 second = glm::normalize(core::across(frame.second, frame.first));
        return glm::dmat3(frame.first, second, glm::cross(frame.first, second));
    };
    return glm::normalize(glm::quat_cast(axes(to) * glm::transpose(axes(from))));
}

// ---------------------------------------------------------------------------------------------------------------------
// Head and hips

/// Picks the head's up axis given its left axis. Empty if they disagree.
std::optional<Frame> Stance::lookingAcross(glm::dvec3 left, const glm::dvec3& seemingLeft, const glm::dvec3& up) {
    if (glm::dot(left, seemingLeft) < 0)
        left = -left;
    const double atMost = std::cos(glm::radians(75.0));  // nobody looks farther to a side all the time
    const auto level = unit(core::across(up, left));
    if (!level || glm::dot(left, seemingLeft) < atMost * glm::length(seemingLeft))
        return std::nullopt;
    return Frame{glm::cross(left, *level), *level};
}

/// A rig looks ahead at rest, unless its eyes or the symmetry of its head show another direction.
Frame Stance::faceOfTarget() const {
    const auto head = target_.roles.jointOf(Part::head);
    const auto leftEye = target_.roles.jointOf(Part::eye, Side::left);
    const auto rightEye = target_.roles.jointOf(Part::eye, Side::right);
    std::optional<glm::dvec3> left;
    if (leftEye && rightEye)
        left = unit(rest_.positions[*leftEye] - rest_.positions[*rightEye]);
    if (!left && head)
        if (const auto mirrored = mirrorDirection(target_.surface.of(*head)))
            left = rest_.rotations[*head] * *mirrored;
    if (!left)
        return *facing_;
    const glm::dvec3 ofBody = glm::cross(facing_->second, facing_->first);
    const double straight = std::cos(glm::radians(5.0));
    if (std::abs(glm::dot(*left, ofBody)) > straight)
        return *facing_;
    return lookingAcross(*left, ofBody, facing_->second).value_or(*facing_);
}

/// The direction of a source's bone in its joint's space: to the stated end, or to the only joint below that is an end
/// by its name. Other joints below a head or hand may be hair or weapons.
std::optional<glm::dvec3> Stance::boneEndOf(std::uint32_t joint) const {
    if (const auto& stated = source_.skeleton.joints[joint].end)
        return unit(glm::dvec3(*stated));
    Anatomy named = source_.roles;  // of linked joints
    nameTheRest(source_.skeleton, named);
    std::optional<glm::dvec3> end;
    for (std::uint32_t below = joint + 1; below < source_.skeleton.joints.size(); ++below)
        if (source_.skeleton.joints[below].parent == static_cast<int>(joint)) {
            if (end || named.roles[below].part != Part::end)
                return std::nullopt;
            end = glm::dvec3(source_.skeleton.joints[below].rest.translation);
        }
    return end ? unit(*end) : std::nullopt;
}

/// The direction of the head's bone in its own space, for a body without mesh and real rest pose.
std::optional<glm::dvec3> Stance::crownOf(std::uint32_t head) const {
    if (source_.hasRest || source_.surface.isKnown())
        return std::nullopt;
    return boneEndOf(head);
}

/// Front and up in the head's space. In most upright poses the head faces where the body does. If its mesh is
/// symmetric, the mesh shows the front, even of a head that always looks aside.
std::optional<Stance::Front> Stance::frontOf(std::uint32_t head) const {
    std::vector<glm::dvec3> fronts;
    std::vector<glm::dvec3> ups;
    for (const Globals* pose : uprightNeutral_) {
        const std::optional<Frame> facing = facingOf(*pose, source_.roles);
        const auto front = facing ? unit(core::across(facing->first, kUpwards)) : std::nullopt;
        if (!front)
            continue;
        const glm::dquat toJoint = glm::conjugate(pose->rotations[head]);
        fronts.push_back(toJoint * *front);
        ups.push_back(toJoint * kUpwards);
    }
    const Mean front = meanOf(fronts);
    Mean up = meanOf(ups);
    constexpr double kAgree = 0.5;
    if (up.agreement < kAgree)
        return std::nullopt;
    if (const auto crown = crownOf(head); crown && glm::dot(*crown, up.direction) > kNearCrown)
        up.direction = glm::normalize(up.direction + *crown);
    if (const auto left = mirrorDirection(source_.surface.of(head)))
        if (const auto face = lookingAcross(*left, glm::cross(up.direction, front.direction), up.direction))
            return Front{*face, false};
    if (front.agreement < kAgree)
        return std::nullopt;
    // Up is more certain than front: people nod less than they look around.
    const auto level = unit(core::across(front.direction, up.direction));
    return level ? std::optional(Front{{*level, up.direction}, sourceRest_.empty()}) : std::nullopt;
}

std::optional<motion::FoundStance> Stance::ofHead(std::uint32_t head) const {
    const std::optional<Front> front = frontOf(head);
    return front ? std::optional(
                       motion::FoundStance{turnBetween(front->frame, *face_), motion::RollFrom::face, front->isGuess})
                 : std::nullopt;
}

/// The up direction of a pelvis in the space of the hips, from the quarter of the poses with the straightest back and
/// thighs: a pelvis tilts when the body bends over or sits.
Stance::Mean Stance::upOfPelvis(std::uint32_t hips) const {
    std::vector<std::pair<double, glm::dvec3>> ups;
    for (const Globals* pose : uprightNeutral_) {
        const auto straightness = [&](Part from, Part to, Side side) {
            const auto above = source_.roles.jointOf(from, side);
            const auto below = source_.roles.jointOf(to, side);
            const auto bone = above && below ? unit(pose->positions[*above] - pose->positions[*below]) : std::nullopt;
            return bone ? bone->y : 0;
        };
        const double straight = std::min({straightness(Part::head, Part::hips, Side::middle),
                                          straightness(Part::upperLeg, Part::lowerLeg, Side::left),
                                          straightness(Part::upperLeg, Part::lowerLeg, Side::right)});
        ups.emplace_back(-straight, glm::conjugate(pose->rotations[hips]) * kUpwards);
    }
    std::ranges::stable_sort(ups, {}, &std::pair<double, glm::dvec3>::first);
    std::vector<glm::dvec3> straightest;
    for (std::size_t i = 0; i < (ups.size() + 3) / 4; ++i)
        straightest.push_back(ups[i].second);
    return meanOf(straightest);
}

/// The mean direction from the middle of the thighs to the start of the back, in the space of the hips. None for a body
/// with a mesh.
std::optional<glm::dvec3> Stance::backOfPelvis(std::uint32_t hips) const {
    const auto left = source_.roles.jointOf(Part::upperLeg, Side::left);
    const auto right = source_.roles.jointOf(Part::upperLeg, Side::right);
    if (!left || !right || source_.surface.isKnown())
        return std::nullopt;
    constexpr double kApart = 0.2;  // of the distance between the thighs: a back that begins nearer shows no direction
    for (const std::uint32_t start : source_.roles.jointsOf(Part::spine)) {
        glm::dvec3 back(0);
        const bool isApart = std::ranges::all_of(neutral_, [&](const Globals& pose) {
            const glm::dvec3 way = pose.positions[start] - (pose.positions[*left] + pose.positions[*right]) / 2.0;
            back += glm::conjugate(pose.rotations[hips]) * way;
            return glm::length(way) >= kApart * glm::distance(pose.positions[*left], pose.positions[*right]);
        });
        if (isApart)
            return unit(back);
        if (!isStillOn(start, hips))
            break;  // joints above it move with the back
    }
    return std::nullopt;
}

/// True if a joint hardly rotates relative to another one.
bool Stance::isStillOn(std::uint32_t joint, std::uint32_t other) const {
    constexpr double kStill = 4;  // degrees
    const auto relative = [&](const Globals& pose) {
        return glm::conjugate(pose.rotations[other]) * pose.rotations[joint];
    };
    return std::ranges::all_of(neutral_, [&](const Globals& pose) {
        return core::degreesBetween(relative(neutral_.front()), relative(pose)) < kStill;
    });
}

/// The thighs show left and right of a pelvis. Up is the direction of the back, unless it differs much from up in
/// standing poses.
std::optional<glm::dquat> Stance::ofHips(std::uint32_t hips) const {
    const auto left = source_.roles.jointOf(Part::upperLeg, Side::left);
    const auto right = source_.roles.jointOf(Part::upperLeg, Side::right);
    if (!left || !right)
        return std::nullopt;
    std::vector<glm::dvec3> lefts;
    for (const Globals& pose : neutral_)
        if (const auto across = unit(pose.positions[*left] - pose.positions[*right]))
            lefts.push_back(glm::conjugate(pose.rotations[hips]) * *across);
    Mean up = upOfPelvis(hips);
    const Mean across = meanOf(lefts);
    constexpr double kAgree = 0.5;
    const double near = std::cos(glm::radians(35.0));
    if (const auto back = backOfPelvis(hips); back && uprightNeutral_.empty())
        up = {*back, 1};
    else if (back && glm::dot(*back, up.direction) > near)
        up.direction = *back;
    const auto front = unit(glm::cross(across.direction, up.direction));
    if (up.agreement < kAgree || across.agreement < kAgree || !front)
        return std::nullopt;
    return turnBetween({*front, glm::cross(*front, across.direction)}, *facing_);
}

// ---------------------------------------------------------------------------------------------------------------------
// Chest

/// The mean direction from a chest to the parts above it that exist.
std::optional<glm::dvec3> Stance::backAbove(const Anatomy& roles, const Globals& pose, std::uint32_t chest,
                                            const std::vector<Part>& parts) {
    glm::dvec3 back(0);
    for (const Part part : parts)
        if (const auto above = roles.jointOf(part); above && *above > chest)
            back += unit(pose.positions[*above] - pose.positions[chest]).value_or(glm::dvec3(0));
    return unit(back);
}

/// Shoulders show where a chest faces. Its bone shows the tilt, because the height of shoulders differs between bodies.
std::optional<glm::dquat> Stance::ofChest(std::uint32_t chest) const {
    const std::vector<std::uint32_t> spine = target_.roles.jointsOf(Part::spine);
    const auto ownArm = source_.roles.jointOf(Part::upperArm, Side::left);
    const auto otherArm = source_.roles.jointOf(Part::upperArm, Side::right);
    const auto rigArm = target_.roles.jointOf(Part::upperArm, Side::left);
    const auto rigOther = target_.roles.jointOf(Part::upperArm, Side::right);
    if (source_.roles.jointsOf(Part::spine).back() != chest || spine.empty() || !ownArm || !otherArm || !rigArm ||
        !rigOther)
        return std::nullopt;
    // The head of a body without a neck joint may be right above the chest's end, or as far ahead of it as the rig's.
    const std::vector<Part> next =
        source_.roles.jointOf(Part::neck) ? std::vector{Part::neck} : std::vector{Part::neck, Part::head};
    glm::dvec3 back(0);
    glm::dvec3 shoulders(0);
    for (const Globals& pose : neutral_) {
        const glm::dquat toChest = glm::conjugate(pose.rotations[chest]);
        back += toChest * backAbove(source_.roles, pose, chest, next).value_or(glm::dvec3(0));
        shoulders += toChest * (pose.positions[*ownArm] - pose.positions[*otherArm]);
    }
    const auto rigBack = backAbove(target_.roles, rest_, spine.back(), next);
    const glm::dvec3 rigShoulders = rest_.positions[*rigArm] - rest_.positions[*rigOther];
    constexpr double kAcross = 0.2;
    const auto isAcross = [](const glm::dvec3& way, const glm::dvec3& up) {
        return glm::length(glm::cross(way, up)) > kAcross * glm::length(way);
    };
    const auto along = unit(back);
    if (!along || !rigBack || !isAcross(shoulders, *along) || !isAcross(rigShoulders, *rigBack))
        return std::nullopt;
    return turnBetween({*along, shoulders}, {*rigBack, rigShoulders});
}

// ---------------------------------------------------------------------------------------------------------------------
// Arms

/// The rotation that raises an arm of a standing body to the side, as in a T-pose.
std::optional<glm::dquat> Stance::liftOfArm(const Globals& rest, const Anatomy& roles, Side side, const Frame& facing) {
    const auto shoulder = roles.jointOf(Part::upperArm, side);
    const auto elbow = roles.jointOf(Part::lowerArm, side);
    const auto arm = shoulder && elbow ? unit(rest.positions[*elbow] - rest.positions[*shoulder]) : std::nullopt;
    const glm::dvec3 left = glm::cross(facing.second, facing.first);
    return arm ? std::optional(smallestTurn(*arm, side == Side::left ? left : -left)) : std::nullopt;
}

/// Arms that are raised to the side have the same roll in all bodies, whatever the rest pose and the collar bones.
std::optional<glm::dquat> Stance::ofArm(std::uint32_t arm, Side side) const {
    if (sourceRest_.empty())
        return std::nullopt;
    const Globals& own = sourceRest_.front();
    const std::optional<Frame> facing = restingFrame(own, source_.roles);
    const auto lift = facing ? liftOfArm(own, source_.roles, side, *facing) : std::nullopt;
    const auto wanted = liftOfArm(rest_, target_.roles, side, *facing_);
    if (!lift || !wanted)
        return std::nullopt;
    return glm::normalize(glm::conjugate(*wanted) * turnBetween(*facing, *facing_) * *lift * own.rotations[arm]);
}

// ---------------------------------------------------------------------------------------------------------------------
// Feet

double Stance::lowestOf(std::uint32_t joint, const Globals& pose) const {
    double lowest = pose.positions[joint].y;
    for (const glm::vec3& point : source_.surface.of(joint))
        lowest = std::min(lowest, placeOf(pose, joint, point).y);
    return lowest;
}

/// The up direction in the space of a standing foot.
std::optional<glm::dvec3> Stance::soleOf(std::uint32_t foot) const {
    // Without a mesh, an ankle rises when the foot rolls, and is low when the body lies.
    const bool hasMesh = !source_.surface.of(foot).empty();
    Chosen poses;
    for (const Globals& pose : neutral_)
        if (hasMesh || std::ranges::find(uprightNeutral_, &pose) != uprightNeutral_.end())
            poses.push_back(&pose);
    std::vector<double> low;
    for (const Globals* pose : poses)
        low.push_back(lowestOf(foot, *pose));
    if (low.empty())
        return std::nullopt;
    std::vector<double> sorted = low;
    std::ranges::sort(sorted);
    const double stands = hasMesh ? 0.04 : 0.015;  // of the height: a foot stands up to this far above its usual place
    const double ground = sorted[sorted.size() / (hasMesh ? 10 : 20)];
    std::vector<glm::dvec3> ups;
    for (std::size_t i = 0; i < low.size(); ++i)
        if (low[i] <= ground + stands * height_)
            ups.push_back(glm::conjugate(poses[i]->rotations[foot]) * kUpwards);
    const Mean up = meanOf(ups);
    constexpr double kAgree = 0.8;
    return up.agreement > kAgree ? std::optional(up.direction) : std::nullopt;
}

/// False if the rig stands on one leg at rest, as a frame of a motion may.
bool Stance::targetStands() const {
    const auto at = [&](Part part, Side side) -> std::optional<glm::dvec3> {
        const auto joint = target_.roles.jointOf(part, side);
        return joint ? std::optional(rest_.positions[*joint]) : std::nullopt;
    };
    const auto left = at(Part::foot, Side::left);
    const auto right = at(Part::foot, Side::right);
    const auto knee = at(Part::lowerLeg, Side::left);
    if (!left || !right || !knee)
        return false;
    const glm::dvec3& up = facing_->second;
    constexpr double kLevel = 0.15;  // of a shin
    if (std::abs(glm::dot(*left - *right, up)) > kLevel * glm::distance(*knee, *left))
        return false;
    const auto leftToes = at(Part::toes, Side::left);
    const auto rightToes = at(Part::toes, Side::right);
    if (!leftToes || !rightToes)
        return true;
    const auto leftFoot = unit(*leftToes - *left);
    const auto rightFoot = unit(*rightToes - *right);
    constexpr double kAlike = 0.2;  // of the sine of a slope: 12 degrees
    return leftFoot && rightFoot && std::abs(glm::dot(*leftFoot - *rightFoot, up)) < kAlike;
}

/// True for an upright shin in a rest pose: below a tilted shin the sole is not level.
bool Stance::restsOnSole(std::uint32_t foot, Side side) const {
    const auto knee = source_.roles.jointOf(Part::lowerLeg, side);
    const auto shin = knee && !sourceRest_.empty()
                          ? unit(sourceRest_.front().positions[*knee] - sourceRest_.front().positions[foot])
                          : std::nullopt;
    return shin && shin->y > std::cos(glm::radians(10.0));
}

/// The direction of a foot in its own space: to the toes, else to its end. Without them, a foot at rest points ahead.
std::optional<glm::dvec3> Stance::alongFoot(std::uint32_t foot, Side side) const {
    const auto toes = source_.roles.jointOf(Part::toes, side);
    const auto bone = toes && source_.skeleton.parentOf(*toes) == foot
                          ? std::optional(glm::dvec3(source_.skeleton.joints[*toes].rest.translation))
                          : endOf(source_.skeleton, foot);
    if ((bone && glm::length(*bone) > kNothing) || sourceRest_.empty())
        return bone;
    const Globals& own = sourceRest_.front();
    const std::optional<Frame> facing = restingFrame(own, source_.roles);
    return facing ? std::optional(glm::conjugate(own.rotations[foot]) * facing->first) : std::nullopt;
}

/// In a standing rest pose, a foot points horizontally along its bone, and its sole is level. In motion and with spread
/// legs, soles roll: then the bone shows the heading, the roll is found separately, and only the slope is corrected.
std::optional<glm::dquat> Stance::ofFoot(std::uint32_t foot, Side side, const glm::dquat& turned) const {
    const std::optional<glm::dvec3> sole = soleOf(foot);
    if (!sole || !targetStands())
        return std::nullopt;
    const glm::dvec3& up = facing_->second;
    const auto own = source_.roles.jointOf(Part::toes, side);
    const std::optional<glm::dvec3> bone = alongFoot(foot, side);
    const auto toes = target_.roles.jointOf(Part::toes, side);
    const auto ankle = target_.roles.jointOf(Part::foot, side);
    glm::dvec3 stands = turned * *sole;
    if (bone && toes && ankle) {
        const glm::dvec3 points = core::across(*bone, *sole);
        const glm::dvec3 wanted = core::across(rest_.positions[*toes] - rest_.positions[*ankle], up);
        constexpr double kLevel = 0.3;
        const bool isLevel = glm::length(points) > kLevel * glm::length(*bone) && glm::length(wanted) > kNothing;
        if (isLevel && restsOnSole(foot, side))
            return turnBetween({*sole, points}, {up, wanted});
        if (const auto aside = unit(glm::cross(up, wanted)); own && aside)
            stands = unit(core::across(stands, *aside)).value_or(stands);
    }
    return glm::normalize(smallestTurn(stands, up) * turned);
}

// ---------------------------------------------------------------------------------------------------------------------
// Hands

/// The direction of a hand in its own space: to the root of its middle finger, else to the tip of its mesh if that is
/// near the line of the forearm, else along the forearm, as most hands are held.
std::optional<glm::dvec3> Stance::alongHand(std::uint32_t hand, Side side) const {
    if (const auto finger = source_.roles.jointOf(Part::middle, side);
        finger && source_.skeleton.isBelow(*finger, hand)) {
        const Globals& any = neutral_.front();  // the finger may hang on a bone of the palm
        return unit(glm::conjugate(any.rotations[hand]) * (any.positions[*finger] - any.positions[hand]));
    }
    std::optional<glm::dvec3> tip = tipOf(source_.surface.of(hand));
    const bool isBone = !tip;
    if (isBone)
        tip = boneEndOf(hand);
    const auto elbow = source_.roles.jointOf(Part::lowerArm, side);
    if (!elbow)
        return tip;
    std::vector<glm::dvec3> onwards;
    for (const Globals& pose : neutral_)
        if (const auto forearm = unit(pose.positions[hand] - pose.positions[*elbow]))
            onwards.push_back(glm::conjugate(pose.rotations[hand]) * *forearm);
    const Mean mean = meanOf(onwards);
    constexpr double kAgree = 0.7;
    if (mean.agreement > kAgree && !(tip && glm::dot(*tip, mean.direction) > (isBone ? kHeldBent : kAside)))
        return mean.direction;
    return tip;
}

/// The direction of the palm in the hand's space, by the bending direction of the elbow: forearms are turned inwards as
/// often as outwards.
Stance::Mean Stance::palmByElbow(std::uint32_t hand, Side side) const {
    const auto shoulder = source_.roles.jointOf(Part::upperArm, side);
    const auto elbow = source_.roles.jointOf(Part::lowerArm, side);
    if (!shoulder || !elbow)
        return {};
    constexpr double kBends = 0.25;  // 15 degrees
    std::vector<glm::dvec3> palms;
    for (const Globals* pose : upright_) {
        const auto arm = unit(pose->positions[*elbow] - pose->positions[*shoulder]);
        const auto forearm = unit(pose->positions[hand] - pose->positions[*elbow]);
        const glm::dvec3 hinge = arm && forearm ? glm::cross(*arm, *forearm) : glm::dvec3(0);
        if (glm::length(hinge) > kBends)
            palms.push_back(glm::conjugate(pose->rotations[hand]) *
                            glm::normalize(side == Side::left ? hinge : -hinge));
    }
    return 4 * palms.size() > upright_.size() ? meanOf(palms) : Mean{};
}

/// The direction of the palm in the hand's space, by the knuckles. Without fingers and a mesh, the elbow shows it; else
/// palms of hanging arms face the other thigh.
std::optional<Stance::Palm> Stance::palmOf(std::uint32_t hand, Side side, const glm::dvec3& along) const {
    const Globals& any = neutral_.front();  // knuckles keep their places in the hand
    if (const auto palm = palmByKnuckles(any, source_.roles, side, any.rotations[hand] * along))
        return Palm{glm::conjugate(any.rotations[hand]) * *palm, false};
    const Side other = side == Side::left ? Side::right : Side::left;
    const auto elbow = source_.roles.jointOf(Part::lowerArm, side);
    const auto thigh = source_.roles.jointOf(Part::upperLeg, side);
    const auto otherThigh = source_.roles.jointOf(Part::upperLeg, other);
    const auto hips = source_.roles.jointOf(Part::hips);
    const auto head = source_.roles.jointOf(Part::head);
    if (!elbow || !thigh || !otherThigh || !hips || !head)
        return std::nullopt;
    std::vector<glm::dvec3> inwards;
    const double hangs = std::cos(glm::radians(30.0));
    constexpr double kUpright = 0.5;  // a crawling body leans on its palms
    for (const Globals* pose : upright_) {
        const auto back = unit(pose->positions[*head] - pose->positions[*hips]);
        if (!back || back->y < kUpright)
            continue;
        const auto forearm = unit(pose->positions[hand] - pose->positions[*elbow]);
        const auto inward = unit(pose->positions[*otherThigh] - pose->positions[*thigh]);
        if (!forearm || !inward || -forearm->y < hangs)
            continue;
        if (const auto palm = unit(core::across(glm::conjugate(pose->rotations[hand]) * *inward, along)))
            inwards.push_back(*palm);
    }
    constexpr double kAgree = 0.7;
    Mean mean = source_.surface.isKnown() ? Mean{} : palmByElbow(hand, side);
    if (mean.agreement <= kAgree)
        mean = meanOf(inwards);
    const auto palm = mean.agreement > kAgree ? unit(core::across(mean.direction, along)) : std::nullopt;
    return palm ? std::optional(Palm{*palm, true}) : std::nullopt;
}

/// The direction of a rig's hand in model space. At rest, hands of rigs are straight, and their fingers may begin
/// beside the forearm's line.
std::optional<glm::dvec3> Stance::alongTarget(Side side, PointsBy by) const {
    const auto hand = target_.roles.jointOf(Part::hand, side);
    const auto elbow = target_.roles.jointOf(Part::lowerArm, side);
    if (!hand || !elbow)
        return std::nullopt;
    std::optional<glm::dvec3> tip;
    for (const Part part : {Part::index, Part::ring, Part::middle})
        if (const auto finger = target_.roles.jointOf(part, side))
            tip = unit(rest_.positions[*finger] - rest_.positions[*hand]);
    if (tip && by == PointsBy::fingers)
        return tip;
    if (const auto reach = tipOf(target_.surface.of(*hand)); reach && !tip)
        tip = rest_.rotations[*hand] * *reach;
    const auto forearm = unit(rest_.positions[*hand] - rest_.positions[*elbow]);
    return forearm && tip && glm::dot(*forearm, *tip) < kAside ? tip : forearm;
}

/// The directions of a hand and its palm, in its own space, for a standing rest pose. The hand continues the forearm,
/// and the thumb points to the front as far as the arm allows, unless fingers show otherwise.
std::optional<Frame> Stance::restingHand(std::uint32_t hand, Side side, const glm::dvec3& seen) const {
    if (sourceRest_.empty())
        return std::nullopt;
    const Globals& own = sourceRest_.front();
    const auto elbow = source_.roles.jointOf(Part::lowerArm, side);
    const std::optional<Frame> facing = restingFrame(own, source_.roles);
    const auto forearm = elbow ? unit(own.positions[hand] - own.positions[*elbow]) : std::nullopt;
    if (!facing || !forearm)
        return std::nullopt;
    const glm::dvec3 tip = own.rotations[hand] * seen;
    const glm::dvec3 along = glm::dot(tip, *forearm) > kAside ? *forearm : tip;
    const auto palm = palmAtRest(own, source_.roles, side, along, facing->first);
    const glm::dquat toHand = glm::conjugate(own.rotations[hand]);
    return palm ? std::optional(Frame{toHand * along, toHand * *palm}) : std::nullopt;
}

/// If a hand has several bones, such as fingers, they determine its rotation, unless knuckles show the palm. The
/// knuckles take precedence because thumbs may begin anywhere.
std::optional<motion::FoundStance> Stance::ofHand(const motion::TurnedBone& bone, Side side) const {
    const std::uint32_t hand = bone.joint;
    const auto along = alongHand(hand, side);
    const bool showsFinger = sourceRest_.empty() && source_.roles.jointOf(Part::middle, side);
    const auto wanted = alongTarget(side, showsFinger ? PointsBy::fingers : PointsBy::forearm);
    if (!along || !wanted)
        return std::nullopt;
    const auto as = [](const glm::dquat& rotation, bool isGuess) {
        return motion::FoundStance{rotation, motion::RollFrom::palm, isGuess};
    };
    const std::optional<Palm> palm = palmOf(hand, side, *along);
    if (!bone.isOpen && !(palm && !palm->isGuess))
        return std::nullopt;
    const auto wantedPalm = palmAtRest(rest_, target_.roles, side, *wanted, facing_->first);
    const std::optional<Frame> resting = restingHand(hand, side, *along);
    constexpr double kAlike = 0.7;  // palms may face ahead at rest, as hanging arms show
    if (resting && wantedPalm && (!palm || glm::dot(palm->direction, resting->second) > kAlike))
        return as(turnBetween(*resting, {*wanted, *wantedPalm}), false);
    if (palm && wantedPalm)
        return as(turnBetween({*along, palm->direction}, {*wanted, *wantedPalm}), palm->isGuess);
    const glm::dquat turned = glm::normalize(smallestTurn(bone.rotation * *along, *wanted) * bone.rotation);
    return motion::FoundStance{turned, motion::RollFrom::mean, true};
}

std::optional<motion::FoundStance> Stance::of(const motion::TurnedBone& bone) const {
    using motion::RollFrom;
    const Role& role = source_.roles.roles[bone.joint];
    if (!facing_ || neutral_.empty())
        return std::nullopt;
    const auto found = [](const std::optional<glm::dquat>& rotation, RollFrom from, bool isGuess = false) {
        return rotation ? std::optional(motion::FoundStance{*rotation, from, isGuess}) : std::nullopt;
    };
    switch (role.part) {
        case Part::head:
            return ofHead(bone.joint);
        case Part::foot:
            return found(ofFoot(bone.joint, role.side, bone.rotation), RollFrom::sole,
                         sourceRest_.empty() && source_.surface.of(bone.joint).empty());
        case Part::hand:
            return ofHand(bone, role.side);
        case Part::upperArm:
            return found(ofArm(bone.joint, role.side), RollFrom::rest);
        case Part::hips:  // the thighs are below the hips of some bodies and beside those of others
            return found(ofHips(bone.joint), RollFrom::back);
        case Part::spine:
            return found(ofChest(bone.joint), RollFrom::back);
        default:
            return std::nullopt;
    }
}

}  // namespace reanima::roles
