#include "binding/ground.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <glm/gtc/matrix_inverse.hpp>

namespace reanima::binding {

namespace {

using core::Clip;
using core::Pose;
using core::Skeleton;

/// The value below which a share of all lie.
double quantile(std::vector<double> values, double share) {
    if (values.empty())
        return 0;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// From 0 to 1 between two bounds, smoothly.
double smoothly(double value, double from, double to) {
    const double t = std::clamp((value - from) / (to - from), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

/// Adds heights to what moves a joint that hangs on nothing that moves.
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

double LowestPoint::of(const Pose& pose) const {
    const std::vector<glm::dmat4> globals = core::globalMatrices(*skeleton_, pose);
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t joint = 0; joint < surface_.points.size(); ++joint) {
        const glm::dmat4& m = globals[joint];
        for (const glm::vec3& p : surface_.points[joint])
            lowest = std::min(lowest, m[0].y * static_cast<double>(p.x) + m[1].y * static_cast<double>(p.y) +
                                          m[2].y * static_cast<double>(p.z) + m[3].y);
    }
    return lowest;
}

double LowestPoint::heightOf(const Pose& pose) const {
    const std::vector<glm::dmat4> globals = core::globalMatrices(*skeleton_, pose);
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -lowest;
    for (std::size_t joint = 0; joint < surface_.points.size(); ++joint)
        for (const glm::vec3& p : surface_.points[joint]) {
            const double y = (globals[joint] * glm::dvec4(glm::dvec3(p), 1)).y;
            lowest = std::min(lowest, y);
            highest = std::max(highest, y);
        }
    return std::max(highest - lowest, 0.0);
}

core::BodySurface surfaceOfJoints(const GroundBody& body) {
    const Skeleton& skeleton = body.skeleton;
    const std::vector<roles::Role>& roles = body.roles.roles;
    core::BodySurface surface;
    surface.points.resize(skeleton.joints.size());
    const std::vector<glm::dmat4> rest = core::globalMatrices(skeleton, core::restPose(skeleton));
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
    constexpr double kSole = 0.1;  // of the height: an ankle is below it
    const double floor = lowest > 0 && lowest < kSole * (highest - lowest) && body.hasOwnRest ? 0 : lowest;
    for (std::uint32_t joint = 0; joint < rest.size(); ++joint)
        if (const roles::Part part = roles[joint].part;
            body.hasOwnRest && (part == roles::Part::foot || part == roles::Part::toes)) {
            const glm::dvec4 below(rest[joint][3].x, floor, rest[joint][3].z, 1);
            surface.points[joint].emplace_back(glm::dvec3(glm::affineInverse(rest[joint]) * below));
        }
    return surface;
}

namespace {

/// The mesh of what belongs to the body: not of a prop on the ground, nor of what is held in a hand. Nothing where
/// there is none.
core::BodySurface meshOf(const GroundBody& body) {
    core::BodySurface own = body.surface;
    std::vector<bool> isBody(own.points.size());
    bool isKnown = false;
    for (std::uint32_t joint = 0; joint < own.points.size(); ++joint) {
        const std::optional<std::uint32_t> parent = body.skeleton.parentOf(joint);
        const roles::Part part = body.roles.roles[joint].part;
        isBody[joint] = roles::isBody(part) || (parent && isBody[*parent] && part != roles::Part::weapon);
        if (!isBody[joint])
            own.points[joint].clear();
        isKnown = isKnown || !own.points[joint].empty();
    }
    return isKnown ? own.outermost() : core::BodySurface();
}

}  // namespace

Ground::Ground(const GroundBody& source, const std::vector<Pose>& poses, const GroundBody& target, double scale)
    : sourceSkeleton_(source.skeleton),
      targetSkeleton_(target.skeleton),
      poses_(poses),
      source_(source.skeleton, meshOf(source)),
      target_(target.skeleton, meshOf(target)),
      knowsSource_(source_.isKnown()),
      knowsMeshes_(knowsSource_ && target_.isKnown()) {
    if (!knowsSource_)
        source_ = LowestPoint(source.skeleton, surfaceOfJoints(source));
    if (!target_.isKnown())
        target_ = LowestPoint(target.skeleton, surfaceOfJoints(target));
    std::vector<double> low;
    std::vector<double> heights;
    for (const Pose& pose : poses_) {
        low.push_back(source_.of(pose));
        heights.push_back(source_.heightOf(pose));
    }
    sourceHeight_ = quantile(heights, 0.75);  // upright: some clips lie down
    // A figure may hover over its ground or jump, but hardly ever is below it.
    constexpr double kBelow = 0.05;
    const double standing = quantile(low, 0.1);
    level_ = !knowsSource_ || standing < -kBelow * sourceHeight_ ? standing : 0;
    const Pose rest = core::restPose(target.skeleton);
    targetHeight_ = target_.heightOf(rest);
    constexpr double kElsewhere = 0.1;  // of the height: a rig whose origin is not on its floor
    floor_ = target_.of(rest);
    if (std::abs(floor_) < kElsewhere * targetHeight_)
        floor_ = 0;
    if (targetHeight_ > 0 && sourceHeight_ > 0)
        legs_ = scale * sourceHeight_ / targetHeight_;
}

/// In shares of the height.
double Ground::aboveGround(const Pose& source) const {
    return sourceHeight_ > 0 ? (source_.of(source) - level_) / sourceHeight_ : 0;
}

/// How high the target's lowest point is to be. Near the ground by the heights of both, so that what touches it still
/// does; jumps by the legs.
double Ground::wantedFor(const Pose& source) const {
    constexpr double kNear = 0.03;  // of the height
    constexpr double kFar = 0.1;
    const double above = aboveGround(source);
    return floor_ + targetHeight_ * above * std::lerp(1.0, legs_, smoothly(std::abs(above), kNear, kFar));
}

double Ground::lowestOnRig(const Skeleton& skeleton, const Clip& bound, double time) const {
    Pose pose = core::samplePose(skeleton, bound, time);
    pose.resize(targetSkeleton_.joints.size());
    return target_.of(pose);
}

std::optional<double> Ground::liftOf(const std::vector<Pose>& bound) const {
    if (!source_.isKnown() || !target_.isKnown())
        return std::nullopt;
    std::vector<double> lifts;
    constexpr double kStands = 0.02;
    for (std::size_t i = 0; i < poses_.size() && i < bound.size(); ++i)
        if (std::abs(aboveGround(poses_[i])) <= kStands)
            lifts.push_back(floor_ - target_.of(bound[i]));
    return lifts.empty() ? std::nullopt : std::optional(quantile(lifts, 0.5));
}

void Ground::stand(const Clip& source, const Skeleton& skeleton, Clip& bound) const {
    std::vector<double> heights;
    for (std::uint32_t frame = 0; frame < std::max(source.frames, 1U); ++frame) {
        const auto time = static_cast<double>(core::frameTime(frame, source.rate));
        heights.push_back(wantedFor(core::samplePose(sourceSkeleton_, source, time)) -
                          lowestOnRig(skeleton, bound, time));
    }
    std::vector<bool> isMoved(skeleton.joints.size());
    for (core::JointTrack& track : bound.tracks) {
        isMoved[track.joint] = true;
        if (std::ranges::none_of(skeleton.ancestors(track.joint), [&](std::uint32_t above) { return isMoved[above]; }))
            lift(track, skeleton, heights, bound);
    }
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
    constexpr double kStands = 0.01;
    for (std::size_t i = 0; i < bound.size(); ++i)
        for (std::uint32_t frame = 0; frame < source[i].frames; frame += apart) {
            const auto time = static_cast<double>(core::frameTime(frame, source[i].rate));
            const Pose pose = core::samplePose(sourceSkeleton_, source[i], time);
            if (std::abs(aboveGround(pose)) > kStands)
                continue;
            const double above = lowestOnRig(skeleton, bound[i], time) - wantedFor(pose);
            off.floats = std::max(off.floats, above);
            off.sinks = std::max(off.sinks, -above);
        }
    return off;
}

}  // namespace reanima::binding
