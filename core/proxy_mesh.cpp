#include "core/proxy_mesh.h"

#include <cmath>

#include <glm/geometric.hpp>

#include "core/pose.h"

namespace reanima::core {

namespace {

/// Adds two four-sided pyramids, base to base. The bases are at a fifth of the way from the joint to `end`.
/// @param end the bone's end in the joint's space
void addOctahedron(Primitive& primitive, std::uint32_t joint, const glm::dvec3& end) {
    const glm::dvec3 direction = glm::normalize(end);
    const glm::dvec3 other = std::abs(direction.y) < 0.9 ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0);
    constexpr double kThickness = 0.13;  // fraction of the bone's length
    constexpr double kWaist = 0.2;
    const glm::dvec3 u = glm::normalize(glm::cross(direction, other)) * glm::length(end) * kThickness;
    const glm::dvec3 v = glm::cross(direction, u);
    const glm::dvec3 waist = end * kWaist;
    const auto first = static_cast<std::uint32_t>(primitive.positions.size());
    for (const glm::dvec3& vertex : {glm::dvec3(0), waist + u, waist + v, waist - u, waist - v, end}) {
        primitive.positions.emplace_back(vertex);
        primitive.joints.push_back(joint);
    }
    for (std::uint32_t side = 0; side < 4; ++side) {
        const std::uint32_t a = first + 1 + side;
        const std::uint32_t b = first + 1 + (side + 1) % 4;
        primitive.indices.insert(primitive.indices.end(), {first, b, a, first + 5, a, b});
    }
}

/// The ends of the bones of every joint, in the joint's space.
std::vector<std::vector<glm::dvec3>> boneEnds(const Skeleton& skeleton) {
    std::vector<std::vector<glm::dvec3>> ends(skeleton.joints.size());
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const Joint& joint = skeleton.joints[i];
        if (joint.end)
            ends[i] = {glm::dvec3(*joint.end)};
        if (joint.parent != kNoParent && !skeleton.joints[static_cast<std::size_t>(joint.parent)].end)
            ends[static_cast<std::size_t>(joint.parent)].emplace_back(joint.rest.translation);
    }
    return ends;
}

}  // namespace

Asset makeProxyCharacter(const Skeleton& skeleton) {
    const Pose rest = restPose(skeleton);
    const std::vector<glm::dmat4> globals = globalMatrices(skeleton, rest);
    const double height = verticalExtent(skeleton, rest).height();
    const double small = height > 0 ? height * 0.02 : 0.02;
    const std::vector<std::vector<glm::dvec3>> ends = boneEnds(skeleton);
    Asset asset;
    asset.skeleton = skeleton;
    Mesh& mesh = asset.meshes.emplace_back();
    mesh.name = skeleton.name + "_proxy";
    Primitive& primitive = mesh.primitives.emplace_back();
    for (std::uint32_t i = 0; i < ends.size(); ++i) {
        const glm::dmat3 axes(globals[i]);
        bool drawn = false;
        for (const glm::dvec3& end : ends[i]) {
            if (glm::length(axes * end) < small / 10)
                continue;
            addOctahedron(primitive, i, end);
            drawn = true;
        }
        const double scale = glm::length(axes[1]);
        if (!drawn)
            addOctahedron(primitive, i, {0, scale > 0 ? small / scale : small, 0});
    }
    Material& material = asset.materials.emplace_back();
    material.name = mesh.name;
    material.unlit = false;
    return asset;
}

}  // namespace reanima::core
