// Bodies of Final Fantasy IX: facts from clips, and mirrored models. Positions are chosen by hand.

#include "pipeline/memoria_body.h"

#include <gtest/gtest.h>

#include "core/pose.h"
#include "pipeline/mirrored_body.h"

namespace reanima {
namespace {

struct Row {
    const char* name;
    int parent;
    glm::vec3 place;  ///< in model space
};

/// The joints of a person in the game. Legs end at the ankles, 0.17 m above the floor; the head is a joint.
core::Skeleton person() {
    std::vector<Row> rows = {{"bone000", core::kNoParent, {0, 0.94F, 0}},
                             {"bone001", 0, {0, 0.94F, 0}},
                             {"bone002", 0, {0, 0.94F, 0}},
                             {"bone003", 2, {0, 1.28F, 0}},
                             {"bone004", 3, {0, 1.38F, 0}}};
    for (const float side : {1.0F, -1.0F}) {
        const int thigh = static_cast<int>(rows.size());
        rows.push_back({side > 0 ? "thigh_l" : "thigh_r", 1, {side * 0.1F, 0.77F, 0}});
        rows.push_back({side > 0 ? "shin_l" : "shin_r", thigh, {side * 0.1F, 0.46F, 0}});
        rows.push_back({side > 0 ? "foot_l" : "foot_r", thigh + 1, {side * 0.1F, 0.17F, -0.02F}});
        rows.push_back({side > 0 ? "arm_l" : "arm_r", 2, {side * 0.18F, 1.28F, 0}});
        rows.push_back({side > 0 ? "elbow_l" : "elbow_r", thigh + 3, {side * 0.38F, 1.11F, 0}});
        rows.push_back({side > 0 ? "hand_l" : "hand_r", thigh + 4, {side * 0.6F, 0.91F, 0}});
    }
    core::Skeleton skeleton;
    for (const Row& row : rows) {
        core::Joint& joint = skeleton.joints.emplace_back();
        joint.name = row.name;
        joint.parent = row.parent;
        joint.rest.translation =
            row.place -
            (row.parent == core::kNoParent ? glm::vec3(0) : rows[static_cast<std::size_t>(row.parent)].place);
    }
    return skeleton;
}

/// A clip in which every joint rotates about an axis, and back.
core::Clip turningAbout(const glm::vec3& axis, const core::Skeleton& skeleton) {
    core::Clip clip;
    clip.frames = 3;
    clip.rate = 30;
    clip.timelines = {core::frameTimes(3, 30)};
    for (std::uint32_t joint = 1; joint < skeleton.joints.size(); ++joint) {
        core::JointTrack& track = clip.tracks.emplace_back(core::JointTrack{joint, {}, {}, {}});
        for (const float angle : {0.0F, 0.1F, 0.0F})
            track.rotation.values.push_back(skeleton.joints[joint].rest.rotation * glm::angleAxis(angle, axis));
    }
    return clip;
}

std::string roleOf(const core::Asset& asset, const char* name) {
    return asset.skeleton->joints[*asset.skeleton->find(name)].role;
}

TEST(MemoriaBody, ClipsTellRolesAndTheHeightOfAnkles) {
    core::Asset asset;
    asset.skeleton = person();
    asset.clips = {turningAbout({1, 0, 0}, *asset.skeleton)};
    tellMemoriaBody(asset);
    EXPECT_EQ(roleOf(asset, "bone000"), "hips");
    EXPECT_EQ(roleOf(asset, "bone004"), "head");
    EXPECT_EQ(roleOf(asset, "thigh_l"), "leftUpperLeg");  // although the knees do not bend forward
    EXPECT_EQ(roleOf(asset, "foot_r"), "rightFoot");
    EXPECT_EQ(roleOf(asset, "arm_l"), "leftUpperArm");
    ASSERT_TRUE(ankleHeightOf(*asset.skeleton));
    EXPECT_NEAR(*ankleHeightOf(*asset.skeleton), 0.17, 0.005);  // swinging legs are not lower
}

TEST(MemoriaBody, FeetWithToesBelongToAnotherProgram) {
    core::Asset asset;
    asset.skeleton = person();
    for (const char* foot : {"foot_l", "foot_r"}) {
        core::Joint toes;
        toes.name = std::string("toes") + foot;
        toes.parent = static_cast<int>(*asset.skeleton->find(foot));
        toes.rest.translation = {0, -0.1F, 0.12F};
        asset.skeleton->joints.push_back(toes);
    }
    asset.clips = {turningAbout({1, 0, 0}, *asset.skeleton)};
    tellMemoriaBody(asset);
    EXPECT_EQ(roleOf(asset, "bone000"), "");
    EXPECT_FALSE(ankleHeightOf(*asset.skeleton));
}

TEST(MemoriaBody, WhatIsNoPersonHasNoRoles) {
    core::Asset asset;
    asset.skeleton.emplace();
    asset.skeleton->joints.resize(3);
    for (int joint = 0; joint < 3; ++joint) {
        asset.skeleton->joints[static_cast<std::size_t>(joint)].name = "bone" + std::to_string(joint);
        asset.skeleton->joints[static_cast<std::size_t>(joint)].parent = joint - 1;
        asset.skeleton->joints[static_cast<std::size_t>(joint)].rest.translation = {0, 0, 0.2F};
    }
    asset.clips = {turningAbout({1, 0, 0}, *asset.skeleton)};
    tellMemoriaBody(asset);
    EXPECT_EQ(roleOf(asset, "bone0"), "");
    EXPECT_FALSE(ankleHeightOf(*asset.skeleton));
}

/// A model with the opposite X.
core::Skeleton inMirror(core::Skeleton skeleton) {
    for (core::Joint& joint : skeleton.joints) {
        joint.rest.translation.x = -joint.rest.translation.x;
        joint.rest.rotation.y = -joint.rest.rotation.y;
        joint.rest.rotation.z = -joint.rest.rotation.z;
    }
    return skeleton;
}

TEST(MemoriaBody, ClipsTellWhichModelIsMirrored) {
    core::Asset asset;
    asset.skeleton = person();
    for (core::Joint& joint : asset.skeleton->joints)
        joint.rest.rotation = glm::angleAxis(0.4F, glm::vec3(0, 1, 0));
    asset.clips = {turningAbout({1, 0, 0}, *asset.skeleton)};
    EXPECT_EQ(isSeenInMirror(*asset.skeleton, asset), std::optional(false));
    EXPECT_EQ(isSeenInMirror(inMirror(*asset.skeleton), asset), std::optional(true));
    core::Skeleton other = *asset.skeleton;
    for (core::Joint& joint : other.joints)
        joint.name += "_";
    EXPECT_EQ(isSeenInMirror(other, asset), std::nullopt);
    for (core::Joint& joint : asset.skeleton->joints)  // nothing is beside the middle or rotated sideways
        joint.rest = {};
    asset.clips = {turningAbout({1, 0, 0}, *asset.skeleton)};
    EXPECT_EQ(isSeenInMirror(*asset.skeleton, asset), std::nullopt);
}

TEST(MirroredBody, StaysWhereItIs) {
    core::Skeleton skeleton = person();
    skeleton.joints[0].rest.scale = glm::vec3(-1);
    std::vector<core::Clip> clips = {turningAbout({0, 1, 0}, skeleton)};
    const core::Skeleton before = skeleton;
    const std::vector<core::Clip> moved = clips;
    ASSERT_EQ(mirroredJoints(skeleton), std::vector<std::uint32_t>{0});
    turnInsideOut({0}, skeleton, clips);
    EXPECT_TRUE(mirroredJoints(skeleton).empty());
    const auto was = core::globalMatrices(before, core::samplePose(before, moved[0], 1 / 30.0));
    const auto is = core::globalMatrices(skeleton, core::samplePose(skeleton, clips[0], 1 / 30.0));
    for (std::size_t joint = 0; joint < was.size(); ++joint)
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_NEAR(was[joint][3][axis], is[joint][3][axis], 1e-6) << joint;
    turnInsideOut({0}, skeleton, clips);
    EXPECT_EQ(skeleton.joints[3].rest.translation, before.joints[3].rest.translation);
}

}  // namespace
}  // namespace reanima
