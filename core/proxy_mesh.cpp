#include "core/proxy_mesh.h"

#include <cmath>

#include <glm/geometric.hpp>

#include "core/pose.h"

namespace reanima::core {

namespace {

/// Two four-sided pyramids, base to base, a fifth of the way from `start` to `end`.
void addOctahedron(ProxyMesh& mesh, std::size_t joint, const glm::dvec3& start, const glm::dvec3& end) {
    const glm::dvec3 along = end - start;
    const glm::dvec3 direction = glm::normalize(along);
    const glm::dvec3 other = std::abs(direction.y) < 0.9 ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0);
    constexpr double kThickness = 0.13;  // of the length
    constexpr double kWaist = 0.2;
    const glm::dvec3 u = glm::normalize(glm::cross(direction, other)) * glm::length(along) * kThickness;
    const glm::dvec3 v = glm::cross(direction, u);
    const glm::dvec3 waist = start + along * kWaist;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const glm::dvec3& vertex : {start, waist + u, waist + v, waist - u, waist - v, end}) {
        mesh.positions.emplace_back(vertex);
        mesh.joints.push_back({static_cast<std::uint16_t>(joint), 0, 0, 0});
        mesh.weights.push_back({1, 0, 0, 0});
    }
    for (std::uint32_t side = 0; side < 4; ++side) {
        const std::uint32_t a = first + 1 + side;
        const std::uint32_t b = first + 1 + (side + 1) % 4;
        mesh.indices.insert(mesh.indices.end(), {first, b, a, first + 5, a, b});
    }
}

}  // namespace

ProxyMesh makeProxyMesh(const Skeleton& skeleton) {
    const Pose rest = restPose(skeleton);
    const std::vector<glm::dmat4> globals = globalMatrices(skeleton, rest);
    const double height = verticalExtent(skeleton, rest).height();
    const double small = height > 0 ? height * 0.02 : 0.02;
    ProxyMesh mesh;
    for (std::size_t i = 0; i < globals.size(); ++i) {
        const glm::dvec3 start(globals[i][3]);
        std::vector<glm::dvec3> ends;
        if (skeleton.joints[i].end)
            ends.emplace_back(globals[i] * glm::dvec4(glm::dvec3(*skeleton.joints[i].end), 1));
        else
            for (std::size_t child = i + 1; child < globals.size(); ++child)
                if (skeleton.joints[child].parent == static_cast<int>(i))
                    ends.emplace_back(globals[child][3]);
        bool drawn = false;
        for (const glm::dvec3& end : ends) {
            if (glm::distance(start, end) < small / 10)
                continue;
            addOctahedron(mesh, i, start, end);
            drawn = true;
        }
        if (!drawn)
            addOctahedron(mesh, i, start, start + glm::dvec3(0, small, 0));
    }
    mesh.lowest = mesh.highest = mesh.positions.front();
    for (const glm::vec3& position : mesh.positions) {
        mesh.lowest = glm::min(mesh.lowest, position);
        mesh.highest = glm::max(mesh.highest, position);
    }
    return mesh;
}

}  // namespace reanima::core
