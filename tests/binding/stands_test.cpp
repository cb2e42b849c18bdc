// Characters stand on the ground, look ahead, and have the right palms. Positions are chosen by hand, in metres. The
// expected values follow from them.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

#include "binding/ground.h"
#include "binding/roles/body.h"
#include "binding/roles/mirror_plane.h"
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
constexpr std::uint32_t kLeftArm = 8;
constexpr std::uint32_t kLeftHand = 10;
constexpr std::uint32_t kFingerLeft = 14;

/// A body in T pose that faces +Z.
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

/// Moves the hips up by these heights, one per frame.
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
    const std::optional<double> lift = ground.liftOf(posesOf(target, jumping(target, {-0.3F, -0.3F})));
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

/// How far a standing character of 1.7 m is lifted if it holds an object that extends `depth` below its soles.
/// @param things joints in a row from the hips on; the last one has the mesh
/// @param name name of the last joint
float liftedBy(const std::vector<Part>& things, float depth, const std::string& name = "thing") {
    const Body source = bodyOf(0.4F, 0.1F);
    const Clip clip = jumping(source, {0, 0});
    const std::vector<Pose> poses = posesOf(source, clip);
    Body target = bodyOf(0.4F, 0.1F);
    std::uint32_t parent = kHips;
    for (const Part part : things) {
        target.add({part, Side::right, 0}, static_cast<int>(parent), {0, 0, 0});
        target.surface.points.emplace_back();
        parent = static_cast<std::uint32_t>(target.skeleton.joints.size()) - 1;
    }
    target.skeleton.joints[parent].name = name;
    const float hips = target.skeleton.joints[kHips].rest.translation.y;
    target.surface.points.back() = {{0.3F, -hips - depth, 0}, {0.3F, 0, 0}};
    const Ground ground(asGround(source), poses, asGround(target), 1);
    Clip bound = jumping(target, {0, 0});
    ground.stand(clip, target.skeleton, bound);
    return posesOf(target, bound)[0][kHips].translation.y - hips;
}

TEST(Ground, ASwordThatGrazesItLiftsWhoHoldsIt) {
    for (const std::vector<Part>& sword : {std::vector{Part::weapon},                             // named as a weapon
                                           std::vector{Part::hand, Part::none, Part::helper}}) {  // in a hand
        EXPECT_NEAR(liftedBy(sword, -0.1F), 0, 1e-5F);
        EXPECT_NEAR(liftedBy(sword, 0.02F), 0.02F, 1e-5F);  // 1.2 % of the height
        EXPECT_NEAR(liftedBy(sword, 0.1F), 0, 1e-5F);       // 5.9 %: it goes into the ground
    }
    for (const std::vector<Part>& body : {std::vector{Part::hand}, std::vector{Part::hand, Part::none, Part::thumb},
                                          std::vector{Part::spine, Part::none}})
        EXPECT_NEAR(liftedBy(body, 0.1F), 0.1F, 1e-5F);
}

TEST(Ground, AFingerWithoutARoleIsTheBodys) {
    for (const std::vector<Part>& hand : {std::vector{Part::hand, Part::none}, std::vector{Part::hand, Part::helper}}) {
        for (const char* finger : {"Finger_01", "RightHandMiddle4", "ring.R", "middle3"})
            EXPECT_NEAR(liftedBy(hand, 0.1F, finger), 0.1F, 1e-5F) << finger;
        for (const char* held : {"Fingerbowl", "midnight_blade", "handslot.r", "prop"})
            EXPECT_NEAR(liftedBy(hand, 0.1F, held), 0, 1e-5F) << held;
    }
}

TEST(Surface, KeepsWhatIsFarthestOut) {
    BodySurface surface;
    surface.points.resize(2);
    for (int i = 0; i <= 60; ++i)
        for (int j = 0; j <= 60; ++j)
            surface.points[1].emplace_back(static_cast<float>(i) - 30, static_cast<float>(j) - 30, 0);
    const BodySurface outer = surface.outermost();
    ASSERT_EQ(outer.points.size(), 2U);
    EXPECT_TRUE(outer.of(0).empty());
    EXPECT_LT(outer.of(1).size(), 50U);
    for (const glm::vec3& corner :
         {glm::vec3(30, 30, 0), glm::vec3(-30, 30, 0), glm::vec3(30, -30, 0), glm::vec3(-30, -30, 0)})
        EXPECT_NE(std::ranges::find(outer.of(1), corner), outer.of(1).end());
}

/// The body in its rest pose, except for one joint.
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
    const std::vector<motion::Globals> globals = motion::globalsOf(source.skeleton, posesWith(source, kHead, kAnyTurn));
    const roles::Stance ahead({source.skeleton, source.roles, globals, false, source.surface},
                              {target.skeleton, target.roles, target.surface});
    const std::optional<motion::FoundStance> found = ahead.of({kHead, glm::dquat(1, 0, 0, 0)});
    EXPECT_LT(degreesFrom(found, kAnyTurn), 1e-3);
    EXPECT_TRUE(found->isGuess);
    EXPECT_EQ(found->from, motion::RollFrom::face);
    // A rig that faces -Z.
    const glm::quat around(0, 0, 1, 0);
    target.skeleton.joints[kHips].rest.rotation = around;
    const roles::Stance back({source.skeleton, source.roles, globals, false, source.surface},
                             {target.skeleton, target.roles, target.surface});
    EXPECT_LT(degreesFrom(back.of({kHead, glm::dquat(1, 0, 0, 0)}), around * kAnyTurn), 1e-3);
}

/// A head of two equal halves with a nose, facing +Z.
std::vector<glm::vec3> pointsOfHead(const glm::quat& turn) {
    std::vector<glm::vec3> points = {turn * glm::vec3(0, 0.1F, 0.16F)};
    for (const float x : {-1.0F, 1.0F})
        for (const glm::vec3& half :
             {glm::vec3(0.04F, 0.02F, 0.08F), glm::vec3(0.08F, 0.08F, 0.06F), glm::vec3(0.09F, 0.14F, -0.03F),
              glm::vec3(0.05F, 0.2F, 0.02F), glm::vec3(0.06F, 0.05F, -0.1F), glm::vec3(0.03F, 0.17F, 0.1F)})
            points.push_back(turn * (glm::vec3(x, 1, 1) * half));
    return points;
}

const glm::quat kToTheLeft = glm::angleAxis(glm::radians(40.0F), glm::vec3(0, 1, 0));

TEST(Stance, WhoLooksAsideAllTheTimeIsKnownByTheMeshOfTheHead) {
    Body source = bodyOf(0.4F, 0.1F);
    source.surface.points[kHead] = pointsOfHead(glm::conjugate(kAnyTurn));
    const std::vector<motion::Globals> globals =
        motion::globalsOf(source.skeleton, posesWith(source, kHead, kToTheLeft * kAnyTurn));
    const Body target = bodyOf(0.5F, 0.1F);
    const roles::Stance stance({source.skeleton, source.roles, globals, false, source.surface},
                               {target.skeleton, target.roles, target.surface});
    EXPECT_LT(degreesFrom(stance.of({kHead, glm::dquat(1, 0, 0, 0)}), kAnyTurn), 0.2);
}

TEST(Stance, ARigThatLooksAsideAtRestIsKnownByItsEyesOrTheMeshOfItsHead) {
    const Body source = bodyOf(0.4F, 0.1F);
    const std::vector<motion::Globals> globals = motion::globalsOf(source.skeleton, posesWith(source, kHead, kAnyTurn));
    const auto foundOn = [&](const Body& target) {
        const roles::Stance stance({source.skeleton, source.roles, globals, false, source.surface},
                                   {target.skeleton, target.roles, target.surface});
        return stance.of({kHead, glm::dquat(1, 0, 0, 0)});
    };
    Body target = bodyOf(0.5F, 0.1F);
    target.surface.points[kHead] = pointsOfHead(kToTheLeft);
    EXPECT_LT(degreesFrom(foundOn(target), kToTheLeft * kAnyTurn), 0.2);
    target = bodyOf(0.5F, 0.1F);
    target.add({Part::eye, Side::left, 0}, kHead, kToTheLeft * glm::vec3(0.03F, 0.1F, 0.08F));
    target.add({Part::eye, Side::right, 0}, kHead, kToTheLeft * glm::vec3(-0.03F, 0.1F, 0.08F));
    EXPECT_LT(degreesFrom(foundOn(target), kToTheLeft * kAnyTurn), 1e-3);
    target.skeleton.joints[kFingerLeft].rest.translation = {0.03F, 0.1F, 0.081F};  // not exactly placed
    target.skeleton.joints[kFingerLeft + 1].rest.translation = {-0.03F, 0.1F, 0.08F};
    EXPECT_LT(degreesFrom(foundOn(target), kAnyTurn), 1e-3);
}

TEST(Mirror, IsFoundHoweverAThingIsTurned) {
    for (const glm::quat& turn : {glm::quat(1, 0, 0, 0), kAnyTurn, kToTheLeft}) {
        const auto across = roles::mirrorDirection(pointsOfHead(turn));
        ASSERT_TRUE(across);
        EXPECT_GT(std::abs(glm::dot(*across, glm::dvec3(turn * glm::vec3(1, 0, 0)))), std::cos(glm::radians(0.2)));
    }
}

TEST(Mirror, IsNotFoundWhereThereAreManyOrNone) {
    std::vector<glm::vec3> lopsided = pointsOfHead(glm::quat(1, 0, 0, 0));
    lopsided[3] += glm::vec3(0.1F, 0.1F, 0);
    lopsided[9] -= glm::vec3(0, 0.1F, 0.1F);
    EXPECT_FALSE(roles::mirrorDirection(lopsided));
    std::vector<glm::vec3> round;
    for (int ring = 0; ring < 3; ++ring)
        for (int i = 0; i < 12; ++i) {
            const float angle = glm::radians(30.0F * static_cast<float>(i));
            round.emplace_back(std::cos(angle), static_cast<float>(ring), std::sin(angle));
        }
    EXPECT_FALSE(roles::mirrorDirection(round));
    EXPECT_FALSE(roles::mirrorDirection({}));
    EXPECT_FALSE(roles::mirrorDirection(std::vector<glm::vec3>(20, glm::vec3(1, 2, 3))));
    EXPECT_FALSE(roles::mirrorDirection(std::vector<glm::vec3>(20, glm::vec3(std::nanf("")))));
}

TEST(Stance, HipsStandAsTheyUsuallyDoHoweverTheBackLeans) {
    // The axes of the hips are turned, and the body above them leans by 50 degrees.
    Body source = bodyOf(0.4F, 0.1F);
    const glm::quat leaning = glm::angleAxis(glm::radians(50.0F), glm::vec3(1, 0, 0));
    for (core::Joint& joint : source.skeleton.joints)
        if (joint.parent == static_cast<int>(kHips)) {
            const bool isAbove = joint.rest.translation.y > 0;
            joint.rest.translation =
                glm::conjugate(kAnyTurn) * (isAbove ? leaning * joint.rest.translation : joint.rest.translation);
            joint.rest.rotation = glm::conjugate(kAnyTurn);
        }
    source.skeleton.joints[kHips].rest.rotation = kAnyTurn;
    const Body target = bodyOf(0.5F, 0.1F);
    const std::vector<motion::Globals> globals(3, motion::globalsOf(source.skeleton, core::restPose(source.skeleton)));
    const roles::Stance stance({source.skeleton, source.roles, globals, false, source.surface},
                               {target.skeleton, target.roles, target.surface});
    const std::optional<motion::FoundStance> found = stance.of({kHips, glm::dquat(1, 0, 0, 0)});
    EXPECT_LT(degreesFrom(found, kAnyTurn), 1e-3);
    EXPECT_EQ(found->from, motion::RollFrom::back);
}

TEST(Stance, HipsWithoutAMeshStandAsTheBackAboveThemDoes) {
    // A character that always walks bent. The whole body leans by 20 degrees.
    Body source = bodyOf(0.4F, 0.1F);
    source.surface = {};
    source.add({Part::spine, Side::middle, 0}, kHips, {0, 0, 0});  // a helper at the place of the hips
    source.add({Part::spine, Side::middle, 0}, kHips, {0, 0.2F, 0});
    const glm::quat leaning = glm::angleAxis(glm::radians(20.0F), glm::vec3(1, 0, 0));
    const std::vector<motion::Globals> globals = motion::globalsOf(source.skeleton, posesWith(source, kHips, leaning));
    const Body target = bodyOf(0.5F, 0.1F);
    const roles::Stance stance({source.skeleton, source.roles, globals, false, source.surface},
                               {target.skeleton, target.roles, target.surface});
    EXPECT_LT(degreesFrom(stance.of({kHips, glm::dquat(1, 0, 0, 0)}), glm::quat(1, 0, 0, 0)), 1e-3);
}

TEST(Stance, ABackAboveABendIsNotThePelvis) {
    Body source = bodyOf(0.4F, 0.1F);
    source.surface = {};
    source.add({Part::spine, Side::middle, 0}, kHips, {0, 0, 0});
    const auto bend = static_cast<std::uint32_t>(source.skeleton.joints.size()) - 1;
    source.add({Part::spine, Side::middle, 0}, static_cast<int>(bend), {0, 0.2F, 0});
    std::vector<Pose> poses;
    for (const float degrees : {20.0F, 40.0F, 60.0F}) {
        poses.push_back(core::restPose(source.skeleton));
        poses.back()[bend].rotation = glm::angleAxis(glm::radians(degrees), glm::vec3(1, 0, 0));
    }
    const std::vector<motion::Globals> globals = motion::globalsOf(source.skeleton, poses);
    const Body target = bodyOf(0.5F, 0.1F);
    const roles::Stance stance({source.skeleton, source.roles, globals, false, source.surface},
                               {target.skeleton, target.roles, target.surface});
    EXPECT_LT(degreesFrom(stance.of({kHips, glm::dquat(1, 0, 0, 0)}), glm::quat(1, 0, 0, 0)), 1e-3);
}

/// The body with both arms turned down from the T-pose.
Body withArmsDown(float degrees) {
    Body body = bodyOf(0.4F, 0.1F);
    for (const auto& [arm, side] : {std::pair(kLeftArm, -1.0F), std::pair(kLeftArm + 3, 1.0F)})
        body.skeleton.joints[arm].rest.rotation = glm::angleAxis(side * glm::radians(degrees), glm::vec3(0, 0, 1));
    return body;
}

TEST(Stance, ArmsOfRestPosesAreTurnedAlikeHoweverTheyAreHeld) {
    const Body target = bodyOf(0.5F, 0.1F);
    for (const float degrees : {0.0F, 45.0F, 80.0F}) {
        const Body source = withArmsDown(degrees);
        const std::vector<motion::Globals> globals(1,
                                                   motion::globalsOf(source.skeleton, core::restPose(source.skeleton)));
        const roles::Stance stance({source.skeleton, source.roles, globals, true, source.surface},
                                   {target.skeleton, target.roles, target.surface});
        for (const std::uint32_t arm : {kLeftArm, kLeftArm + 3}) {
            const std::optional<motion::FoundStance> found = stance.of({arm, glm::dquat(1, 0, 0, 0)});
            ASSERT_TRUE(found);
            EXPECT_LT(degreesFrom(found, glm::quat(1, 0, 0, 0)), 1e-3) << degrees;
            EXPECT_EQ(found->from, motion::RollFrom::rest);
        }
        const std::optional<motion::FoundStance> hand = stance.of({kLeftHand, glm::dquat(1, 0, 0, 0)});
        EXPECT_LT(degreesFrom(hand, glm::quat(1, 0, 0, 0)), 1e-3) << degrees;
    }
}

TEST(Body, RestsInAMotionThatShowsItsHangingArms) {
    const Body hanging = withArmsDown(80);
    EXPECT_TRUE(roles::restsInMotion(hanging.skeleton, {core::restPose(hanging.skeleton)}, hanging.roles));
    Pose other = core::restPose(hanging.skeleton);
    other[kLeftArm + 1].rotation = glm::angleAxis(glm::radians(-20.0F), glm::vec3(0, 1, 0));
    EXPECT_FALSE(roles::restsInMotion(hanging.skeleton, {other}, hanging.roles));
    const Body tPose = bodyOf(0.4F, 0.1F);  // motion captures begin with this pose
    EXPECT_FALSE(roles::restsInMotion(tPose.skeleton, {core::restPose(tPose.skeleton)}, tPose.roles));
    Body waving = bodyOf(0.4F, 0.1F);
    waving.skeleton.joints[kLeftArm].rest.rotation = glm::angleAxis(glm::radians(40.0F), glm::vec3(0, 0, 1));
    EXPECT_TRUE(roles::restsInMotion(waving.skeleton, {core::restPose(waving.skeleton)}, waving.roles));
}

TEST(Body, StandsAlongItsLegsWithAFootLifted) {
    const Body body = bodyOf(0.4F, 0.1F);
    Pose step = core::restPose(body.skeleton);
    step[kLeftFoot - 2].rotation = glm::angleAxis(glm::radians(-50.0F), glm::vec3(1, 0, 0));
    const auto upIn = [&](const Pose& pose) { return roles::upOf(body.skeleton, {pose}, body.roles); };
    EXPECT_EQ(upIn(step), glm::dvec3(0, 1, 0));
    step[kHips].rotation = glm::angleAxis(glm::radians(90.0F), glm::vec3(1, 0, 0));
    step[kHips].translation = {0, 0, 0.9F};
    EXPECT_EQ(upIn(step), glm::dvec3(0, 0, 1));
    step[kHips].translation = {0, 0, 5};  // a body that lies far from the origin
    EXPECT_EQ(upIn(step), std::nullopt);
}

TEST(Body, SitsDownAlongTheAxisOnWhichItStood) {
    const Body body = bodyOf(0.4F, 0.1F);
    const auto alongZ = [&](Pose pose, float height, float bent) {
        pose[kHips].rotation = glm::angleAxis(glm::radians(90.0F + bent), glm::vec3(1, 0, 0));
        pose[kHips].translation = {0, 0, height};
        return pose;
    };
    const auto sitting = [&](float height, float bent) {
        Pose pose = core::restPose(body.skeleton);
        for (const std::uint32_t thigh : {kLeftFoot - 2, kLeftFoot + 1}) {
            pose[thigh].rotation = glm::angleAxis(glm::radians(-80.0F), glm::vec3(1, 0, 0));
            pose[thigh + 1].rotation = glm::angleAxis(glm::radians(80.0F - bent), glm::vec3(1, 0, 0));
        }
        return alongZ(pose, height, bent);
    };
    const Pose standing = alongZ(core::restPose(body.skeleton), 0.9F, 0);
    const Pose sits = sitting(0.57F, 0);  // height of the ankle, length of a shin, and the slope of the thighs
    const auto upIn = [&](const std::vector<Pose>& poses) { return roles::upOf(body.skeleton, poses, body.roles); };
    EXPECT_EQ(upIn({standing, sits, sits, sits}), glm::dvec3(0, 0, 1));
    const Pose inTheAir = sitting(2, 0);
    EXPECT_EQ(upIn({standing, inTheAir, inTheAir, inTheAir}), std::nullopt);
    const Pose bentOver = sitting(0.57F, 90);
    EXPECT_EQ(upIn({standing, bentOver, bentOver, bentOver}), std::nullopt);
    EXPECT_EQ(upIn({sits, sits, sits, sits}), std::nullopt);  // it may crawl along Z
}

TEST(Body, StandsAlongTheAxisOfItsRestPoseHoweverLongItLies) {
    Body body = bodyOf(0.4F, 0.1F);
    body.skeleton.joints[kHips].rest.rotation = glm::angleAxis(glm::radians(90.0F), glm::vec3(1, 0, 0));
    body.skeleton.joints[kHips].rest.translation = {0, 0, 0.9F};
    const Pose stands = core::restPose(body.skeleton);
    Pose lies = stands;
    lies[kHips].rotation = glm::angleAxis(glm::radians(-90.0F), glm::vec3(0, 0, 1));
    EXPECT_EQ(roles::upOf(body.skeleton, {stands, lies, lies, lies}, body.roles), glm::dvec3(0, 0, 1));
}

/// The body along +Z, with its feet at 5 m; it leans over its feet by an angle towards +Y.
Pose leaning(const Body& body, float degrees) {
    const float angle = glm::radians(degrees);
    Pose pose = core::restPose(body.skeleton);
    pose[kHips].rotation = glm::angleAxis(glm::radians(90.0F), glm::vec3(1, 0, 0));
    pose[kHips].translation = {0, -0.8F * std::sin(angle), 5 + 0.8F * std::cos(angle)};
    for (const std::uint32_t thigh : {kLeftFoot - 2, kLeftFoot + 1})
        pose[thigh].rotation = glm::angleAxis(angle, glm::vec3(1, 0, 0));
    return pose;
}

TEST(Body, StandsOnThePlaneThatItsStillFeetKeep) {
    const Body body = bodyOf(0.4F, 0.1F);
    const auto upWhen = [&](const std::function<void(Pose&)>& changes) {
        std::vector<Pose> poses;
        for (const float degrees : {-15.0F, -10.0F, -5.0F, 0.0F, 5.0F, 10.0F, 15.0F}) {
            poses.push_back(leaning(body, degrees));
            changes(poses.back());
        }
        return roles::upOf(body.skeleton, poses, body.roles);
    };
    EXPECT_EQ(upWhen([](Pose&) {}), glm::dvec3(0, 0, 1));
    EXPECT_EQ(upWhen([](Pose& pose) {  // press-ups: the hands stay on the ground
                  for (const std::uint32_t arm : {kLeftArm, kLeftArm + 3})
                      pose[arm].translation.z = pose[kHips].translation.y + 1;
              }),
              std::nullopt);
    EXPECT_EQ(upWhen([](Pose& pose) {  // it flies: the feet move with the body
                  for (const std::uint32_t thigh : {kLeftFoot - 2, kLeftFoot + 1})
                      pose[thigh].rotation = {1, 0, 0, 0};
              }),
              std::nullopt);
}

TEST(Body, ABackThatBeginsAheadOfTheThighsIsNoRestPose) {
    Body upright = bodyOf(0.4F, 0.1F);
    upright.add({Part::spine, Side::middle, 0}, kHips, {0, 0, 0});  // at the same place as the hips
    upright.add({Part::spine, Side::middle, 0}, kHips, {0, 0.1F, 0});
    EXPECT_TRUE(roles::standingTurn(upright.skeleton, upright.roles));
    upright.skeleton.joints.back().rest.translation = {0, 0, 0.1F};
    EXPECT_FALSE(roles::standingTurn(upright.skeleton, upright.roles));
}

/// The body with a chest that carries the head, and a head a little higher.
Body withChest() {
    Body body = bodyOf(0.4F, 0.1F);
    body.roles.roles[kHead] = {Part::spine, Side::middle, 0};
    body.add({Part::head, Side::middle, 0}, kHead, {0, 0.3F, 0});
    return body;
}

TEST(Stance, AChestBelowNoNeckPointsHalfWayToTheHead) {
    constexpr std::uint32_t kChest = kHead;
    const Body source = withChest();
    Body target = withChest();
    target.add({Part::neck, Side::middle, 0}, kChest, {0, 0.1F, -0.05F});
    const std::vector<motion::Globals> globals(3, motion::globalsOf(source.skeleton, core::restPose(source.skeleton)));
    const roles::Stance stance({source.skeleton, source.roles, globals, true, source.surface},
                               {target.skeleton, target.roles, target.surface});
    const glm::quat half = glm::angleAxis(std::atan2(-0.05F, 0.1F) / 2, glm::vec3(1, 0, 0));
    EXPECT_LT(degreesFrom(stance.of({kChest, glm::dquat(1, 0, 0, 0)}), half), 1e-3);
}

TEST(Stance, AFootWithoutABoneRestsAhead) {
    Body source = bodyOf(0.4F, 0.1F);
    source.add({Part::end, Side::middle, 0}, kLeftFoot, {0, 0, 0});  // motion captures contain ends without length
    Body target = bodyOf(0.4F, 0.1F);
    const glm::quat outwards = glm::angleAxis(glm::radians(20.0F), glm::vec3(0, 1, 0));
    target.add({Part::toes, Side::left, 0}, kLeftFoot, outwards * glm::vec3(0, -0.05F, 0.1F));
    target.add({Part::toes, Side::right, 0}, kLeftFoot + 3, glm::conjugate(outwards) * glm::vec3(0, -0.05F, 0.1F));
    const std::vector<motion::Globals> globals(3, motion::globalsOf(source.skeleton, core::restPose(source.skeleton)));
    const roles::Stance stance({source.skeleton, source.roles, globals, true, source.surface},
                               {target.skeleton, target.roles, target.surface});
    EXPECT_LT(degreesFrom(stance.of({kLeftFoot, glm::dquat(1, 0, 0, 0)}), outwards), 1e-3);
}

TEST(Stance, WithoutAMeshTheLowestAnklesShowTheSole) {
    Body source = bodyOf(0.4F, 0.1F);
    source.surface = {};
    Pose rolls = core::restPose(source.skeleton);
    rolls[kLeftFoot].rotation = glm::angleAxis(glm::radians(40.0F), glm::vec3(1, 0, 0));
    rolls[kHips].translation.y += 0.05F;  // the ankle is higher, by 3 % of the height
    std::vector<Pose> poses(3, rolls);
    poses.push_back(core::restPose(source.skeleton));
    const std::vector<motion::Globals> globals = motion::globalsOf(source.skeleton, poses);
    const roles::Stance stance({source.skeleton, source.roles, globals, false, source.surface},
                               {source.skeleton, source.roles, source.surface});
    EXPECT_LT(degreesFrom(stance.of({kLeftFoot, glm::dquat(1, 0, 0, 0)}), glm::quat(1, 0, 0, 0)), 1e-3);
}

TEST(Stance, AThingInAHandShowsNotWhereTheHandPoints) {
    Body source = bodyOf(0.4F, 0.1F);
    const Body target = bodyOf(0.4F, 0.1F);
    const auto handOf = [&] {
        const std::vector<motion::Globals> globals =
            motion::globalsOf(source.skeleton, std::vector<Pose>(3, core::restPose(source.skeleton)));
        return roles::Stance({source.skeleton, source.roles, globals, false, source.surface},
                             {target.skeleton, target.roles, target.surface})
            .of({kLeftHand, glm::dquat(1, 0, 0, 0)});
    };
    const std::optional<motion::FoundStance> bare = handOf();
    ASSERT_TRUE(bare);
    source.add({}, static_cast<int>(kLeftHand), {0.05F, -0.05F, 0});
    EXPECT_LT(degreesFrom(handOf(), glm::quat(bare->rotation)), 1e-3);
}

TEST(Stance, AnEndShowsWhereABentHandPoints) {
    Body source = bodyOf(0.4F, 0.1F);
    source.add({}, static_cast<int>(kLeftHand), {0.1F, 0, 0});
    source.skeleton.joints.back().name = "EndSite_mixamorig:LeftHand";
    const std::vector<motion::Globals> globals = motion::globalsOf(
        source.skeleton, posesWith(source, kLeftHand, glm::angleAxis(glm::radians(-60.0F), glm::vec3(0, 0, 1))));
    const Body target = bodyOf(0.4F, 0.1F);
    const roles::Stance stance({source.skeleton, source.roles, globals, false, source.surface},
                               {target.skeleton, target.roles, target.surface});
    // The hand points along its X axis, as in the rig's T pose.
    EXPECT_LT(degreesFrom(stance.of({kLeftHand, glm::dquat(1, 0, 0, 0)}), glm::quat(1, 0, 0, 0)), 1e-3);
}

TEST(Stance, WhoLooksDownAllTheTimeIsHalfKnownByTheCrown) {
    Body source = bodyOf(0.4F, 0.1F);
    source.surface = {};
    source.add({}, static_cast<int>(kHead), {0, 0.2F, 0});
    source.skeleton.joints.back().name = "EndSite_Head";
    const Body target = bodyOf(0.4F, 0.1F);
    const auto headThatNods = [&](float degrees) {
        const std::vector<motion::Globals> globals = motion::globalsOf(
            source.skeleton, posesWith(source, kHead, glm::angleAxis(glm::radians(degrees), glm::vec3(1, 0, 0))));
        return roles::Stance({source.skeleton, source.roles, globals, false, source.surface},
                             {target.skeleton, target.roles, target.surface})
            .of({kHead, glm::dquat(1, 0, 0, 0)});
    };
    const auto pitched = [](float degrees) { return glm::angleAxis(glm::radians(degrees), glm::vec3(1, 0, 0)); };
    EXPECT_LT(degreesFrom(headThatNods(30), pitched(15)), 1e-3);
    EXPECT_LT(degreesFrom(headThatNods(60), pitched(60)), 1e-3);  // this bone hardly points to the crown
}

TEST(Stance, WhoLiesDoesNotCount) {
    const Body source = bodyOf(0.4F, 0.1F);
    std::vector<Pose> poses = posesWith(source, kHead, kAnyTurn);
    Pose lying = core::restPose(source.skeleton);
    lying[kHips].rotation = glm::angleAxis(glm::radians(-90.0F), glm::vec3(1, 0, 0));
    poses.push_back(lying);
    const std::vector<motion::Globals> globals = motion::globalsOf(source.skeleton, poses);
    const roles::Stance stance({source.skeleton, source.roles, globals, false, source.surface},
                               {source.skeleton, source.roles, source.surface});
    EXPECT_LT(degreesFrom(stance.of({kHead, glm::dquat(1, 0, 0, 0)}), kAnyTurn), 1e-3);
}

TEST(Stance, SolesAreLevelWhereTheyStand) {
    const Body source = bodyOf(0.4F, 0.1F);
    std::vector<Pose> poses = posesWith(source, kLeftFoot, kAnyTurn);
    Pose lifted = core::restPose(source.skeleton);
    lifted[kHips].translation.y += 0.5F;
    poses.push_back(lifted);
    const std::vector<motion::Globals> globals = motion::globalsOf(source.skeleton, poses);
    const roles::Stance stance({source.skeleton, source.roles, globals, false, source.surface},
                               {source.skeleton, source.roles, source.surface});
    // Bones lead to a foot that is pitched by 30 degrees.
    const glm::quat pitched = glm::angleAxis(glm::radians(30.0F), glm::vec3(1, 0, 0)) * kAnyTurn;
    EXPECT_LT(degreesFrom(stance.of({kLeftFoot, glm::dquat(pitched)}), kAnyTurn), 1e-3);
}

TEST(Stance, PalmsFaceTheThighsOfArmsThatHang) {
    Body source = bodyOf(0.4F, 0.1F);
    source.surface.points[kLeftHand] = {{0.1F, 0, 0.01F}, {0.1F, 0, -0.01F}};
    Body target = bodyOf(0.4F, 0.1F);
    target.add({Part::index, Side::left, 0}, kLeftHand, {0.1F, 0, 0.03F});
    target.add({Part::little, Side::left, 0}, kLeftHand, {0.1F, 0, -0.03F});
    ASSERT_EQ(target.skeleton.joints.size(), kFingerLeft + 2);
    // The arm hangs down. Its hand, which points along its X axis, is rotated about itself by 40 degrees.
    Pose hanging = core::restPose(source.skeleton);
    const std::uint32_t upperArm = kLeftHand - 2;
    hanging[upperArm].rotation = glm::angleAxis(glm::radians(-90.0F), glm::vec3(0, 0, 1));
    const glm::quat rolled = glm::angleAxis(glm::radians(40.0F), glm::vec3(1, 0, 0));
    hanging[kLeftHand].rotation = rolled;
    const std::vector<motion::Globals> globals(3, motion::globalsOf(source.skeleton, hanging));
    const roles::Stance stance({source.skeleton, source.roles, globals, false, source.surface},
                               {target.skeleton, target.roles, target.surface});
    // The palm faces the world's -X while the arm hangs, and down in the rig's T pose: in the hand's space it is -Y
    // rotated back by 40 degrees.
    const std::optional<motion::FoundStance> found = stance.of({kLeftHand, glm::dquat(1, 0, 0, 0)});
    EXPECT_LT(degreesFrom(found, rolled), 1e-3);
    EXPECT_EQ(found->from, motion::RollFrom::palm);
    EXPECT_TRUE(found->isGuess);
}

TEST(Stance, KnucklesShowThePalmOfASourceWithoutARestPose) {
    Body source = bodyOf(0.4F, 0.1F);
    source.surface = {};
    source.add({Part::index, Side::left, 0}, kLeftHand, {0.1F, 0, 0.03F});
    source.add({Part::middle, Side::left, 0}, kLeftHand, {0.1F, 0, 0});
    source.add({Part::little, Side::left, 0}, kLeftHand, {0.1F, 0, -0.03F});
    const glm::quat rolled = glm::angleAxis(glm::radians(40.0F), glm::vec3(1, 0, 0));
    const std::vector<motion::Globals> globals =
        motion::globalsOf(source.skeleton, posesWith(source, kLeftHand, rolled));
    const Body target = bodyOf(0.4F, 0.1F);
    const roles::Stance stance({source.skeleton, source.roles, globals, false, source.surface},
                               {target.skeleton, target.roles, target.surface});
    // In the hand's space the palm faces -Y, as in the rig's T pose, however the hand is turned in the motion.
    const std::optional<motion::FoundStance> found = stance.of({kLeftHand, glm::dquat(rolled)});
    EXPECT_LT(degreesFrom(found, glm::quat(1, 0, 0, 0)), 1e-3);
    EXPECT_FALSE(found->isGuess);
}

TEST(Stance, AKnownRollOfAHandIsNotReplacedByAGuess) {
    Body source = bodyOf(0.4F, 0.1F);
    source.surface = {};
    source.add({Part::index, Side::left, 0}, kLeftHand, {0.1F, 0, 0.03F});  // one finger shows no palm
    Pose hanging = core::restPose(source.skeleton);
    hanging[kLeftArm].rotation = glm::angleAxis(glm::radians(-90.0F), glm::vec3(0, 0, 1));
    const std::vector<motion::Globals> globals(3, motion::globalsOf(source.skeleton, hanging));
    const Body target = bodyOf(0.4F, 0.1F);
    const roles::Stance stance({source.skeleton, source.roles, globals, false, source.surface},
                               {target.skeleton, target.roles, target.surface});
    EXPECT_TRUE(stance.of({kLeftHand, glm::dquat(1, 0, 0, 0), true}));
    EXPECT_FALSE(stance.of({kLeftHand, glm::dquat(1, 0, 0, 0), false}));
}

TEST(Stance, AFingerOnABoneOfThePalmShowsWhereAHandPoints) {
    const auto handWith = [](bool hasPalmBones) {
        Body source = bodyOf(0.4F, 0.1F);
        source.surface = {};
        for (const auto& [part, z] :
             {std::pair(Part::index, 0.03F), std::pair(Part::middle, 0.0F), std::pair(Part::little, -0.03F)}) {
            const auto bone = static_cast<int>(source.skeleton.joints.size());
            const glm::vec3 place(0.1F, 0, z);
            if (hasPalmBones) {
                source.add({Part::helper, Side::middle, 0}, kLeftHand, {0, 0, 0});
                source.skeleton.joints.back().rest.rotation = kAnyTurn;
            }
            source.add({part, Side::left, 0}, hasPalmBones ? bone : static_cast<int>(kLeftHand),
                       hasPalmBones ? glm::conjugate(kAnyTurn) * place : place);
        }
        const std::vector<motion::Globals> globals(3,
                                                   motion::globalsOf(source.skeleton, core::restPose(source.skeleton)));
        const Body target = bodyOf(0.4F, 0.1F);
        const roles::Stance stance({source.skeleton, source.roles, globals, false, source.surface},
                                   {target.skeleton, target.roles, target.surface});
        return glm::quat(stance.of({kLeftHand, glm::dquat(1, 0, 0, 0)})->rotation);
    };
    EXPECT_LT(core::degreesBetween(glm::dquat(handWith(true)), glm::dquat(handWith(false))), 1e-3);
}

TEST(Stance, ARestPoseOfItsOwnLooksAhead) {
    Body source = bodyOf(0.4F, 0.1F);
    source.skeleton.joints[kHead].rest.rotation = kAnyTurn;
    Pose asleep = core::restPose(source.skeleton);
    asleep[kHead].rotation = glm::angleAxis(1.0F, glm::vec3(1, 0, 0)) * kAnyTurn;
    const std::vector<motion::Globals> globals(3, motion::globalsOf(source.skeleton, asleep));
    const roles::Stance stance({source.skeleton, source.roles, globals, true, source.surface},
                               {source.skeleton, source.roles, source.surface});
    const std::optional<motion::FoundStance> found = stance.of({kHead, glm::dquat(1, 0, 0, 0)});
    EXPECT_LT(degreesFrom(found, kAnyTurn), 1e-3);
    EXPECT_FALSE(found->isGuess);
}

}  // namespace
}  // namespace reanima
