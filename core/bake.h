/// Vertices of meshes in the rest pose.
#pragma once

#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>

#include "asset.h"
#include "pose.h"

namespace reanima::core {

/// Transforms vertices from joint space to model space at the rest pose; without a skeleton they are in model space
/// already.
class RestBaker {
  public:
    /// @param asset as validate() demands; needed no longer than this call
    explicit RestBaker(const Asset& asset);

    /// The same for another pose of the skeleton; the lifts stay those of the rest pose.
    [[nodiscard]] RestBaker posed(const Skeleton& skeleton, const Pose& pose) const;

    /// The same for the pose in which the meshes were made, which is the rest pose unless Joint::bind differs.
    [[nodiscard]] RestBaker bound(const Skeleton& skeleton) const;

    /// Metres, the lifts included. @throws DecodeError if one lies too far away for a float
    [[nodiscard]] std::vector<glm::vec3> positions(const Primitive& primitive) const;
    /// Unit vectors; none if the primitive has none.
    [[nodiscard]] std::vector<glm::vec3> normals(const Primitive& primitive) const;

    /// Metres: the y extent of the asset's first mesh, without lifts; 0 without meshes.
    [[nodiscard]] double height() const { return height_; }

  private:
    void setMatrices(std::vector<glm::dmat4> globals);
    [[nodiscard]] glm::dvec3 placed(const Primitive& primitive, std::size_t vertex) const;

    std::vector<glm::dmat4> globals_;  ///< of every joint
    std::vector<glm::dmat3> normals_;  ///< the same for normals, up to their length
    double height_ = 0;
};

}  // namespace reanima::core
