#include "drawing/previewed.h"

#include <utility>

#include "binding/roles/body_points.h"
#include "core/bake.h"

namespace reanima::drawing {

namespace {

using roles::Part;
using roles::Side;

BodySide sideOf(const roles::Role& role) {
    if (role.part == Part::weapon)
        return BodySide::weapon;
    if (role.side == Side::middle)
        return BodySide::middle;
    return role.side == Side::left ? BodySide::left : BodySide::right;
}

/// Joints without a role belong to their parent's part.
std::vector<BodySide> sidesOf(const core::Skeleton& skeleton, const roles::Anatomy& anatomy) {
    std::vector<BodySide> sides;
    for (std::size_t joint = 0; joint < skeleton.joints.size(); ++joint) {
        const roles::Role role = joint < anatomy.roles.size() ? anatomy.roles[joint] : roles::Role{};
        const std::int32_t parent = skeleton.joints[joint].parent;
        const bool inherits = (role.part == Part::none || role.part == Part::end) && parent != core::kNoParent;
        sides.push_back(inherits ? sides[static_cast<std::size_t>(parent)] : sideOf(role));
    }
    return sides;
}

/// A single joint for meshes without a skeleton.
core::Skeleton oneJointFor(core::Asset& asset) {
    core::Skeleton skeleton;
    skeleton.name = asset.meshes.front().name + "_model";
    core::Joint& joint = skeleton.joints.emplace_back();
    joint.name = "root";
    joint.end = glm::vec3(0, core::RestBaker(asset).height(), 0);
    for (core::Mesh& mesh : asset.meshes)
        for (core::Primitive& primitive : mesh.primitives)
            primitive.joints.assign(primitive.positions.size(), 0);
    return skeleton;
}

}  // namespace

Previewed previewOf(std::string name, std::string path, core::Asset asset, const roles::Anatomy& anatomy) {
    Previewed made{std::move(name), std::move(path), std::move(asset), {}, {}, {}};
    if (!made.asset.skeleton && !made.asset.meshes.empty())
        made.asset.skeleton = oneJointFor(made.asset);
    if (made.asset.skeleton) {
        made.sides = sidesOf(*made.asset.skeleton, anatomy);
        const core::Skeleton& skeleton = *made.asset.skeleton;
        made.front = View::ofMotion(skeleton, anatomy, roles::sampledPoses(skeleton, made.asset.clips));
    }
    return made;
}

}  // namespace reanima::drawing
