// Figures stand on the ground, look ahead and lie in their palms. Places are laid out by hand, in metres; what is
// expected follows from them.

#include <algorithm>

#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

#include "binding/ground.h"
#include "binding/roles/stance.h"

namespace reanima {
namespace {

using binding::Ground;
using binding::GroundBody;
using core::BodySurface;
using core::Clip;
using core::Pose;
using core::Skeleton;
using roles::Anatomy;
using roles::Part;
using roles::Role;
using roles::Side;

constexpr std::uint32_t kHips = 0;
constexpr std::uint32_t kHead = 1;
constexpr std::uint32_t kLeftFoot = 4;
constexpr std::uint32_t kLeftHand = 10;
constexpr std::uint32_t kFingerLeft = 14;

/// A body in T pose that looks to +Z.
struct Body {
    Skeleton skeleton{};
    Anatomy roles{};
    BodySurface surface{};

    void add(const Role& role, int parent, const glm::vec3& from) {
        core::Joint joint;
        joint.name = "joint" + std::to_string(skeleton.joints.size());
        joint.parent = parent;
        joint.rest.translation = from;
        skeleton.joints.push_back(joint);
        roles.roles.push_back(role);
    }
};

/// @param leg metres of a thigh, and of a shin; ankles are `ankle` above the ground
Body bodyOf(float leg, float ankle) {
    Body body;
    body.skeleton.hasRest = true;
    body.add({Part::hips, Side::middle, 0}, core::kNoParent, {0, 2 * leg + ankle, 0});
    body.add({Part::head, Side::middle, 0}, 0, {0, 0.6F, 0});
    for (const Side side : {Side::left, Side::right}) {
        const float x = side == Side::left ? 0.1F : -0.1F;
        const int thigh = static_cast<int>(body.skeleton.joints.size());
        body.add({Part::upperLeg, side, 0}, 0, {x, 0, 0});
        body.add({Part::lowerLeg, side, 0}, thigh, {0, -leg, 0});
        body.add({Part::foot, side, 0}, thigh + 1, {0, -leg, 0});
    }
    for (const Side side : {Side::left, Side::right}) {
        const float x = side == Side::left ? 0.2F : -0.2F;
        const int arm = static_cast<int>(body.skeleton.joints.size());
        body.add({Part::upperArm, side, 0}, 0, {x, 0.5F, 0});
        body.add({Part::lowerArm, side, 0}, arm, {x, 0, 0});
        body.add({Part::hand, side, 0}, arm + 1, {x, 0, 0});
    }
    body.surface.points.resize(body.skeleton.joints.size());
    body.surface.points[kHead] = {{0, 0.2F, 0}};
    for (const std::uint32_t foot : {kLeftFoot, kLeftFoot + 3})
        body.surface.points[foot] = {{0, -ankle, -0.05F}, {0, -ankle, 0.15F}};
    return body;
}

/// Its hips move up by so much, a frame each.
Clip jumping(const Body& body, const std::vector<float>& heights) {
    Clip clip;
    clip.frames = static_cast<std::uint32_t>(heights.size());
    clip.timelines = {core::frameTimes(heights.size(), clip.rate)};
    core::JointTrack track;
    track.joint = kHips;
    for (const float height : heights)
        track.translation.values.push_back(body.skeleton.joints[kHips].rest.translation + glm::vec3(0, height, 0));
    clip.tracks.push_back(track);
    return clip;
}

std::vector<Pose> posesOf(const Body& body, const Clip& clip) {
    std::vector<Pose> poses;
    for (const float time : clip.timelines[0])
        poses.push_back(core::samplePose(body.skeleton, clip, static_cast<double>(time)));
    return poses;
}

GroundBody asGround(const Body& body) { return {body.skeleton, body.roles, body.surface}; }

TEST(Ground, FiguresStandAndJumpAsHighAsTheirLegsAreLong) {
    const Body source = bodyOf(0.2F, 0.1F);  // 1.3 m: 0.5 + 0.6 + 0.2
    const Body target = bodyOf(0.4F, 0.1F);  // 1.7 m
    const Clip clip = jumping(source, {0, 0, 0, 0, 0.5F});
    const std::vector<Pose> poses = posesOf(source, clip);
    const Ground ground(asGround(source), poses, asGround(target), 2);
    Clip bound = jumping(target, {0.3F, 0.25F, -0.2F, 0.3F, 0.1F});
    ground.stand(clip, target.skeleton, bound);
    const std::vector<Pose> stood = posesOf(target, bound);
    const float rest = target.skeleton.joints[kHips].rest.translation.y;
    for (std::size_t frame = 0; frame < 4; ++frame)
        EXPECT_NEAR(stood[frame][kHips].translation.y, rest, 1e-5F) << frame;
    EXPECT_NEAR(stood[4][kHips].translation.y, rest + 2 * 0.5F, 1e-5F);
    const binding::OffGround off = ground.offGround({clip}, target.skeleton, {bound});
    EXPECT_NEAR(off.floats, 0, 1e-5);
    EXPECT_NEAR(off.sinks, 0, 1e-5);
    EXPECT_NEAR(off.height, 1.7, 1e-5);
}

TEST(Ground, SaysHowFarAFigureIsOff) {
    const Body source = bodyOf(0.4F, 0.1F);
    const Clip clip = jumping(source, {0, 0, 0.5F});
    const std::vector<Pose> poses = posesOf(source, clip);
    const Ground ground(asGround(source), poses, asGround(source), 1);
    const binding::OffGround off = ground.offGround({clip}, source.skeleton, {jumping(source, {0.07F, -0.02F, 3})});
    EXPECT_NEAR(off.floats, 0.07, 1e-5);
    EXPECT_NEAR(off.sinks, 0.02, 1e-5);
}

TEST(Ground, WithoutMeshesIsBelowTheJointsOfTheFeet) {
    Body target = bodyOf(0.4F, 0.1F);
    target.surface = {};
    const Body source = bodyOf(0.4F, 0.1F);
    const std::vector<Pose> poses = posesOf(source, jumping(source, {0, 0, 0.5F}));
    const Ground ground(asGround(source), poses, asGround(target), 1);
    const std::optional<double> lift = ground.liftOf(posesOf(target, jumping(target, {-0.3F, -0.3F, 0})));
    ASSERT_TRUE(lift);
    EXPECT_NEAR(*lift, 0.3, 1e-5);
}

TEST(Ground, IsNotWhatLiesBeside) {
    const Body source = bodyOf(0.4F, 0.1F);
    Body target = bodyOf(0.4F, 0.1F);
    target.add({Part::ik, Side::middle, 0}, core::kNoParent, {0, -5, 0});
    target.surface.points.push_back({{0, 0, 0}});
    const Clip clip = jumping(source, {0, 0});
    const std::vector<Pose> poses = posesOf(source, clip);
    const Ground ground(asGround(source), poses, asGround(target), 1);
    EXPECT_NEAR(ground.offGround({clip}, target.skeleton, {jumping(target, {0, 0})}).floats, 0, 1e-5);
}

TEST(Surface, KeepsWhatIsFarthestOut) {
    BodySurface surface;
    surface.points.resize(2);
    for (int i = 0; i <= 20; ++i)
        for (int j = 0; j <= 20; ++j)
            surface.points[1].emplace_back(static_cast<float>(i) - 10, static_cast<float>(j) - 10, 0);
    const BodySurface outer = surface.outermost();
    ASSERT_EQ(outer.points.size(), 2U);
    EXPECT_TRUE(outer.of(0).empty());
    EXPECT_LT(outer.of(1).size(), 50U);
    for (const glm::vec3& corner :
         {glm::vec3(10, 10, 0), glm::vec3(-10, 10, 0), glm::vec3(10, -10, 0), glm::vec3(-10, -10, 0)})
        EXPECT_NE(std::ranges::find(outer.of(1), corner), outer.of(1).end());
}

/// The body in its rest pose, but for one joint.
std::vector<Pose> posesWith(const Body& body, std::uint32_t joint, const glm::quat& rotation) {
    Pose pose = core::restPose(body.skeleton);
    pose[joint].rotation = rotation;
    return {pose, pose, pose};
}

double degreesFrom(const std::optional<motion::FoundStance>& found, const glm::quat& expected) {
    return found ? core::degreesBetween(found->rotation, glm::dquat(expected)) : 360;
}

const glm::quat kAnyTurn = glm::normalize(glm::quat(0.3F, -0.5F, 0.7F, 0.2F));

TEST(Stance, FacesLookAheadWhateverTheAxesOfTheHead) {
    const Body source = bodyOf(0.4F, 0.1F);
    Body target = bodyOf(0.5F, 0.1F);
    const std::vector<Pose> poses = posesWith(source, kHead, kAnyTurn);
    const roles::Stance ahead({source.skeleton, source.roles, poses, false, source.surface},
                              {target.skeleton, target.roles, target.surface});
    const std::optional<motion::FoundStance> found = ahead.of({kHead, glm::dquat(1, 0, 0, 0), true});
    EXPECT_LT(degreesFrom(found, kAnyTurn), 1e-3);
    EXPECT_EQ(found->from, motion::RollFrom::face);
    // A rig that looks to -Z.
    const glm::quat around(0, 0, 1, 0);
    target.skeleton.joints[kHips].rest.rotation = around;
    const roles::Stance back({source.skeleton, source.roles, poses, false, source.surface},
                             {target.skeleton, target.roles, target.surface});
    EXPECT_LT(degreesFrom(back.of({kHead, glm::dquat(1, 0, 0, 0), true}), around * kAnyTurn), 1e-3);
}

TEST(Stance, WhoLiesDoesNotCount) {
    const Body source = bodyOf(0.4F, 0.1F);
    std::vector<Pose> poses = posesWith(source, kHead, kAnyTurn);
    Pose lying = core::restPose(source.skeleton);
    lying[kHips].rotation = glm::angleAxis(glm::radians(-90.0F), glm::vec3(1, 0, 0));
    poses.push_back(lying);
    const roles::Stance stance({source.skeleton, source.roles, poses, false, source.surface},
                               {source.skeleton, source.roles, source.surface});
    EXPECT_LT(degreesFrom(stance.of({kHead, glm::dquat(1, 0, 0, 0), true}), kAnyTurn), 1e-3);
}

TEST(Stance, SolesAreLevelWhereTheyStand) {
    const Body source = bodyOf(0.4F, 0.1F);
    std::vector<Pose> poses = posesWith(source, kLeftFoot, kAnyTurn);
    Pose lifted = core::restPose(source.skeleton);
    lifted[kHips].translation.y += 0.5F;
    poses.push_back(lifted);
    const roles::Stance stance({source.skeleton, source.roles, poses, false, source.surface},
                               {source.skeleton, source.roles, source.surface});
    // Bones lead to a foot that is pitched by 30 degrees.
    const glm::quat pitched = glm::angleAxis(glm::radians(30.0F), glm::vec3(1, 0, 0)) * kAnyTurn;
    EXPECT_LT(degreesFrom(stance.of({kLeftFoot, glm::dquat(pitched), true}), kAnyTurn), 1e-3);
}

TEST(Stance, PalmsFaceTheThighsOfArmsThatHang) {
    Body source = bodyOf(0.4F, 0.1F);
    source.surface.points[kLeftHand] = {{0.1F, 0, 0.01F}, {0.1F, 0, -0.01F}};
    Body target = bodyOf(0.4F, 0.1F);
    target.add({Part::index, Side::left, 0}, kLeftHand, {0.1F, 0, 0.03F});
    target.add({Part::little, Side::left, 0}, kLeftHand, {0.1F, 0, -0.03F});
    ASSERT_EQ(target.skeleton.joints.size(), kFingerLeft + 2);
    // The arm hangs; its hand, which points along its X axis, is turned about itself by 40 degrees.
    Pose hanging = core::restPose(source.skeleton);
    const std::uint32_t upperArm = kLeftHand - 2;
    hanging[upperArm].rotation = glm::angleAxis(glm::radians(-90.0F), glm::vec3(0, 0, 1));
    const glm::quat rolled = glm::angleAxis(glm::radians(40.0F), glm::vec3(1, 0, 0));
    hanging[kLeftHand].rotation = rolled;
    const std::vector<Pose> poses(3, hanging);
    const roles::Stance stance({source.skeleton, source.roles, poses, false, source.surface},
                               {target.skeleton, target.roles, target.surface});
    // The palm, which looks to -X of the world while the arm hangs, looks down in the rig's T pose: as the hand sees
    // it, it is -Y turned back by 40 degrees.
    const std::optional<motion::FoundStance> found = stance.of({kLeftHand, glm::dquat(1, 0, 0, 0), true});
    EXPECT_LT(degreesFrom(found, rolled), 1e-3);
    EXPECT_EQ(found->from, motion::RollFrom::palm);
}

TEST(Stance, ARestPoseOfItsOwnLooksAhead) {
    Body source = bodyOf(0.4F, 0.1F);
    source.skeleton.joints[kHead].rest.rotation = kAnyTurn;
    Pose asleep = core::restPose(source.skeleton);
    asleep[kHead].rotation = glm::angleAxis(1.0F, glm::vec3(1, 0, 0)) * kAnyTurn;
    const std::vector<Pose> poses(3, asleep);
    const roles::Stance stance({source.skeleton, source.roles, poses, true, source.surface},
                               {source.skeleton, source.roles, source.surface});
    EXPECT_LT(degreesFrom(stance.of({kHead, glm::dquat(1, 0, 0, 0), true}), kAnyTurn), 1e-3);
}

}  // namespace
}  // namespace reanima
