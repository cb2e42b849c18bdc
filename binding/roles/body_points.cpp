#include "binding/roles/body_points.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace reanima::roles {

std::vector<core::Pose> sampledPoses(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips) {
    constexpr std::size_t kFrames = 400;
    constexpr std::size_t kMostJoints = 500'000;  // in all poses together
    const std::size_t most = std::min(4 * kFrames, kMostJoints / std::max<std::size_t>(skeleton.joints.size(), 1));
    std::vector<core::Pose> poses;
    for (const core::Clip& clip : clips) {
        const std::size_t looks =
            std::clamp<std::size_t>(kFrames / clips.size(), 2, std::max<std::size_t>(2, clip.frames));
        for (std::size_t look = 0; look < looks && poses.size() < most; ++look) {
            const double frame = std::round((std::max(clip.frames, 1U) - 1.0) * static_cast<double>(look) /
                                            static_cast<double>(looks - 1));
            poses.push_back(core::samplePose(skeleton, clip, frame / clip.rate));
        }
    }
    return poses;
}

BodyPoints::BodyPoints(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips) : skeleton_(skeleton) {
    addPoints();
    samplePoses(clips);
    measure();
    findLeaves();
}

void BodyPoints::addPoints() {
    const auto add = [this](int parent, std::uint32_t joint, bool isEnd) {
        Point point;
        point.parent = parent;
        point.joint = joint;
        point.isEnd = isEnd;
        points_.push_back(std::move(point));
    };
    for (std::uint32_t joint = 0; joint < skeleton_.joints.size(); ++joint)
        add(skeleton_.joints[joint].parent, joint, false);
    for (std::uint32_t joint = 0; joint < skeleton_.joints.size(); ++joint)
        if (const auto& end = skeleton_.joints[joint].end; end && glm::length(*end) > 0 && !hasChildAt(joint, *end))
            add(static_cast<int>(joint), joint, true);
    for (Index i = 0; i < points_.size(); ++i)
        if (points_[i].parent != core::kNoParent)
            points_[static_cast<Index>(points_[i].parent)].children.push_back(i);
}

bool BodyPoints::hasChildAt(std::uint32_t joint, const glm::vec3& place) const {
    constexpr float kNear = 0.02F;
    return std::any_of(skeleton_.joints.begin(), skeleton_.joints.end(), [&](const core::Joint& child) {
        return child.parent == static_cast<int>(joint) &&
               glm::distance(child.rest.translation, place) <= kNear * glm::length(place);
    });
}

void BodyPoints::addFrame(const core::Pose& pose) {
    const std::vector<glm::dmat4> globals = core::globalMatrices(skeleton_, pose);
    double low = 1e30;
    double high = -1e30;
    std::vector<bool> isContainer(points_.size());  // such a point may stay on the ground while the body is lifted
    for (Index i = 0; i < points_.size(); ++i) {
        Point& point = points_[i];
        const glm::dvec3 offset = point.isEnd ? glm::dvec3(*skeleton_.joints[point.joint].end) : glm::dvec3(0);
        point.at.emplace_back(globals[point.joint] * glm::dvec4(offset, 1));
        isContainer[i] = point.children.size() == 1 &&
                         (point.parent == core::kNoParent || isContainer[static_cast<Index>(point.parent)]);
        if (isContainer[i])
            continue;
        low = std::min(low, point.at.back().y);
        high = std::max(high, point.at.back().y);
    }
    floor_.push_back(low);
    height_ += high - low;
    if (turns_.empty()) {
        first_ = pose;
        turns_.resize(pose.size());
    }
    for (Index i = 0; i < pose.size(); ++i)
        turns_[i] =
            std::max(turns_[i], 1 - std::abs(glm::dot(glm::dquat(pose[i].rotation), glm::dquat(first_[i].rotation))));
}

void BodyPoints::samplePoses(const std::vector<core::Clip>& clips) {
    for (const core::Pose& pose : sampledPoses(skeleton_, clips))
        addFrame(pose);
    isStill_ = floor_.empty();
    if (isStill_)
        addFrame(core::restPose(skeleton_));
}

void BodyPoints::measure() {
    height_ /= static_cast<double>(frames());
    for (Point& point : points_) {  // the median: a frame may be wrong, and hips may begin at their parent's origin
        if (point.parent == core::kNoParent)
            continue;
        std::vector<double> lengths;
        for (Index frame = 0; frame < point.at.size(); ++frame)
            lengths.push_back(glm::distance(point.at[frame], points_[static_cast<Index>(point.parent)].at[frame]));
        const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
        std::nth_element(lengths.begin(), middle, lengths.end());
        point.length = *middle;
    }
}

std::vector<BodyPoints::Index> BodyPoints::tops() const {
    std::vector<Index> tops(points_.size());
    for (Index i = 0; i < points_.size(); ++i)  // parents come first
        tops[i] = points_[i].parent == core::kNoParent ? i : tops[static_cast<Index>(points_[i].parent)];
    return tops;
}

void BodyPoints::findLeaves() {
    const std::vector<Index> topOf = tops();
    std::vector<std::size_t> size(points_.size(), 0);
    for (const Index top : topOf)
        ++size[top];
    const auto root = static_cast<Index>(std::max_element(size.begin(), size.end()) - size.begin());
    for (Index i = 0; i < points_.size(); ++i)
        if (points_[i].children.empty() && i != root && topOf[i] == root && !isTwist(i))
            leaves_.push_back(i);
}

/// True if a chain without branches always lies on the bone beside it. Such a chain shares the bone's twist.
bool BodyPoints::isTwist(Index leaf) const {
    std::vector<Index> chain{leaf};
    while (points_[chain.back()].parent != core::kNoParent &&
           points_[static_cast<Index>(points_[chain.back()].parent)].children.size() == 1)
        chain.push_back(static_cast<Index>(points_[chain.back()].parent));
    if (points_[chain.back()].parent == core::kNoParent)
        return false;
    const Point& start = points_[static_cast<Index>(points_[chain.back()].parent)];
    constexpr std::size_t kMostBeside = 50;  // more are hair
    if (start.children.size() > kMostBeside)
        return false;
    const auto isBetween = [&](Index point, Index end) {
        for (Index frame = 0; frame < frames(); ++frame) {
            const glm::dvec3 bone = points_[end].at[frame] - start.at[frame];
            const glm::dvec3 way = points_[point].at[frame] - start.at[frame];
            const double share = glm::dot(way, bone) / std::max(glm::dot(bone, bone), 1e-12);
            if (share <= 0 || share >= 1 || glm::distance(way, share * bone) > nothing())
                return false;
        }
        return true;
    };
    return std::ranges::any_of(start.children, [&](Index end) {
        return end != chain.back() && std::ranges::all_of(chain, [&](Index point) { return isBetween(point, end); });
    });
}

bool BodyPoints::turns(std::uint32_t joint) const {
    constexpr double kTurning = 1e-4;  // of the cosine: 1.6 degrees
    return turns_[joint] > kTurning;
}

std::vector<BodyPoints::Index> BodyPoints::pathTo(Index point) const {
    std::vector<Index> path;
    for (int p = static_cast<int>(point); p != core::kNoParent; p = points_[static_cast<Index>(p)].parent)
        path.push_back(static_cast<Index>(p));
    std::reverse(path.begin(), path.end());
    return path;
}

bool BodyPoints::isWithin(Index point, Index top) const {
    for (int p = static_cast<int>(point); p != core::kNoParent; p = points_[static_cast<Index>(p)].parent)
        if (static_cast<Index>(p) == top)
            return true;
    return false;
}

BodyPoints::Index BodyPoints::meeting(Index a, Index b) const {
    while (!isWithin(b, a))
        a = static_cast<Index>(points_[a].parent);
    return a;
}

BodyPoints::Index BodyPoints::below(Index top, Index point) const {
    while (static_cast<Index>(points_[point].parent) != top)
        point = static_cast<Index>(points_[point].parent);
    return point;
}

std::vector<BodyPoints::Bone> BodyPoints::bonesBetween(Index top, Index tip) const {
    std::vector<Bone> bones;
    std::vector<Index> path = pathTo(tip);
    path.erase(path.begin(), std::find(path.begin(), path.end(), top));
    Index start = top;
    for (std::size_t i = 1; i < path.size(); ++i) {
        if (points_[path[i]].length <= nothing())
            continue;
        bones.push_back({path[i - 1], start, path[i], points_[path[i]].length});
        start = path[i];
    }
    return bones;
}

double BodyPoints::heightOf(Index point) const {
    double sum = 0;
    for (std::size_t f = 0; f < frames(); ++f)
        sum += points_[point].at[f].y - floor_[f];
    return sum / static_cast<double>(frames());
}

}  // namespace reanima::roles
