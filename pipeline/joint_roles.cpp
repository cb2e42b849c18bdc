#include "pipeline/joint_roles.h"

#include <fmt/format.h>

#include "binding/roles/further_bodies.h"
#include "binding/roles/role_links.h"
#include "core/body_surface.h"

namespace reanima {

namespace {

roles::StatedRoles statedRoles(const Names& names, const JointMap& map) {
    roles::StatedRoles roles = map.roles;
    roles.insert(names.roles.begin(), names.roles.end());
    return roles;
}

void addRolesOf(const core::Skeleton& skeleton, roles::StatedRoles& roles) {
    for (const core::Joint& joint : skeleton.joints)
        if (!joint.role.empty())
            roles.emplace(joint.name, joint.role);
}

}  // namespace

std::optional<roles::Anatomy> rolesOfSource(const core::Asset& asset, const Names& names, const JointMap& map) {
    if (!asset.skeleton || asset.skeleton->origin == core::Skeleton::Origin::madeUp)
        return std::nullopt;
    roles::StatedRoles roles = statedRoles(names, map);
    addRolesOf(*asset.skeleton, roles);
    return roles::anatomyOfSource(*asset.skeleton, asset.clips, roles, core::surfaceOf(asset));
}

roles::Anatomy rolesOfRig(const core::Rig& rig, const Names& names, const JointMap& map,
                          core::Diagnostics& diagnostics) {
    roles::StatedRoles roles = statedRoles(names, map);
    addRolesOf(rig.skeleton, roles);
    for (std::size_t joint = 0; joint < rig.roles.size(); ++joint)
        if (!rig.roles[joint].empty())
            roles.emplace(rig.skeleton.joints[joint].name, rig.roles[joint]);
    const core::BodySurface surface = core::surfaceOf(rig, 1);
    roles::Anatomy anatomy = roles::anatomyOfRig(rig.skeleton, roles, surface);
    if (!rig.motion.empty() && anatomy.confidence < roles::kCertain)
        anatomy = roles::anatomyOfSource(rig.skeleton, rig.motion, roles, surface);
    for (const roles::FurtherBody& body : roles::furtherBodies(rig.skeleton, anatomy))
        diagnostics.warn(core::Code::jointUnmatched, {},
                         fmt::format("{} with {} joints looks like another character, so it keeps its rest pose",
                                     body.top, body.joints));
    return anatomy;
}

}  // namespace reanima
