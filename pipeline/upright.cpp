#include "pipeline/upright.h"

#include <string_view>

#include <fmt/format.h>

#include "binding/roles/body.h"
#include "binding/roles/body_points.h"
#include "binding/roles/role_links.h"

namespace reanima {

namespace {

std::string_view nameOf(const glm::dvec3& axis) {
    return axis.x > 0 ? "+X" : axis.x < 0 ? "-X" : axis.y > 0 ? "+Y" : axis.y < 0 ? "-Y" : axis.z > 0 ? "+Z" : "-Z";
}

/// What is rotated: only the motion if the body is already upright at rest.
enum class Turned { motion, all };

/// Rotates the roots.
void turn(core::Asset& asset, const glm::quat& turn, Turned turned) {
    for (std::uint32_t joint = 0; joint < asset.skeleton->joints.size(); ++joint) {
        core::Transform& rest = asset.skeleton->joints[joint].rest;
        if (asset.skeleton->parentOf(joint))
            continue;
        for (core::Clip& clip : asset.clips)
            if (core::JointTrack* track = clip.trackOf(joint)) {
                for (glm::quat& rotation : track->rotation.values)
                    rotation = glm::normalize(turn * rotation);
                for (glm::vec3& place : track->translation.values)
                    place = turn * place;
            }
        if (turned == Turned::all)
            rest = {turn * rest.translation, glm::normalize(turn * rest.rotation), rest.scale};
    }
}

glm::quat uprightFrom(const glm::dvec3& up) { return glm::quat(roles::smallestTurn(up, roles::kUpwards)); }

/// The up direction according to the roles of joints. If only motion shows the roles, directions are tried until the
/// roles are certain.
std::optional<glm::dvec3> upIn(const core::Asset& asset) {
    const roles::Anatomy known = roles::anatomyOfSource(*asset.skeleton, asset.clips);
    const std::vector<core::Pose> poses = roles::sampledPoses(*asset.skeleton, asset.clips);
    if (known.from != roles::Anatomy::From::motion)
        return roles::upOf(*asset.skeleton, poses, known);
    if (known.confidence >= roles::kCertain)
        return roles::kUpwards;
    for (const glm::dvec3& up :
         {glm::dvec3(0, 0, 1), glm::dvec3(1, 0, 0), glm::dvec3(0, 0, -1), glm::dvec3(-1, 0, 0), glm::dvec3(0, -1, 0)}) {
        core::Asset turned;
        turned.skeleton = asset.skeleton;
        turned.clips = asset.clips;
        turn(turned, uprightFrom(up), Turned::all);
        // An animal on its hind legs has a person's limbs, but its legs do not continue its back.
        const roles::Anatomy stood = roles::anatomyOfSource(*turned.skeleton, turned.clips);
        if (stood.confidence >= roles::kCertain && roles::upOf(*asset.skeleton, poses, stood) == up)
            return up;
    }
    return std::nullopt;
}

}  // namespace

void standUpright(core::Asset& asset, core::Diagnostics& diagnostics) {
    if (!asset.skeleton || asset.clips.empty())
        return;
    const std::optional<glm::dvec3> up = upIn(asset);
    if (!up || *up == roles::kUpwards)
        return;
    const std::optional<glm::dquat> rest =
        roles::standingTurn(*asset.skeleton, roles::anatomyOfSource(*asset.skeleton, asset.clips));
    constexpr double kSame = 0.9;
    const bool rests = rest && glm::dot(*rest * roles::kUpwards, roles::kUpwards) > kSame;
    turn(asset, uprightFrom(*up), rests ? Turned::motion : Turned::all);
    diagnostics.note(core::Code::assumed, {},
                     fmt::format("the character stands along {} and is turned so that +Y is up", nameOf(*up)));
}

void standUpright(core::Asset& asset, std::string_view up) {
    glm::dvec3 axis(0);
    axis[up.back() - 'x'] = up.front() == '-' ? -1 : 1;
    turn(asset, uprightFrom(axis), Turned::all);
}

}  // namespace reanima
