#include "core/bake.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "core/decode_error.h"

namespace reanima::core {

namespace {

/// The inverse transpose, times the absolute value of the determinant. The product exists for every matrix.
glm::dmat3 normalMatrix(const glm::dmat3& m) {
    const glm::dmat3 cofactors(glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1]));
    return glm::determinant(m) < 0 ? -cofactors : cofactors;
}

/// `v` rotated by the matrix, with its length unchanged.
glm::dvec3 turned(const glm::dmat4& matrix, const glm::dvec3& v) {
    const glm::dvec3 moved = glm::dmat3(matrix) * v;
    const double length = glm::length(moved);
    return length > 0 ? moved * (glm::length(v) / length) : glm::dvec3(0);
}

}  // namespace

RestBaker::RestBaker(const Asset& asset) {
    if (asset.skeleton)
        setMatrices(globalMatrices(*asset.skeleton, restPose(*asset.skeleton)));
    if (asset.meshes.empty())
        return;
    double lowest = std::numeric_limits<double>::max();
    double highest = std::numeric_limits<double>::lowest();
    for (const Primitive& primitive : asset.meshes.front().primitives)
        for (std::size_t i = 0; i < primitive.positions.size(); ++i) {
            const double y = placed(primitive, i).y;
            lowest = std::min(lowest, y);
            highest = std::max(highest, y);
        }
    height_ = highest - lowest;
}

RestBaker RestBaker::posed(const Skeleton& skeleton, const Pose& pose) const {
    RestBaker other = *this;
    other.setMatrices(globalMatrices(skeleton, pose));
    return other;
}

RestBaker RestBaker::bound(const Skeleton& skeleton) const {
    RestBaker other = *this;
    other.setMatrices(bindMatrices(skeleton));
    return other;
}

void RestBaker::setMatrices(std::vector<glm::dmat4> globals) {
    globals_ = std::move(globals);
    normals_.clear();
    for (const glm::dmat4& global : globals_)
        normals_.push_back(normalMatrix(glm::dmat3(global)));
}

glm::dvec3 RestBaker::placed(const Primitive& primitive, std::size_t vertex) const {
    const glm::dvec3 position(primitive.positions[vertex]);
    if (primitive.joints.empty())
        return position;
    const glm::dvec3 first(globals_[primitive.joints[vertex]] * glm::dvec4(position, 1));
    if (primitive.others.empty())
        return first;
    glm::dvec3 sum = static_cast<double>(firstWeight(primitive, vertex)) * first;
    for (const Influence& other : primitive.others[vertex])
        if (other.weight != 0)
            sum += static_cast<double>(other.weight) *
                   glm::dvec3(globals_[other.joint] * glm::dvec4(glm::dvec3(other.position), 1));
    return sum;
}

std::vector<glm::vec3> RestBaker::positions(const Primitive& primitive) const {
    std::vector<glm::vec3> baked;
    baked.reserve(primitive.positions.size());
    for (std::size_t i = 0; i < primitive.positions.size(); ++i) {
        glm::dvec3 position = placed(primitive, i);
        if (!primitive.lifts.empty()) {
            const glm::dvec3 lift(primitive.lifts[i]);
            position += height_ * (primitive.joints.empty() ? lift : turned(globals_[primitive.joints[i]], lift));
        }
        const glm::vec3& vertex = baked.emplace_back(position);
        if (!std::isfinite(vertex.x) || !std::isfinite(vertex.y) || !std::isfinite(vertex.z))
            throw DecodeError("has mesh vertices that are too far from the origin for 32-bit numbers");
    }
    return baked;
}

std::vector<glm::vec3> RestBaker::normals(const Primitive& primitive) const {
    std::vector<glm::vec3> baked;
    baked.reserve(primitive.normals.size());
    for (std::size_t i = 0; i < primitive.normals.size(); ++i) {
        const glm::dvec3 normal(primitive.normals[i]);
        const glm::dvec3 moved = primitive.joints.empty() ? normal : normals_[primitive.joints[i]] * normal;
        const double length = glm::length(moved);
        baked.emplace_back(length > 0 ? moved / length : normal);
    }
    return baked;
}

}  // namespace reanima::core
