#include "core/similarity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

namespace reanima::core {

namespace {

using Symmetric = std::array<std::array<double, 4>, 4>;

/// The eigenvector of the largest eigenvalue, by Jacobi's rotations.
std::array<double, 4> largestEigenvector(Symmetric m) {
    Symmetric vectors{};
    for (std::size_t i = 0; i < 4; ++i)
        vectors[i][i] = 1;
    constexpr int kSweeps = 30;  // it converges quadratically: six are usual
    for (int sweep = 0; sweep < kSweeps; ++sweep)
        for (std::size_t p = 0; p < 3; ++p)
            for (std::size_t q = p + 1; q < 4; ++q) {
                if (m[p][q] == 0)
                    continue;
                const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1);
                const double s = t * c;
                for (std::size_t k = 0; k < 4; ++k) {
                    const double a = m[k][p];
                    const double b = m[k][q];
                    m[k][p] = c * a - s * b;
                    m[k][q] = s * a + c * b;
                }
                for (std::size_t k = 0; k < 4; ++k) {
                    const double a = m[p][k];
                    const double b = m[q][k];
                    m[p][k] = c * a - s * b;
                    m[q][k] = s * a + c * b;
                    const double v = vectors[k][p];
                    const double w = vectors[k][q];
                    vectors[k][p] = c * v - s * w;
                    vectors[k][q] = s * v + c * w;
                }
            }
    std::size_t best = 0;
    for (std::size_t i = 1; i < 4; ++i)
        if (m[i][i] > m[best][best])
            best = i;
    return {vectors[0][best], vectors[1][best], vectors[2][best], vectors[3][best]};
}

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
    glm::dmat3 s(0);  // [column of `to`][row of `from`]
    for (std::size_t i = 0; i < from.size(); ++i) {
        sizeFrom += glm::dot(from[i] - a, from[i] - a);
        sizeTo += glm::dot(to[i] - b, to[i] - b);
        s += glm::outerProduct(from[i] - a, to[i] - b);
    }
    Similarity result;
    if (sizeFrom > 0 && sizeTo > 0)
        result.scale = std::sqrt(sizeTo / sizeFrom);
    // So little that it decides nothing but what the points leave open.
    constexpr double kOpen = 1e-9;
    const double tilt = sizeFrom > 0 && sizeTo > 0 ? kOpen * std::sqrt(sizeFrom * sizeTo) : 1;
    const auto at = [&s, tilt](int x, int y) { return s[y][x] + (x == y ? tilt : 0); };
    const Symmetric n = {
        {{at(0, 0) + at(1, 1) + at(2, 2), at(1, 2) - at(2, 1), at(2, 0) - at(0, 2), at(0, 1) - at(1, 0)},
         {at(1, 2) - at(2, 1), at(0, 0) - at(1, 1) - at(2, 2), at(0, 1) + at(1, 0), at(2, 0) + at(0, 2)},
         {at(2, 0) - at(0, 2), at(0, 1) + at(1, 0), at(1, 1) - at(0, 0) - at(2, 2), at(1, 2) + at(2, 1)},
         {at(0, 1) - at(1, 0), at(2, 0) + at(0, 2), at(1, 2) + at(2, 1), at(2, 2) - at(0, 0) - at(1, 1)}}};
    const std::array<double, 4> q = largestEigenvector(n);
    result.rotation = glm::normalize(glm::dquat(q[0], q[1], q[2], q[3]));
    result.shift = b - result.scale * (result.rotation * a);
    return result;
}

}  // namespace reanima::core
