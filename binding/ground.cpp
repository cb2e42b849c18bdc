#include "binding/ground.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include <glm/gtc/matrix_inverse.hpp>
#include <glm/gtc/quaternion.hpp>

#include "binding/roles/body.h"
#include "binding/roles/name_anatomy.h"

namespace reanima::binding {

namespace {

using core::Clip;
using core::Pose;
using core::Skeleton;

/// The value below which the given share of all values lies.
double quantile(std::vector<double> values, double share) {
    if (values.empty())
        return 0;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// Rises smoothly from 0 to 1 between two bounds.
double smoothly(double value, double from, double to) {
    const double t = std::clamp((value - from) / (to - from), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

/// Adds heights to the motion of a joint whose ancestors do not move.
void lift(core::JointTrack& track, const Skeleton& skeleton, const std::vector<double>& heights, Clip& clip) {
    const std::optional<std::uint32_t> parent = skeleton.parentOf(track.joint);
    glm::dvec3 up(0, 1, 0);
    if (parent)
        up = glm::inverse(glm::dmat3(core::globalMatrices(skeleton, core::restPose(skeleton))[*parent])) * up;
    const glm::vec3 rest = skeleton.joints[track.joint].rest.translation;
    core::Channel<glm::vec3>& channel = track.translation;
    const auto [least, most] = std::ranges::minmax(heights);
    constexpr double kSame = 1e-5;  // metres
    if (most - least < kSame) {
        if (!channel.isPresent())
            channel.values.push_back(rest);
        for (glm::vec3& value : channel.values)
            value += glm::vec3(least * up);
        return;
    }
    std::vector<float> times = core::frameTimes(heights.size(), clip.rate);
    if (channel.isAnimated()) {
        std::vector<float> both;
        std::ranges::set_union(times, clip.timelines[channel.timeline], std::back_inserter(both));
        times = std::move(both);
    }
    core::Channel<glm::vec3> lifted;
    lifted.interpolation = channel.isAnimated() ? channel.interpolation : core::Interpolation::linear;
    for (const float time : times) {
        const double frame =
            std::clamp(static_cast<double>(time) * clip.rate, 0.0, static_cast<double>(heights.size() - 1));
        const auto before = static_cast<std::size_t>(frame);
        const std::size_t after = std::min(before + 1, heights.size() - 1);
        const double height = std::lerp(heights[before], heights[after], frame - static_cast<double>(before));
        lifted.values.push_back(core::sampleChannel(clip, channel, static_cast<double>(time), rest) +
                                glm::vec3(height * up));
    }
    lifted.timeline = core::timelineOf(clip, std::move(times));
    channel = std::move(lifted);
}

}  // namespace

LowestPoint::LowestPoint(const Skeleton& skeleton, core::BodySurface surface)
    : skeleton_(&skeleton),
      surface_(std::move(surface)),
      balls_(surface_.points.size()),
      joints_(skeleton.joints.size()) {
    for (std::uint32_t joint = 0; joint < surface_.points.size(); ++joint) {
        const std::vector<glm::vec3>& points = surface_.points[joint];
        if (points.empty())
            continue;
        Ball& ball = balls_[joint];
        for (const glm::vec3& point : points)
            ball.centre += glm::dvec3(point) / static_cast<double>(points.size());
        for (const glm::vec3& point : points)
            ball.radius = std::max(ball.radius, glm::distance(ball.centre, glm::dvec3(point)));
        joints_[joint] = true;
        for (const std::uint32_t above : skeleton.ancestors(joint))
            joints_[above] = true;
    }
}

/// Computes only the second row of each joint's matrix. A row r times T R S is (R^-1 r) S, and r T in the last column.
LowestPoint::Heights LowestPoint::heightsOf(const Pose& pose) const {
    Heights heights(pose.size());
    for (std::size_t joint = 0; joint < pose.size(); ++joint) {
        if (!joints_[joint])
            continue;
        const int parent = skeleton_->joints[joint].parent;
        const glm::dvec4 above =
            parent == core::kNoParent ? glm::dvec4(0, 1, 0, 0) : heights[static_cast<std::size_t>(parent)];
        const glm::dvec3 row(above);
        const core::Transform& local = pose[joint];
        heights[joint] = glm::dvec4((glm::conjugate(glm::dquat(local.rotation)) * row) * glm::dvec3(local.scale),
                                    glm::dot(row, glm::dvec3(local.translation)) + above.w);
    }
    return heights;
}

/// For the sign 1, the height of the highest point; for -1, the depth of the lowest. Bounding spheres exclude most
/// joints early.
double LowestPoint::farthest(const Heights& heights, double sign) const {
    double most = -std::numeric_limits<double>::infinity();
    const auto reach = [&](std::size_t joint) {
        const glm::dvec3 row(heights[joint]);
        return sign * (glm::dot(row, balls_[joint].centre) + heights[joint].w) +
               glm::length(row) * balls_[joint].radius;
    };
    const auto look = [&](std::size_t joint) {
        const glm::dvec3 row(heights[joint]);
        for (const glm::vec3& point : surface_.points[joint])
            most = std::max(most, sign * (glm::dot(row, glm::dvec3(point)) + heights[joint].w));
    };
    std::size_t first = 0;
    double best = most;
    for (std::size_t joint = 0; joint < surface_.points.size(); ++joint)
        if (const double far = reach(joint); !surface_.points[joint].empty() && far > best) {
            best = far;
            first = joint;
        }
    for (std::size_t i = 0; i < surface_.points.size(); ++i) {
        const std::size_t joint = (first + i) % surface_.points.size();
        if (!surface_.points[joint].empty() && reach(joint) > most)
            look(joint);
    }
    return sign * most;
}

double LowestPoint::of(const Pose& pose) const { return farthest(heightsOf(pose), -1); }

std::optional<double> LowestPoint::below(std::uint32_t joint, const Pose& pose) const {
    const Heights heights = heightsOf(pose);
    std::optional<double> lowest;
    for (std::uint32_t each = 0; each < surface_.points.size(); ++each) {
        if (surface_.points[each].empty() || (each != joint && !skeleton_->isBelow(each, joint)))
            continue;
        for (const glm::vec3& point : surface_.points[each]) {
            const double height = glm::dot(glm::dvec3(heights[each]), glm::dvec3(point)) + heights[each].w;
            lowest = std::min(lowest.value_or(height), height);
        }
    }
    return lowest;
}

LowestPoint::Extent LowestPoint::extentOf(const Pose& pose) const {
    const Heights heights = heightsOf(pose);
    const double lowest = farthest(heights, -1);
    return {lowest, std::max(farthest(heights, 1) - lowest, 0.0)};
}

namespace {

/// The rest pose, rotated upright if it is lying.
Pose uprightRest(const GroundBody& body) {
    Pose rest = core::restPose(body.skeleton);
    const glm::dquat turn = roles::standingTurn(body.skeleton, body.roles).value_or(motion::kNoTurn);
    for (std::uint32_t joint = 0; joint < rest.size(); ++joint)
        if (!body.skeleton.parentOf(joint)) {
            rest[joint].translation = glm::vec3(turn * glm::dvec3(rest[joint].translation));
            rest[joint].rotation = glm::quat(turn * glm::dquat(rest[joint].rotation));
        }
    return rest;
}

}  // namespace

namespace {

/// Heel, middle and tip of a sole, relative to the point below the ankle. The length of a foot with its shoe is a
/// quarter of the body's height from the ankles to the head. Three quarters of this length are ahead of the ankle.
std::vector<glm::dvec3> soleUnder(double height, const std::vector<glm::dmat4>& rest, const roles::Anatomy& body) {
    constexpr double kHeel = 0.06;
    constexpr double kTip = 0.18;
    const auto left = body.jointOf(roles::Part::upperLeg, roles::Side::left);
    const auto right = body.jointOf(roles::Part::upperLeg, roles::Side::right);
    glm::dvec3 ahead(0);
    if (left && right && !body.jointOf(roles::Part::toes, roles::Side::left))
        ahead = glm::cross(glm::dvec3(rest[*left][3] - rest[*right][3]), roles::kUpwards);
    ahead.y = 0;
    const double length = glm::length(ahead);
    if (!(length > 0))
        return {glm::dvec3(0)};
    ahead *= height / length;
    return {-kHeel * ahead, glm::dvec3(0), kTip * ahead};
}

}  // namespace

core::BodySurface surfaceOfJoints(const GroundBody& body, std::optional<double> ankleHeight) {
    const Skeleton& skeleton = body.skeleton;
    const std::vector<roles::Role>& roles = body.roles.roles;
    core::BodySurface surface;
    surface.points.resize(skeleton.joints.size());
    const std::vector<glm::dmat4> rest = core::globalMatrices(skeleton, uprightRest(body));
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -lowest;
    for (std::uint32_t joint = 0; joint < rest.size(); ++joint) {
        if (!roles::isBody(roles[joint].part))
            continue;
        surface.points[joint].emplace_back(0);
        if (skeleton.joints[joint].end)
            surface.points[joint].push_back(*skeleton.joints[joint].end);
        lowest = std::min(lowest, rest[joint][3].y);
        highest = std::max(highest, rest[joint][3].y);
    }
    constexpr double kSole = 0.1;  // of the height; ankles are lower
    const bool standsAtZero = lowest > 0 && lowest < kSole * (highest - lowest) && body.hasOwnRest;
    const double floor = ankleHeight ? lowest - *ankleHeight : standsAtZero ? 0 : lowest;
    const std::vector<glm::dvec3> sole =
        ankleHeight ? soleUnder(highest - lowest, rest, body.roles) : std::vector<glm::dvec3>{glm::dvec3(0)};
    for (std::uint32_t joint = 0; joint < rest.size(); ++joint)
        if (const roles::Part part = roles[joint].part;
            body.hasOwnRest && (part == roles::Part::foot || part == roles::Part::toes))
            for (const glm::dvec3& point : sole) {
                const glm::dvec4 below(rest[joint][3].x + point.x, floor, rest[joint][3].z + point.z, 1);
                surface.points[joint].emplace_back(glm::dvec3(glm::affineInverse(rest[joint]) * below));
            }
    constexpr double kCrown = 0.2;  // of the same height: top of the hair above the head joint
    if (const auto head = body.roles.jointOf(roles::Part::head); head && ankleHeight) {
        const glm::dvec4 crown = rest[*head][3] + glm::dvec4(kCrown * (highest - lowest) * roles::kUpwards, 0);
        surface.points[*head].emplace_back(glm::dvec3(glm::affineInverse(rest[*head]) * crown));
    }
    return surface;
}

namespace {

/// The owner of a joint's mesh.
enum class Carries : std::uint8_t { neither, body, held };

/// Extra fingers, and fingers at an unusual place, have no role. Their names show that they are fingers.
bool isCalledFinger(std::string_view name) {
    constexpr std::array<std::string_view, 4> kBare = {"finger", "mid", "middle", "ring"};
    const roles::Words words = roles::wordsOfName(name);
    const std::optional<roles::Role> role = roles::roleOfWords(words);
    return (role && roles::isFinger(role->part)) || std::ranges::find(kBare, words.key) != kBare.end();
}

/// Descendants of the body belong to it. Weapons, and joints below a hand that are not fingers, are held objects with
/// separate meshes, whatever their names.
std::vector<Carries> carriedBy(const GroundBody& body) {
    const std::vector<roles::Role>& roles = body.roles.roles;
    std::vector<bool> leadsToBody(roles.size());
    for (std::uint32_t joint = static_cast<std::uint32_t>(roles.size()); joint-- > 0;) {
        leadsToBody[joint] = leadsToBody[joint] || roles::isBody(roles[joint].part);
        if (const auto parent = body.skeleton.parentOf(joint); parent && leadsToBody[joint])
            leadsToBody[*parent] = true;
    }
    std::vector<Carries> carries(roles.size(), Carries::neither);
    for (std::uint32_t joint = 0; joint < roles.size(); ++joint) {
        const std::optional<std::uint32_t> parent = body.skeleton.parentOf(joint);
        const roles::Part part = roles[joint].part;
        const bool isUnknown = (part == roles::Part::none || part == roles::Part::helper) && !leadsToBody[joint] &&
                               !isCalledFinger(body.skeleton.joints[joint].name);
        if (roles::isBody(part))
            carries[joint] = Carries::body;
        else if (parent && carries[*parent] != Carries::neither)
            carries[joint] = part == roles::Part::weapon || (isUnknown && roles[*parent].part == roles::Part::hand)
                                 ? Carries::held
                                 : carries[*parent];
    }
    return carries;
}

/// The mesh of the body or of the objects that it holds; empty if there is none.
core::BodySurface meshOf(const GroundBody& body, Carries which) {
    core::BodySurface own = body.surface;
    const std::vector<Carries> carries = carriedBy(body);
    bool isKnown = false;
    for (std::uint32_t joint = 0; joint < own.points.size(); ++joint) {
        if (carries[joint] != which)
            own.points[joint].clear();
        isKnown = isKnown || !own.points[joint].empty();
    }
    return isKnown ? own.outermost() : core::BodySurface();
}

/// True if a skeleton has no mesh and its hips rest at the origin, as in captures (.bvh). Its rest pose does not show
/// the floor, and the floor of its motion is at 0.
bool restsAtItsHips(const GroundBody& body, double near) {
    const auto hips = body.roles.jointOf(roles::Part::hips);
    return hips && !meshOf(body, Carries::body).isKnown() &&
           std::abs(core::globalMatrices(body.skeleton, uprightRest(body))[*hips][3].y) < near;
}

}  // namespace

Ground::Ground(const GroundBody& source, const std::vector<Pose>& poses, const GroundBody& target, double scale)
    : sourceSkeleton_(source.skeleton),
      targetSkeleton_(target.skeleton),
      poses_(poses),
      source_(source.skeleton, meshOf(source, Carries::body)),
      target_(target.skeleton, meshOf(target, Carries::body)),
      held_(target.skeleton, meshOf(target, Carries::held)),
      knowsSource_(source_.isKnown()),
      knowsMeshes_(knowsSource_ && target_.isKnown()) {
    if (!knowsSource_)
        source_ = LowestPoint(source.skeleton, surfaceOfJoints(source));
    if (!target_.isKnown())
        target_ = LowestPoint(target.skeleton, surfaceOfJoints(target));
    std::vector<double> heights;
    for (const Pose& pose : poses_) {
        const LowestPoint::Extent extent = source_.extentOf(pose);
        lowest_.push_back(extent.lowest);
        heights.push_back(extent.height);
    }
    sourceHeight_ = quantile(heights, 0.75);  // the upright height, even if the body lies in some clips
    // A character may hover over its ground or jump, but is hardly ever below it.
    constexpr double kBelow = 0.05;
    const double standing = quantile(lowest_, 0.1);
    level_ = !knowsSource_ || standing < -kBelow * sourceHeight_ ? standing : 0;
    const Pose rest = uprightRest(target);
    const LowestPoint::Extent extent = target_.extentOf(rest);
    targetHeight_ = extent.height;
    constexpr double kElsewhere = 0.1;  // of the height: if the lowest point is nearer to 0, the floor is at 0
    floor_ = extent.lowest;
    if (std::abs(floor_) < kElsewhere * targetHeight_ || restsAtItsHips(target, kElsewhere * targetHeight_))
        floor_ = 0;
    if (targetHeight_ > 0 && sourceHeight_ > 0)
        legs_ = scale * sourceHeight_ / targetHeight_;
}

/// Converts a height to a height above the ground, as a share of the body's height.
double Ground::aboveGround(double lowest) const { return sourceHeight_ > 0 ? (lowest - level_) / sourceHeight_ : 0; }

/// The height that the target's lowest point should have, given the height of the source's. Near the ground it is
/// scaled by the heights of both bodies, so that contacts stay; jumps are scaled by the legs.
double Ground::wantedFor(double lowest) const {
    constexpr double kNear = 0.03;  // of the height
    constexpr double kFar = 0.1;
    const double above = aboveGround(lowest);
    return floor_ + targetHeight_ * above * std::lerp(1.0, legs_, smoothly(std::abs(above), kNear, kFar));
}

double Ground::lowestAt(const Skeleton& skeleton, const Clip& bound, double time) const {
    std::vector<bool> wanted = target_.joints();
    for (std::size_t joint = 0; joint < held_.joints().size() && held_.isKnown(); ++joint)
        wanted[joint] = wanted[joint] || held_.joints()[joint];
    wanted.resize(skeleton.joints.size());
    return lowestOnRig(core::samplePose(skeleton, bound, time, wanted));
}

/// A sword that just grazes the floor lifts its holder a little. If a sword would lift the feet off the ground, it
/// sinks into the floor instead.
double Ground::lowestOnRig(Pose pose) const {
    pose.resize(targetSkeleton_.joints.size());
    const double body = target_.of(pose);
    if (!held_.isKnown() || !(targetHeight_ > 0))
        return body;
    constexpr double kGrazes = 0.015;  // of the height
    constexpr double kThrough = 0.04;
    const double deeper = std::max(body - held_.of(pose), 0.0);
    return body - deeper * (1 - smoothly(deeper / targetHeight_, kGrazes, kThrough));
}

std::vector<Pose> Ground::standingPoses() const {
    constexpr double kStands = 0.02;
    constexpr std::size_t kEnough = 100;
    std::vector<const Pose*> standing;
    for (std::size_t i = 0; i < poses_.size(); ++i)
        if (std::abs(aboveGround(lowest_[i])) <= kStands)
            standing.push_back(&poses_[i]);
    std::vector<Pose> chosen;
    for (std::size_t i = 0; i < std::min(kEnough, standing.size()); ++i)
        chosen.push_back(*standing[i * standing.size() / std::min(kEnough, standing.size())]);
    return chosen;
}

std::optional<double> Ground::liftOf(const std::vector<Pose>& bound) const {
    std::vector<double> lifts;
    lifts.reserve(bound.size());
    for (const Pose& pose : bound)
        lifts.push_back(floor_ - target_.of(pose));
    return lifts.empty() || !target_.isKnown() ? std::nullopt : std::optional(quantile(lifts, 0.5));
}

void Ground::stand(const Clip& source, const Skeleton& skeleton, Clip& bound) const {
    std::vector<double> heights;
    for (std::uint32_t frame = 0; frame < std::max(source.frames, 1U); ++frame) {
        const auto time = static_cast<double>(core::frameTime(frame, source.rate));
        const Pose pose = core::samplePose(sourceSkeleton_, source, time, source_.joints());
        heights.push_back(wantedFor(source_.of(pose)) - lowestAt(skeleton, bound, time));
    }
    std::vector<bool> isMoved(skeleton.joints.size());
    for (core::JointTrack& track : bound.tracks) {
        isMoved[track.joint] = true;
        if (std::ranges::none_of(skeleton.ancestors(track.joint), [&](std::uint32_t above) { return isMoved[above]; }))
            lift(track, skeleton, heights, bound);
    }
}

std::optional<double> Ground::liftOfFoot(std::uint32_t sourceAnkle, const Pose& source, std::uint32_t ankle,
                                         const Pose& bound) const {
    Pose onRig = bound;
    onRig.resize(targetSkeleton_.joints.size());
    const std::optional<double> wanted = knowsMeshes_ ? source_.below(sourceAnkle, source) : std::nullopt;
    const std::optional<double> lowest = target_.below(ankle, onRig);
    return wanted && lowest ? std::optional(wantedFor(*wanted) - *lowest) : std::nullopt;
}

std::optional<double> Ground::standingHeight(const Pose& source) const {
    constexpr double kStands = 0.01;
    const double lowest = source_.of(source);
    return std::abs(aboveGround(lowest)) > kStands ? std::nullopt : std::optional(wantedFor(lowest));
}

OffGround Ground::offGround(const std::vector<Clip>& source, const Skeleton& skeleton,
                            const std::vector<Clip>& bound) const {
    OffGround off;
    off.height = targetHeight_;
    std::uint64_t frames = 0;
    for (const Clip& clip : source)
        frames += clip.frames;
    constexpr std::uint64_t kLooks = 600;
    const auto apart = static_cast<std::uint32_t>(frames / kLooks + 1);
    for (std::size_t i = 0; i < bound.size(); ++i)
        for (std::uint32_t frame = 0; frame < source[i].frames; frame += apart) {
            const auto time = static_cast<double>(core::frameTime(frame, source[i].rate));
            const Pose pose = core::samplePose(sourceSkeleton_, source[i], time, source_.joints());
            const std::optional<double> wanted = standingHeight(pose);
            if (!wanted)
                continue;
            const double above = lowestAt(skeleton, bound[i], time) - *wanted;
            off.floats = std::max(off.floats, above);
            off.sinks = std::max(off.sinks, -above);
        }
    return off;
}

}  // namespace reanima::binding
