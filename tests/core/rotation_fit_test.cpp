#include "core/rotation_fit.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <gtest/gtest.h>

#include "core/similarity.h"

namespace reanima::core {
namespace {

TEST(RotationFit, EigenvaluesOfABlock) {
    // [2 1; 1 2] has 3 along (1, 1) and 1 along (1, -1).
    const Eigen eigen = eigenOf({{{2, 1, 0, 0}, {1, 2, 0, 0}, {0, 0, 7, 0}, {0, 0, 0, -5}}});
    std::array<double, 4> sorted = eigen.values;
    std::ranges::sort(sorted);
    constexpr std::array<double, 4> kExpected = {-5, 1, 3, 7};
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(sorted[i], kExpected[i], 1e-12);
    const auto three = static_cast<std::size_t>(
        std::ranges::find_if(eigen.values, [](double value) { return std::abs(value - 3) < 1e-9; }) -
        eigen.values.begin());
    ASSERT_LT(three, 4U);
    EXPECT_NEAR(std::abs(eigen.vectors[three][0] + eigen.vectors[three][1]), std::sqrt(2), 1e-12);
}

TEST(RotationFit, AQuarterTurnFitsBestAsOne) {
    // x -> y and y -> -x are a quarter turn about z: (w, x, y, z) = (cos 45, 0, 0, sin 45), and a fit of 1 each.
    const glm::dmat3 products = glm::outerProduct(glm::dvec3(1, 0, 0), glm::dvec3(0, 1, 0)) +
                                glm::outerProduct(glm::dvec3(0, 1, 0), glm::dvec3(-1, 0, 0));
    const Eigen eigen = eigenOf(rotationFit(products));
    const auto best = static_cast<std::size_t>(std::ranges::max_element(eigen.values) - eigen.values.begin());
    EXPECT_NEAR(eigen.values[best], 2, 1e-12);
    EXPECT_NEAR(std::abs(eigen.vectors[best][0]), std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(eigen.vectors[best][0] * eigen.vectors[best][3], 0.5, 1e-12);
}

TEST(Similarity, ScaleTurnAndShiftComeBack) {
    // Twice as large, a quarter turn about z, then one up: (x, y, z) -> (-2y, 2x, 2z + 1).
    const std::vector<glm::dvec3> from = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 1, 1}};
    std::vector<glm::dvec3> to;
    for (const glm::dvec3& p : from)
        to.emplace_back(-2 * p.y, 2 * p.x, 2 * p.z + 1);
    const Similarity found = similarityBetween(from, to);
    EXPECT_NEAR(found.scale, 2, 1e-12);
    for (std::size_t i = 0; i < from.size(); ++i) {
        EXPECT_LT(glm::distance(found.of(from[i]), to[i]), 1e-7);
        EXPECT_LT(glm::distance(found.inverseOf(to[i]), from[i]), 1e-7);
    }
}

TEST(Similarity, WhatALineLeavesOpenIsNotTurned) {
    const std::vector<glm::dvec3> line = {{-1, 0, 0}, {0, 0, 0}, {2, 0, 0}};
    const Similarity found = similarityBetween(line, line);
    EXPECT_LT(glm::distance(found.of({0, 1, 0}), glm::dvec3(0, 1, 0)), 1e-4);
}

}  // namespace
}  // namespace reanima::core
