#include "pipeline/memoria_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <glm/geometric.hpp>

#include "binding/motion/linked_skeletons.h"
#include "binding/roles/body_points.h"
#include "binding/roles/match_joints.h"
#include "binding/roles/motion_anatomy.h"
#include "binding/roles/role_matches.h"
#include "core/body_surface.h"
#include "core/pose.h"
#include "pipeline/mirrored_body.h"

namespace reanima {

namespace {

constexpr const char* kAnkleHeight = "ankle_height";

/// The difference between a joint's rest pose and its clips, in degrees. A position error of the joint's full length is
/// counted as 60 degrees.
double distanceFrom(const core::Asset& asset, std::uint32_t joint, const core::Transform& rest) {
    constexpr double kDegreesALength = 120;
    double turned = std::numeric_limits<double>::infinity();
    double moved = turned;
    for (const core::Clip& clip : asset.clips) {
        const core::JointTrack* track = clip.trackOf(joint);
        if (track == nullptr)
            continue;
        for (const glm::quat& rotation : track->rotation.values)
            turned = std::min(turned, core::degreesBetween(glm::dquat(rotation), glm::dquat(rest.rotation)));
        if (asset.skeleton->parentOf(joint) && track->translation.isPresent()) {
            const glm::dvec3 place(track->translation.values.front());
            const glm::dvec3 resting(rest.translation);
            const double size = glm::length(place) + glm::length(resting);
            if (size > 0)
                moved = std::min(moved, kDegreesALength * glm::distance(place, resting) / size);
        }
    }
    return turned + (std::isfinite(moved) ? moved : 0);
}

}  // namespace

namespace {

/// @return the roles of the joints, if they are certain
std::optional<roles::Anatomy> anatomyOf(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips,
                                        const core::BodySurface& surface) {
    core::Skeleton upright = skeleton;
    std::vector<core::Clip> moving = clips;
    turnInsideOut(mirroredJoints(skeleton), upright, moving);
    roles::Anatomy anatomy = roles::anatomyByMotion(upright, moving, surface, roles::Facing::ahead);
    if (anatomy.confidence < roles::kCertain)
        return std::nullopt;
    return anatomy;
}

void setRoles(const roles::Anatomy& anatomy, core::Skeleton& skeleton) {
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
        if (anatomy.roles[joint].part != roles::Part::none)
            skeleton.joints[joint].role = roles::nameOf(anatomy.roles[joint]);
}

/// Legs of the game's skeletons end at the ankles.
bool endsAtAnkles(const core::Skeleton& skeleton, const roles::Anatomy& anatomy) {
    return std::ranges::none_of(std::array{roles::Side::left, roles::Side::right}, [&](roles::Side side) {
        const auto foot = anatomy.jointOf(roles::Part::foot, side);
        return foot && std::ranges::any_of(skeleton.joints, [&](const core::Joint& joint) {
                   return joint.parent == static_cast<int>(*foot);
               });
    });
}

}  // namespace

namespace {

/// Height above the floor, in metres.
double lowestFoot(const core::Skeleton& skeleton, const core::Clip& clip, const roles::Anatomy& anatomy) {
    double lowest = std::numeric_limits<double>::infinity();
    for (const core::Pose& pose : roles::sampledPoses(skeleton, {clip})) {
        const motion::Globals globals = motion::globalsOf(skeleton, pose);
        for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
            if (const roles::Part part = anatomy.roles[joint].part;
                part == roles::Part::foot || part == roles::Part::toes)
                lowest = std::min(lowest, globals.positions[joint].y);
    }
    return lowest;
}

}  // namespace

void restAsModel(const core::Skeleton& model, core::Asset& asset) {
    if (!asset.skeleton || !roles::hasJointsNamedAlike(*asset.skeleton, asset.clips, model))
        return;
    for (core::Joint& joint : asset.skeleton->joints)
        if (const auto same = model.find(joint.name))
            joint.rest = model.joints[*same].rest;
}

void tellMemoriaBody(core::Rig& rig) {
    if (const auto anatomy = anatomyOf(rig.skeleton, {}, core::surfaceOf(rig, 1)))
        setRoles(*anatomy, rig.skeleton);
}

void tellMemoriaBody(core::Asset& asset) {
    if (!asset.skeleton || asset.clips.empty())
        return;
    core::Skeleton& skeleton = *asset.skeleton;
    if (!roles::isNumberedName(skeleton.joints.front().name))  // another program's skeleton
        return;
    const std::optional<roles::Anatomy> anatomy = anatomyOf(skeleton, asset.clips, {});
    if (!anatomy || !endsAtAnkles(skeleton, *anatomy))
        return;
    setRoles(*anatomy, skeleton);
    std::vector<double> lowest;
    for (const core::Clip& clip : asset.clips)
        lowest.push_back(lowestFoot(skeleton, clip, *anatomy));
    const auto middle = lowest.begin() + static_cast<std::ptrdiff_t>(lowest.size() / 2);
    std::ranges::nth_element(lowest, middle);
    if (*middle > 0 && std::isfinite(*middle))
        skeleton.extras.emplace_back(kAnkleHeight, *middle);
}

std::optional<double> ankleHeightOf(const core::Skeleton& skeleton) {
    for (const auto& [name, value] : skeleton.extras)
        if (name == kAnkleHeight)
            if (const double* metres = std::get_if<double>(&value.data))
                return *metres;
    return std::nullopt;
}

std::optional<bool> isSeenInMirror(const core::Skeleton& rest, const core::Asset& asset) {
    if (!asset.skeleton)
        return std::nullopt;
    double asItIs = 0;
    double mirrored = 0;
    std::size_t joints = 0;
    for (std::uint32_t joint = 0; joint < asset.skeleton->joints.size(); ++joint) {
        const auto same = rest.find(asset.skeleton->joints[joint].name);
        if (!same)
            continue;
        const core::Transform& stands = rest.joints[*same].rest;
        const double near = distanceFrom(asset, joint, stands);
        if (!std::isfinite(near))
            continue;
        core::Transform other = stands;
        other.translation.x = -other.translation.x;
        other.rotation.y = -other.rotation.y;
        other.rotation.z = -other.rotation.z;
        asItIs += near;
        mirrored += distanceFrom(asset, joint, other);
        ++joints;
    }
    constexpr std::size_t kFewest = 5;
    constexpr double kClearly = 1;  // degree per joint
    if (joints < kFewest || std::abs(asItIs - mirrored) < kClearly * static_cast<double>(joints))
        return std::nullopt;
    return mirrored < asItIs;
}

}  // namespace reanima
