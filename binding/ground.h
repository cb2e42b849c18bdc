/// Puts bound figures on the ground.
///
/// Lengths over the ground are scaled by the legs. How high a figure stands is another matter: feet, soles and hips lie
/// elsewhere in other bodies. So the lowest point of the rig is as high as that of the source, frame by frame where
/// both have a mesh.
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
    LowestPoint(const core::Skeleton& skeleton, core::BodySurface surface)
        : skeleton_(&skeleton), surface_(std::move(surface)) {}

    [[nodiscard]] bool isKnown() const { return surface_.isKnown(); }
    /// Metres over the origin.
    [[nodiscard]] double of(const core::Pose& pose) const;
    /// From the lowest to the highest point.
    [[nodiscard]] double heightOf(const core::Pose& pose) const;

  private:
    const core::Skeleton* skeleton_;
    core::BodySurface surface_;
};

/// A skeleton, what its joints are for, and its mesh if it has one.
struct GroundBody {
    const core::Skeleton& skeleton;
    const roles::Anatomy& roles;
    const core::BodySurface& surface;
    bool hasOwnRest = true;  ///< it stands in its rest pose
};

/// Where the outside of a body is that has no mesh: joints and ends of bones, and soles on the floor below feet and
/// toes that stand on it in the rest pose.
[[nodiscard]] core::BodySurface surfaceOfJoints(const GroundBody& body);

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

    /// By how much bound poses must be lifted so that the rig stands, in metres: the median over those in which the
    /// source stands. None where it never does.
    /// @param bound the source's poses on the rig
    [[nodiscard]] std::optional<double> liftOf(const std::vector<core::Pose>& bound) const;

    /// True where both have a mesh.
    [[nodiscard]] bool knowsMeshes() const { return knowsMeshes_; }
    /// Lifts a bound clip, frame by frame, so that its lowest point is where the source's is: for bodies with meshes.
    /// @param source, bound the same clip on both; `skeleton` is that of `bound`, the rig with joints that were added
    void stand(const core::Clip& source, const core::Skeleton& skeleton, core::Clip& bound) const;

    /// What of it is left.
    /// @param bound as in stand(); clip by clip with `source`
    [[nodiscard]] OffGround offGround(const std::vector<core::Clip>& source, const core::Skeleton& skeleton,
                                      const std::vector<core::Clip>& bound) const;

  private:
    [[nodiscard]] double aboveGround(const core::Pose& source) const;
    [[nodiscard]] double lowestOnRig(const core::Skeleton& skeleton, const core::Clip& bound, double time) const;
    [[nodiscard]] double wantedFor(const core::Pose& source) const;

    const core::Skeleton& sourceSkeleton_;
    const core::Skeleton& targetSkeleton_;
    const std::vector<core::Pose>& poses_;
    LowestPoint source_;
    LowestPoint target_;
    bool knowsSource_;
    bool knowsMeshes_;
    double level_ = 0;  // of the source's ground
    double sourceHeight_ = 0;
    double floor_ = 0;  // of the target
    double targetHeight_ = 0;
    double legs_ = 1;  // the scale by the legs, to the one by the heights
};

}  // namespace reanima::binding
