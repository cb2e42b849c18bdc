#include "core/body_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_inverse.hpp>

#include "core/pose.h"

namespace reanima::core {

namespace {

/// Directions all around, about 14 degrees apart.
std::vector<glm::vec3> allDirections() {
    constexpr std::size_t kDirections = 256;
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    std::vector<glm::vec3> directions;
    for (std::size_t i = 0; i < kDirections; ++i) {
        const double y = 1 - 2 * (static_cast<double>(i) + 0.5) / kDirections;
        const double across = std::sqrt(1 - y * y);
        const double angle = golden * static_cast<double>(i);
        directions.emplace_back(across * std::cos(angle), y, across * std::sin(angle));
    }
    return directions;
}

std::vector<glm::vec3> outermostOf(const std::vector<glm::vec3>& points, const std::vector<glm::vec3>& directions) {
    if (points.size() <= directions.size() / 4)
        return points;
    std::vector<std::size_t> chosen;
    for (const glm::vec3& direction : directions) {
        std::size_t farthest = 0;
        float most = glm::dot(points[0], direction);
        for (std::size_t i = 1; i < points.size(); ++i)
            if (const float along = glm::dot(points[i], direction); along > most) {
                most = along;
                farthest = i;
            }
        chosen.push_back(farthest);
    }
    std::ranges::sort(chosen);
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    std::vector<glm::vec3> outer;
    outer.reserve(chosen.size());
    for (const std::size_t i : chosen)
        outer.push_back(points[i]);
    return outer;
}

}  // namespace

const std::vector<glm::vec3>& BodySurface::of(std::uint32_t joint) const {
    static const std::vector<glm::vec3> kNothing;
    return joint < points.size() ? points[joint] : kNothing;
}

BodySurface BodySurface::outermost() const {
    const std::vector<glm::vec3> directions = allDirections();
    BodySurface outer;
    for (const std::vector<glm::vec3>& ofJoint : points)
        outer.points.push_back(ofJoint.empty() ? ofJoint : outermostOf(ofJoint, directions));
    return outer;
}

BodySurface surfaceOf(const Asset& asset) {
    BodySurface surface;
    if (!asset.skeleton || asset.skeleton->joints.empty())
        return surface;
    const Skeleton& skeleton = *asset.skeleton;
    std::vector<std::uint32_t> root(skeleton.joints.size());
    std::vector<std::size_t> jointsBelow(skeleton.joints.size());
    for (std::uint32_t joint = 0; joint < root.size(); ++joint) {
        const std::optional<std::uint32_t> parent = skeleton.parentOf(joint);
        root[joint] = parent ? root[*parent] : joint;
        ++jointsBelow[root[joint]];
    }
    const auto body = static_cast<std::uint32_t>(std::ranges::max_element(jointsBelow) - jointsBelow.begin());
    for (const Mesh& mesh : asset.meshes)
        for (const Primitive& primitive : mesh.primitives)
            for (std::size_t i = 0; i < primitive.joints.size(); ++i) {
                if (root[primitive.joints[i]] != body)
                    continue;
                surface.points.resize(skeleton.joints.size());
                surface.points[primitive.joints[i]].push_back(primitive.positions[i]);
            }
    return surface;
}

BodySurface surfaceOf(const Rig& rig, double scale) {
    BodySurface surface;
    if (rig.surface.empty())
        return surface;
    std::vector<glm::dmat4> toJoint = globalMatrices(rig.skeleton, restPose(rig.skeleton));
    for (glm::dmat4& matrix : toJoint)
        matrix = glm::affineInverse(matrix);
    surface.points.resize(toJoint.size());
    for (const SurfacePoint& point : rig.surface)
        surface.points[point.joint].emplace_back(
            scale * glm::dvec3(toJoint[point.joint] * glm::dvec4(glm::dvec3(point.at), 1)));
    return surface;
}

}  // namespace reanima::core
