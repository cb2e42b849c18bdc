#include "core/body_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_inverse.hpp>

#include "core/pose.h"

namespace reanima::core {

namespace {

/// Directions over the whole sphere, about 14 degrees apart.
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
    constexpr std::size_t kMany = 8;  // for up to this many points per direction, testing all is faster than selecting
    if (points.size() <= kMany * directions.size())
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

/// The points of a rig's surface in the spaces of the joints that carry them.
std::vector<glm::vec3> pointsInJoints(const Rig& rig, double scale) {
    std::vector<glm::dmat4> toJoint = globalMatrices(rig.skeleton, restPose(rig.skeleton));
    for (glm::dmat4& matrix : toJoint)
        matrix = glm::affineInverse(matrix);
    std::vector<glm::vec3> points;
    points.reserve(rig.surface.size());
    for (const SurfacePoint& point : rig.surface)
        points.emplace_back(scale * glm::dvec3(toJoint[point.joint] * glm::dvec4(glm::dvec3(point.at), 1)));
    return points;
}

/// The joint that a vertex follows most, and the vertex in that joint's space.
std::pair<std::uint32_t, glm::vec3> heaviest(const Primitive& primitive, std::size_t vertex) {
    std::pair result{primitive.joints[vertex], primitive.positions[vertex]};
    if (primitive.others.empty())
        return result;
    float most = firstWeight(primitive, vertex);
    for (const Influence& other : primitive.others[vertex])
        if (other.weight > most) {
            most = other.weight;
            result = {other.joint, other.position};
        }
    return result;
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
                const auto [joint, position] = heaviest(primitive, i);
                if (root[joint] != body)
                    continue;
                surface.points.resize(skeleton.joints.size());
                surface.points[joint].push_back(position);
            }
    return surface;
}

std::vector<SurfacePoint> surfacePointsOf(const Asset& asset) {
    std::vector<SurfacePoint> points;
    const BodySurface surface = surfaceOf(asset);
    if (!surface.isKnown())
        return points;
    const std::vector<glm::dmat4> globals = globalMatrices(*asset.skeleton, restPose(*asset.skeleton));
    for (std::uint32_t joint = 0; joint < surface.points.size(); ++joint)
        for (const glm::vec3& point : surface.points[joint])
            points.push_back({joint, glm::vec3(globals[joint] * glm::dvec4(glm::dvec3(point), 1))});
    return points;
}

BodySurface surfaceOf(const Rig& rig, double scale) {
    BodySurface surface;
    if (rig.surface.empty())
        return surface;
    const std::vector<glm::vec3> inJoints = pointsInJoints(rig, scale);
    surface.points.resize(rig.skeleton.joints.size());
    for (std::size_t i = 0; i < inJoints.size(); ++i)
        surface.points[rig.surface[i].joint].push_back(inJoints[i]);
    return surface;
}

namespace {

/// All triangles of a rig that have one material, and only the vertices that they use.
Primitive primitiveOf(const Rig& rig, std::uint32_t material, const std::vector<glm::vec3>& points) {
    const RigLook& look = *rig.look;
    Primitive primitive;
    primitive.material = material;
    constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> numbers(points.size(), kNone);
    for (std::size_t i = 0; i < rig.triangles.size(); ++i) {
        if (look.triangles[i / 3] != material)
            continue;
        const std::uint32_t point = rig.triangles[i];
        if (numbers[point] == kNone) {
            numbers[point] = static_cast<std::uint32_t>(primitive.positions.size());
            primitive.positions.push_back(points[point]);
            primitive.joints.push_back(rig.surface[point].joint);
            primitive.textureCoordinates.push_back(look.points[point].texel);
            primitive.colors.push_back(look.points[point].colour);
        }
        primitive.indices.push_back(numbers[point]);
    }
    return primitive;
}

/// Adds the rig's meshes in the rig's own colours.
void dressAsItLooks(Asset& asset, const Rig& rig, double scale) {
    asset.materials = rig.look->materials;
    asset.images = rig.look->images;
    const std::vector<glm::vec3> points = pointsInJoints(rig, scale);
    Mesh mesh{rig.skeleton.name + "_mesh", {}};
    for (std::uint32_t material = 0; material < asset.materials.size(); ++material)
        if (std::ranges::find(rig.look->triangles, material) != rig.look->triangles.end())
            mesh.primitives.push_back(primitiveOf(rig, material, points));
    asset.meshes = {std::move(mesh)};
}

}  // namespace

void dressAsRig(Asset& asset, const Rig& rig, double scale) {
    if (rig.triangles.empty())
        return;
    if (rig.look)
        return dressAsItLooks(asset, rig, scale);
    constexpr float kClay = 0.4F;
    Material clay;
    clay.name = "clay";
    clay.doubleSided = true;
    clay.unlit = false;
    asset.materials = {std::move(clay)};
    Primitive primitive;
    primitive.positions = pointsInJoints(rig, scale);
    for (const SurfacePoint& point : rig.surface)
        primitive.joints.push_back(point.joint);
    primitive.colors.assign(primitive.positions.size(), {kClay, kClay, kClay, 1});
    primitive.indices = rig.triangles;
    asset.meshes = {{rig.skeleton.name + "_mesh", {std::move(primitive)}}};
}

}  // namespace reanima::core
