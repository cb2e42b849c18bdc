/// The joints of a skeleton and the ends of its bones over all frames of its clips.
#pragma once

#include <cstdint>
#include <vector>

#include <glm/vec3.hpp>

#include "core/clip.h"
#include "core/pose.h"
#include "core/skeleton.h"

namespace reanima::roles {

/// Poses from all clips, a few hundred at most; fewer if the skeleton has very many joints.
[[nodiscard]] std::vector<core::Pose> sampledPoses(const core::Skeleton& skeleton,
                                                   const std::vector<core::Clip>& clips);

/// Positions over many frames, and the tree that they belong to.
class BodyPoints {
  public:
    using Index = std::size_t;

    /// A joint, or the end of a bone that has no joint there.
    struct Point {
        int parent = core::kNoParent;
        std::uint32_t joint = 0;
        bool isEnd = false;
        std::vector<glm::dvec3> at{};  ///< per frame
        double length = 0;             ///< the median distance from the parent
        std::vector<Index> children{};
    };

    /// A bone of a chain.
    struct Bone {
        Index from;   ///< deepest point at the bone's start
        Index start;  ///< topmost point there, within the chain
        Index to;
        double length;
    };

    /// Uses frames of all clips, a few hundred at most; without clips, the rest pose.
    BodyPoints(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips);

    [[nodiscard]] const Point& operator[](Index point) const { return points_[point]; }
    [[nodiscard]] std::size_t size() const { return points_.size(); }
    [[nodiscard]] std::size_t frames() const { return floor_.size(); }
    /// The mean distance from the lowest to the highest point.
    [[nodiscard]] double height() const { return height_; }
    /// Shorter lengths count as zero.
    [[nodiscard]] double nothing() const { return 0.004 * height_; }
    /// True if there was no clip.
    [[nodiscard]] bool isStill() const { return isStill_; }
    /// The tips of the largest tree, without twist joints; weapons are separate trees.
    [[nodiscard]] const std::vector<Index>& leaves() const { return leaves_; }
    /// True if a joint rotates relative to its parent by more than about a degree.
    [[nodiscard]] bool turns(std::uint32_t joint) const;

    /// Points from the top to `point`.
    [[nodiscard]] std::vector<Index> pathTo(Index point) const;
    [[nodiscard]] bool isWithin(Index point, Index top) const;
    /// The nearest common ancestor of both; it may be one of them.
    [[nodiscard]] Index meeting(Index a, Index b) const;
    /// The child of `top` on the path to `point`.
    [[nodiscard]] Index below(Index top, Index point) const;
    /// The bones from one point to another below it.
    [[nodiscard]] std::vector<Bone> bonesBetween(Index top, Index tip) const;
    /// The mean height above the lowest point of the frame.
    [[nodiscard]] double heightOf(Index point) const;

  private:
    void addPoints();
    [[nodiscard]] bool hasChildAt(std::uint32_t joint, const glm::vec3& place) const;
    void addFrame(const core::Pose& pose);
    void samplePoses(const std::vector<core::Clip>& clips);
    void measure();
    /// For every point, the topmost point above it.
    [[nodiscard]] std::vector<Index> tops() const;
    void findLeaves();
    [[nodiscard]] bool isTwist(Index leaf) const;

    const core::Skeleton& skeleton_;
    std::vector<Point> points_;
    std::vector<Index> leaves_;
    std::vector<double> floor_;  // per frame
    core::Pose first_;
    std::vector<double> turns_;  // per joint: 1 - cosine of half the largest rotation away from the first frame
    double height_ = 0;
    bool isStill_ = false;
};

}  // namespace reanima::roles
