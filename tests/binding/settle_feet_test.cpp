// Legs are rotated towards the wanted ankle positions if the hips are off. Geometry in metres.

#include "binding/settle_feet.h"

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/pose.h"
#include "core/rotation.h"

namespace reanima::settling {
namespace {

using core::Clip;
using core::Skeleton;
using roles::Part;
using roles::Side;

constexpr std::uint32_t kFrames = 3;
constexpr std::uint32_t kHips = 0;
constexpr std::uint32_t kThigh = 1;
constexpr std::uint32_t kKnee = 2;
constexpr std::uint32_t kAnkle = 3;

Skeleton legSkeleton() {
    Skeleton skeleton;
    skeleton.hasRest = true;
    const glm::vec3 places[] = {{0, 0.95F, 0}, {0.1F, 0, 0}, {0, -0.45F, 0}, {0, -0.42F, 0}};
    for (const glm::vec3& place : places) {
        core::Joint joint;
        joint.name = "joint" + std::to_string(skeleton.joints.size());
        joint.parent = static_cast<int>(skeleton.joints.size()) - 1;
        joint.rest.translation = place;
        skeleton.joints.push_back(joint);
    }
    skeleton.joints[0].parent = core::kNoParent;
    return skeleton;
}

roles::Anatomy legRoles() {
    roles::Anatomy roles;
    roles.roles = {{Part::hips, Side::middle, 0},
                   {Part::upperLeg, Side::left, 0},
                   {Part::lowerLeg, Side::left, 0},
                   {Part::foot, Side::left, 0}};
    return roles;
}

/// The knee is bent by 40 degrees, the foot rotated by 10.
Clip bentClip(const glm::vec3& hips) {
    Clip clip;
    clip.frames = kFrames;
    clip.timelines = {core::frameTimes(kFrames, clip.rate)};
    const float degrees[] = {5, -20, 40, -10};
    for (std::uint32_t joint = 0; joint <= kAnkle; ++joint) {
        core::JointTrack track;
        track.joint = joint;
        for (std::uint32_t frame = 0; frame < kFrames; ++frame)
            track.rotation.values.push_back(
                glm::angleAxis(glm::radians(degrees[joint] + static_cast<float>(frame)), glm::vec3(1, 0, 0)));
        clip.tracks.push_back(std::move(track));
    }
    clip.tracks[kHips].translation.values.assign(kFrames, hips);
    return clip;
}

glm::dmat4 globalOf(const Skeleton& skeleton, const Clip& clip, std::uint32_t joint, std::uint32_t frame) {
    const core::Pose pose = core::samplePose(skeleton, clip, static_cast<double>(core::frameTime(frame, clip.rate)));
    return core::globalMatrices(skeleton, pose)[joint];
}

TEST(SettledFeet, PointFromWhereHipsAreToWhereTheyWereWanted) {
    const Skeleton skeleton = legSkeleton();
    const glm::vec3 wantedAt(0, 0.95F, 0);
    const glm::vec3 shownAt(0.004F, 0.947F, -0.003F);
    const Clip was = bentClip(wantedAt);
    Clip settled = was;
    binding::settleFeet({skeleton, bentClip(shownAt)}, legRoles(), skeleton, settled);
    Clip shown = settled;  // as the file will show it: hips in steps, legs in their current pose
    shown.trackOf(kHips)->translation.values.assign(kFrames, shownAt);
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
        const glm::dvec3 hip = globalOf(skeleton, shown, kThigh, frame)[3];
        const glm::dvec3 ankle = globalOf(skeleton, shown, kAnkle, frame)[3];
        const glm::dvec3 wanted = globalOf(skeleton, was, kAnkle, frame)[3];
        EXPECT_LT(glm::distance(glm::normalize(ankle - hip), glm::normalize(wanted - hip)), 1e-6);
        EXPECT_LT(glm::distance(ankle, wanted), 0.0035) << "what is left is along the leg: 3 mm and a little";
        EXPECT_LT(
            core::degreesBetween(globalOf(skeleton, shown, kAnkle, frame), globalOf(skeleton, was, kAnkle, frame)),
            1e-3);
        EXPECT_EQ(settled.trackOf(kKnee)->rotation.values[frame], was.trackOf(kKnee)->rotation.values[frame]);
    }
}

TEST(SettledFeet, StayAsTheyAreWhereHipsAre) {
    const Skeleton skeleton = legSkeleton();
    const Clip was = bentClip({0, 0.95F, 0});
    Clip settled = was;
    binding::settleFeet({skeleton, was}, legRoles(), skeleton, settled);
    for (const std::uint32_t joint : {kThigh, kKnee, kAnkle})
        for (std::uint32_t frame = 0; frame < kFrames; ++frame)
            EXPECT_LT(
                core::degreesBetween(globalOf(skeleton, settled, joint, frame), globalOf(skeleton, was, joint, frame)),
                1e-3);
}

TEST(SettledFeet, AreLeftAloneWhereNoLegIsKnown) {
    const Skeleton skeleton = legSkeleton();
    roles::Anatomy roles = legRoles();
    roles.roles[kKnee].part = Part::none;
    const Clip was = bentClip({0, 0.95F, 0});
    Clip settled = was;
    binding::settleFeet({skeleton, bentClip({0, 0.9F, 0})}, roles, skeleton, settled);
    for (std::uint32_t joint = 0; joint <= kAnkle; ++joint)
        EXPECT_EQ(settled.trackOf(joint)->rotation.values, was.trackOf(joint)->rotation.values);
}

}  // namespace
}  // namespace reanima::settling
