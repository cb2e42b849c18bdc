/// Vertices of meshes in the rest pose.
#pragma once

#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>

#include "asset.h"
#include "pose.h"

namespace reanima::core {

/// Transforms vertices from joint space to model space in the rest pose. Without a skeleton they are already in model
/// space.
class RestBaker {
  public:
    /// @param asset must be valid (see validate()); is only used during this call
    explicit RestBaker(const Asset& asset);

    /// A baker for another pose of the skeleton. Its lifts (Primitive::lifts) are those of the rest pose.
    [[nodiscard]] RestBaker posed(const Skeleton& skeleton, const Pose& pose) const;

    /// A baker for the pose in which the meshes were made. That pose can differ from the rest pose only at joints with
    /// Joint::bind.
    [[nodiscard]] RestBaker bound(const Skeleton& skeleton) const;

    /// Positions in metres, including the lifts. @throws DecodeError if a vertex is too far away for a float
    [[nodiscard]] std::vector<glm::vec3> positions(const Primitive& primitive) const;
    /// Normals of unit length; empty if the primitive has no normals.
    [[nodiscard]] std::vector<glm::vec3> normals(const Primitive& primitive) const;

    /// Metres: the y extent of the asset's first mesh, without lifts; 0 without meshes.
    [[nodiscard]] double height() const { return height_; }

  private:
    void setMatrices(std::vector<glm::dmat4> globals);
    [[nodiscard]] glm::dvec3 placed(const Primitive& primitive, std::size_t vertex) const;

    std::vector<glm::dmat4> globals_;  ///< per joint: the transform to model space
    std::vector<glm::dmat3> normals_;  ///< per joint: the matrix for normals, which changes their length
    double height_ = 0;
};

}  // namespace reanima::core
