/// The rotation that best maps some directions or points to others.
#pragma once

#include <array>

#include <glm/mat3x3.hpp>

namespace reanima::core {

using SymmetricMatrix4 = std::array<std::array<double, 4>, 4>;

/// Davenport's matrix: its quadratic form at a unit quaternion (w, x, y, z) measures the fit of that rotation. The
/// eigenvector of the largest eigenvalue fits best (Horn 1987). If the largest eigenvalue is not unique, all
/// linear combinations of its eigenvectors fit equally well.
/// @param products the sum of glm::outerProduct(from, to) over all directions
[[nodiscard]] SymmetricMatrix4 rotationFit(const glm::dmat3& products);

struct Eigen {
    std::array<double, 4> values{};
    SymmetricMatrix4 vectors{};  ///< [vector][component], of unit length
};

/// Eigenvalues, in no order, and eigenvectors, by Jacobi's rotations.
[[nodiscard]] Eigen eigenOf(SymmetricMatrix4 m);

}  // namespace reanima::core
