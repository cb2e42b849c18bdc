#include "core/similarity.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

#include "core/rotation_fit.h"

namespace reanima::core {

namespace {

glm::dvec3 meanOf(std::span<const glm::dvec3> points) {
    glm::dvec3 sum(0);
    for (const glm::dvec3& point : points)
        sum += point;
    return points.empty() ? sum : sum / static_cast<double>(points.size());
}

}  // namespace

Similarity similarityBetween(std::span<const glm::dvec3> from, std::span<const glm::dvec3> to) {
    const glm::dvec3 a = meanOf(from);
    const glm::dvec3 b = meanOf(to);
    double sizeFrom = 0;
    double sizeTo = 0;
    glm::dmat3 products(0);
    for (std::size_t i = 0; i < from.size(); ++i) {
        sizeFrom += glm::dot(from[i] - a, from[i] - a);
        sizeTo += glm::dot(to[i] - b, to[i] - b);
        products += glm::outerProduct(from[i] - a, to[i] - b);
    }
    Similarity result;
    if (sizeFrom > 0 && sizeTo > 0)
        result.scale = std::sqrt(sizeTo / sizeFrom);
    // Tie-breaker: far below any measured difference.
    constexpr double kOpen = 1e-9;
    const double tilt = sizeFrom > 0 && sizeTo > 0 ? kOpen * std::sqrt(sizeFrom * sizeTo) : 1;
    for (int i = 0; i < 3; ++i)
        products[i][i] += tilt;
    const Eigen eigen = eigenOf(rotationFit(products));
    const auto best = std::max_element(eigen.values.begin(), eigen.values.end()) - eigen.values.begin();
    const auto& q = eigen.vectors[static_cast<std::size_t>(best)];
    result.rotation = glm::normalize(glm::dquat(q[0], q[1], q[2], q[3]));
    result.shift = b - result.scale * (result.rotation * a);
    return result;
}

}  // namespace reanima::core
