/// Meshes that follow the joints of another skeleton. Positions are computed by hand.
#include "binding/motion/bound_meshes.h"

#include <gtest/gtest.h>

#include "core/pose.h"
#include "support/doll.h"

namespace reanima::motion {
namespace {

/// The doll's skeleton at twice the size, without a rotation of the arm and without a joint for weapons.
Skeleton rig() {
    Skeleton skeleton;
    skeleton.name = "rig";
    skeleton.joints.resize(2);
    skeleton.joints[0].name = "hips";
    skeleton.joints[0].rest.translation = {0, 2, 0};
    skeleton.joints[1].name = "upper_arm";
    skeleton.joints[1].parent = 0;
    skeleton.joints[1].rest.translation = {1.5F, 0, 0};
    return skeleton;
}

Binding links(const Asset& asset) {
    Binding binding;
    binding.links = {{0, 0}, {1, 1}};
    binding.reference = restPose(*asset.skeleton);
    binding.scale = 2;
    return binding;
}

void expectNear(const glm::vec3& a, const glm::vec3& b) {
    for (glm::length_t i = 0; i < 3; ++i)
        EXPECT_NEAR(a[i], b[i], 1e-6) << i;
}

TEST(BoundMeshes, LieBesideTheJointThatFollowsTheirOwn) {
    const Asset asset = test::doll();
    const std::vector<Mesh> meshes = bindMeshes(asset, rig(), links(asset));
    ASSERT_EQ(meshes.size(), 2U);
    EXPECT_EQ(meshes[0].name, "doll_body");
    const Primitive& quad = meshes[0].primitives[0];
    expectNear(quad.positions[2], {2, 2, 0});
    EXPECT_EQ(quad.joints[2], 0U);
    // (0.5, 0, 0) in the doll's arm is 0.5 m above the arm, in the rig 1 m; the lift is 2 x 0.01 of 2 m.
    const Primitive& sleeve = meshes[0].primitives[1];
    EXPECT_EQ(sleeve.joints[1], 1U);
    expectNear(sleeve.positions[1], {0, 1, 0.04F});
    expectNear(sleeve.normals[1], {-1, 0, 0});
    EXPECT_TRUE(sleeve.lifts.empty());
}

TEST(BoundMeshes, GoWithTheFirstJointWhereNoneAboveIsFollowed) {
    const Asset asset = test::doll();
    const Primitive blade = bindMeshes(asset, rig(), links(asset))[1].primitives[0];
    EXPECT_EQ(blade.joints[0], 0U);
    expectNear(blade.positions[0], {0, -2, 2});  // the weapon is 1 m below and 1 m in front of the root
    expectNear(blade.positions[2], {0, 4, 2});
}

TEST(BoundMeshes, GoWithTheNearestJointAbove) {
    const Asset asset = test::doll();
    Binding binding = links(asset);
    binding.links.pop_back();
    const Primitive sleeve = bindMeshes(asset, rig(), binding)[0].primitives[1];
    EXPECT_EQ(sleeve.joints[0], 0U);
    expectNear(sleeve.positions[0], {1, 0, 0.04F});  // the arm begins 0.5 m beside the root
}

TEST(BoundMeshes, WeaponsGoWithTheJointThatIsAddedForThem) {
    const Asset asset = test::doll();
    Binding binding = links(asset);
    binding.attachments = {{2, 1}};
    const Primitive blade = bindMeshes(asset, rig(), binding)[1].primitives[0];
    EXPECT_EQ(blade.joints[0], 2U);
    expectNear(blade.positions[2], {0, 6, 0});
}

TEST(BoundMeshes, FollowTurnsAndScalesOfTheRig) {
    const Asset asset = test::doll();
    Skeleton turned = rig();
    turned.joints[0].rest.scale = glm::vec3(0.01F);
    turned.joints[0].rest.rotation = glm::angleAxis(std::numbers::pi_v<float> / 2, glm::vec3(0, 0, 1));
    const Primitive quad = bindMeshes(asset, turned, links(asset))[0].primitives[0];
    // 2 m to the right and up in the model; the joint's X points up, its Y to the left, in hundredths.
    EXPECT_NEAR(quad.positions[2].x, 200, 1e-3);
    EXPECT_NEAR(quad.positions[2].y, -200, 1e-3);
}

TEST(BoundMeshes, AreCopiedWithTheAxesOfTheSource) {
    const Asset asset = test::doll();
    Binding binding = links(asset);
    binding.mode = BindMode::copy;
    binding.scale = 1;
    expectNear(bindMeshes(asset, rig(), binding)[0].primitives[1].positions[1], {0.5F, 0, 0.02F});
}

}  // namespace
}  // namespace reanima::motion
