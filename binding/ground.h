/// Puts bound characters on the ground.
///
/// Horizontal lengths are scaled by the legs. The height needs its own rule, because feet, soles and hips differ
/// between bodies: the rig's lowest point gets the height of the source's lowest point, frame by frame if both have a
/// mesh.
#pragma once

#include <optional>
#include <vector>

#include "../core/body_surface.h"
#include "../core/clip.h"
#include "../core/pose.h"
#include "roles/roles.h"

namespace reanima::binding {

/// The lowest points of a body in its poses.
class LowestPoint {
  public:
    /// @param skeleton outlives this
    LowestPoint(const core::Skeleton& skeleton, core::BodySurface surface);

    [[nodiscard]] bool isKnown() const { return surface_.isKnown(); }
    /// The height of the lowest point above the origin, in metres.
    [[nodiscard]] double of(const core::Pose& pose) const;
    struct Extent {
        double lowest;  ///< metres above the origin
        double height;  ///< from the lowest to the highest point
    };
    [[nodiscard]] Extent extentOf(const core::Pose& pose) const;
    /// The same, but only for the vertices of a joint and its descendants; none if they have no vertices.
    [[nodiscard]] std::optional<double> below(std::uint32_t joint, const core::Pose& pose) const;
    /// For each joint of the skeleton: true if its transform affects the result.
    [[nodiscard]] const std::vector<bool>& joints() const { return joints_; }

  private:
    /// A sphere around the points of a joint, in its space.
    struct Ball {
        glm::dvec3 centre{0};
        double radius = 0;
    };
    /// Per joint: a point in the joint's space has the height dot(xyz, point) + w.
    using Heights = std::vector<glm::dvec4>;

    [[nodiscard]] Heights heightsOf(const core::Pose& pose) const;
    [[nodiscard]] double farthest(const Heights& heights, double sign) const;

    const core::Skeleton* skeleton_;
    core::BodySurface surface_;
    std::vector<Ball> balls_;   // one per joint
    std::vector<bool> joints_;  // those with points, and their ancestors
};

/// A skeleton, the roles of its joints, and its mesh if it has one.
struct GroundBody {
    const core::Skeleton& skeleton;
    const roles::Anatomy& roles;
    const core::BodySurface& surface;
    bool hasOwnRest = true;  ///< its rest pose is a standing pose
};

/// An approximate surface for a body without a mesh: its joints and the ends of its bones. Feet and toes that stand in
/// the rest pose also get soles on the floor.
/// @param ankleHeight height of the lowest ankle above the sole, in metres, if known
[[nodiscard]] core::BodySurface surfaceOfJoints(const GroundBody& body, std::optional<double> ankleHeight = {});

/// How far a rig is off the ground while its source stands, over all frames of some clips. In metres.
struct OffGround {
    double floats = 0;  ///< largest height above the ground
    double sinks = 0;   ///< largest depth below it
    double height = 0;  ///< of the rig
};

/// Finds how high a rig stands in each frame of its source.
class Ground {
  public:
    /// @param poses of the source, over all clips; they and the bodies' members outlive this
    /// @param scale of horizontal lengths, target to source
    Ground(const GroundBody& source, const std::vector<core::Pose>& poses, const GroundBody& target, double scale);

    /// Up to a hundred poses in which the source stands, spread over its clips.
    [[nodiscard]] std::vector<core::Pose> standingPoses() const;
    /// How far bound poses must be lifted so that the rig stands, in metres: the median over the poses. None without
    /// poses.
    /// @param bound standingPoses() on the rig
    [[nodiscard]] std::optional<double> liftOf(const std::vector<core::Pose>& bound) const;

    /// True if both bodies have a mesh.
    [[nodiscard]] bool knowsMeshes() const { return knowsMeshes_; }
    /// Lifts each frame of a bound clip so that its lowest point is as high as the source's. For bodies with meshes.
    /// @param source, bound the same clip on both; `skeleton` belongs to `bound`: the rig with added joints
    void stand(const core::Clip& source, const core::Skeleton& skeleton, core::Clip& bound) const;

    /// How far a foot of the rig must be lifted so that its mesh is as high as that of the source's foot. For bodies
    /// with meshes. None if one of the feet has no vertices.
    /// @param bound the pose on the rig, with added joints
    [[nodiscard]] std::optional<double> liftOfFoot(std::uint32_t sourceAnkle, const core::Pose& source,
                                                   std::uint32_t ankle, const core::Pose& bound) const;

    /// The height that the rig's lowest point should have while the source stands; none while it does not stand.
    [[nodiscard]] std::optional<double> standingHeight(const core::Pose& source) const;
    /// The height of the rig's lowest point, for stand(). Carried objects count only if they just graze the floor.
    /// @param bound the pose on the rig, with added joints
    [[nodiscard]] double lowestOnRig(core::Pose bound) const;

    /// How far the rig is still off the ground.
    /// @param bound as in stand(); the same clips as in `source`
    [[nodiscard]] OffGround offGround(const std::vector<core::Clip>& source, const core::Skeleton& skeleton,
                                      const std::vector<core::Clip>& bound) const;

  private:
    [[nodiscard]] double aboveGround(double lowest) const;
    [[nodiscard]] double lowestAt(const core::Skeleton& skeleton, const core::Clip& bound, double time) const;
    [[nodiscard]] double wantedFor(double lowest) const;

    const core::Skeleton& sourceSkeleton_;
    const core::Skeleton& targetSkeleton_;
    const std::vector<core::Pose>& poses_;
    std::vector<double> lowest_;  // of the source, per pose
    LowestPoint source_;
    LowestPoint target_;
    LowestPoint held_;  // of objects that the target carries
    bool knowsSource_;
    bool knowsMeshes_;
    double level_ = 0;  // height of the source's ground
    double sourceHeight_ = 0;
    double floor_ = 0;  // height of the target's ground
    double targetHeight_ = 0;
    double legs_ = 1;  // the scale from the legs divided by the scale from the heights
};

}  // namespace reanima::binding
