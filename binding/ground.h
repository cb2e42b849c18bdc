/// Puts bound characters on the ground.
///
/// Lengths over the ground are scaled by the legs. The height needs its own rule, because feet, soles and hips differ
/// between bodies: the lowest point of the rig is put at the height of the source's, frame by frame if both have a
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
    /// Metres over the origin.
    [[nodiscard]] double of(const core::Pose& pose) const;
    struct Extent {
        double lowest;  ///< metres over the origin
        double height;  ///< from the lowest to the highest point
    };
    [[nodiscard]] Extent extentOf(const core::Pose& pose) const;
    /// The same for the vertices of a joint and its descendants; none if there are none.
    [[nodiscard]] std::optional<double> below(std::uint32_t joint, const core::Pose& pose) const;
    /// The joints whose transforms affect the result: one per joint of the skeleton.
    [[nodiscard]] const std::vector<bool>& joints() const { return joints_; }

  private:
    /// A sphere around the points of a joint, in its space.
    struct Ball {
        glm::dvec3 centre{0};
        double radius = 0;
    };
    /// How high a point in a joint's space is: dot(xyz, point) + w.
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

/// An approximate surface for a body without a mesh: joints and ends of bones, plus soles on the floor below feet and
/// toes that stand on it in the rest pose.
/// @param ankleHeight height of the lowest ankle above the sole, in metres, if known
[[nodiscard]] core::BodySurface surfaceOfJoints(const GroundBody& body, std::optional<double> ankleHeight = {});

/// How far a rig is off the ground while its source stands, over all frames of some clips. Metres.
struct OffGround {
    double floats = 0;  ///< above it, at most
    double sinks = 0;   ///< below it, at most
    double height = 0;  ///< of the rig
};

/// How high a rig stands in the frames of a source.
class Ground {
  public:
    /// @param poses of the source, over all clips; they outlive this, and so do the bodies' members
    /// @param scale of lengths over the ground, target to source
    Ground(const GroundBody& source, const std::vector<core::Pose>& poses, const GroundBody& target, double scale);

    /// Poses of the source in which it stands, from all over its clips: a hundred at most.
    [[nodiscard]] std::vector<core::Pose> standingPoses() const;
    /// By how much bound poses must be lifted so that the rig stands, in metres: the median over the poses. None
    /// without poses.
    /// @param bound standingPoses() on the rig
    [[nodiscard]] std::optional<double> liftOf(const std::vector<core::Pose>& bound) const;

    /// True where both have a mesh.
    [[nodiscard]] bool knowsMeshes() const { return knowsMeshes_; }
    /// Lifts a bound clip, frame by frame, so that its lowest point is where the source's is: for bodies with meshes.
    /// @param source, bound the same clip on both; `skeleton` is that of `bound`, the rig with joints that were added
    void stand(const core::Clip& source, const core::Skeleton& skeleton, core::Clip& bound) const;

    /// By how much a foot of the rig must be lifted so that its mesh is as high as the source foot's: for bodies with
    /// meshes. None if one of the feet has no vertices.
    /// @param bound the pose on the rig, with joints that were added
    [[nodiscard]] std::optional<double> liftOfFoot(std::uint32_t sourceAnkle, const core::Pose& source,
                                                   std::uint32_t ankle, const core::Pose& bound) const;

    /// How high the lowest point of the rig is to be while the source stands; none while it does not.
    [[nodiscard]] std::optional<double> standingHeight(const core::Pose& source) const;
    /// The rig's lowest point, for stand(): what it carries counts as far as it grazes the floor.
    /// @param bound the pose on the rig, with joints that were added
    [[nodiscard]] double lowestOnRig(core::Pose bound) const;

    /// The remaining distance to the ground.
    /// @param bound as in stand(); clip by clip with `source`
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
    LowestPoint held_;  // of what the target carries
    bool knowsSource_;
    bool knowsMeshes_;
    double level_ = 0;  // of the source's ground
    double sourceHeight_ = 0;
    double floor_ = 0;  // of the target
    double targetHeight_ = 0;
    double legs_ = 1;  // ratio of the scale by the legs to the scale by the heights
};

}  // namespace reanima::binding
