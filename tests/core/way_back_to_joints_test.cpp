/// Scenes whose joints are in known poses. The poses must be found whatever nodes are between and above the joints.
#include "core/way_back_to_joints.h"

#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <gtest/gtest.h>

namespace reanima::core {
namespace {

constexpr std::uint32_t kJoints = 4;

glm::dquat turned(double degrees, const glm::dvec3& axis) {
    return glm::angleAxis(glm::radians(degrees), glm::normalize(axis));
}

/// A chain with a bent rest pose.
Skeleton chain() {
    Skeleton skeleton;
    for (std::uint32_t i = 0; i < kJoints; ++i) {
        Joint joint;
        joint.name = "joint" + std::to_string(i);
        joint.parent = static_cast<int>(i) - 1;
        joint.rest.translation = {0.1F * static_cast<float>(i), 0.5F, 0.05F};
        joint.rest.rotation = glm::quat(turned(20.0 * i, {1, 0.3, 0.2}));
        skeleton.joints.push_back(joint);
    }
    return skeleton;
}

glm::dmat4 matrixOf(const glm::dquat& rotation, const glm::dvec3& translation) {
    return glm::translate(glm::dmat4(1), translation) * glm::mat4_cast(rotation);
}

/// The visible pose, relative to the parents.
glm::dquat wantedRotation(std::uint32_t joint) { return turned(35.0 + 50.0 * joint, {0.2, 1, -0.4}); }
glm::dvec3 wantedTranslation(const Skeleton& skeleton, std::uint32_t joint) {
    return glm::dvec3(skeleton.joints[joint].rest.translation) + glm::dvec3(0.01 * (joint + 1), -0.02, 0.03);
}

/// The changes that another program makes to the scene.
struct Layout {
    const char* name = "";
    bool hasNodesBetween = false;  ///< a node between each joint and its parent
    bool hasOwnAxes = false;       ///< joints have other axes than the game's
    double scale = 1;              ///< scale of the node above all others
};

glm::dquat axesOf(const Layout& layout, std::uint32_t joint) {
    return layout.hasOwnAxes ? turned(70.0 + 25.0 * joint, {-0.3, 0.4, 1}) : glm::dquat(1, 0, 0, 0);
}

/// A scene with one motion, whose single key shows the wanted pose.
struct Made {
    Scene scene;
    SceneMotion motion;
    std::vector<std::uint32_t> nodes;  ///< of the joints
};

std::uint32_t addNode(Scene& scene, const std::string& name, int parent, const glm::dmat4& local) {
    SceneNode node;
    node.name = name;
    node.parent = parent;
    node.local = local;
    scene.nodes.push_back(node);
    return static_cast<std::uint32_t>(scene.nodes.size() - 1);
}

void addKey(SceneMotion& motion, std::uint32_t node, const glm::dmat4& local) {
    NodeTrack track;
    track.node = node;
    track.translation.times = track.rotation.times = {0};
    track.translation.values = {glm::vec3(local[3])};
    track.rotation.values = {glm::quat(glm::normalize(glm::quat_cast(glm::dmat3(local))))};
    motion.tracks.push_back(track);
}

Made made(const Skeleton& skeleton, const Layout& layout) {
    Made made;
    const glm::dmat4 above =
        matrixOf(turned(37, {1, 2, 3}), {4, 5, 6}) * glm::scale(glm::dmat4(1), glm::dvec3(layout.scale));
    int parent = static_cast<int>(addNode(made.scene, "armature", kNoParent, above));
    glm::dquat before(1, 0, 0, 0);  // axes of the parent in the scene
    for (std::uint32_t joint = 0; joint < kJoints; ++joint) {
        const glm::dquat axes = axesOf(layout, joint);
        const auto inScene = [&](const glm::dquat& rotation, const glm::dvec3& translation) {
            return glm::mat4_cast(glm::conjugate(before)) * matrixOf(rotation, translation) * glm::mat4_cast(axes);
        };
        glm::dmat4 rest = inScene(glm::dquat(skeleton.joints[joint].rest.rotation),
                                  glm::dvec3(skeleton.joints[joint].rest.translation));
        glm::dmat4 shown = inScene(wantedRotation(joint), wantedTranslation(skeleton, joint));
        if (layout.hasNodesBetween) {
            const glm::dmat4 between = matrixOf(turned(15, {0, 1, 1}), {0.2, 0, 0.1});
            parent = static_cast<int>(addNode(made.scene, "between" + std::to_string(joint), parent, between));
            rest = glm::inverse(between) * rest;
            shown = glm::inverse(between) * shown;
        }
        const std::uint32_t node = addNode(made.scene, skeleton.joints[joint].name, parent, rest);
        addKey(made.motion, node, shown);
        made.nodes.push_back(node);
        parent = static_cast<int>(node);
        before = axes;
    }
    return made;
}

void expectWanted(const JointPose& pose, const Skeleton& skeleton, std::uint32_t joint) {
    constexpr double kClose = 2e-6;
    EXPECT_TRUE(pose.isTurned && pose.isPlaced);
    EXPECT_GT(std::abs(glm::dot(pose.rotation, wantedRotation(joint))), 1 - 1e-12);
    EXPECT_LT(glm::distance(pose.translation, wantedTranslation(skeleton, joint)), kClose);
    EXPECT_NEAR(pose.volume, 1, kClose);
    EXPECT_NEAR(pose.unevenness, 0, kClose);
}

class Layouts : public testing::TestWithParam<Layout> {};

TEST_P(Layouts, ShowTheWantedPose) {
    const Skeleton skeleton = chain();
    const Made made = core::made(skeleton, GetParam());
    const WayBackToJoints back(skeleton, made.scene, {});
    const LocalPose pose = back.at(back.tracksOf(made.motion), 0);
    ASSERT_EQ(pose.size(), kJoints);
    for (std::uint32_t joint = 0; joint < kJoints; ++joint) {
        SCOPED_TRACE(joint);
        expectWanted(pose[joint], skeleton, joint);
    }
}

/// A scaled joint. Its size is reported, and its children's positions relative to it are unchanged.
TEST_P(Layouts, TellScaleOfTheJointThatHasIt) {
    const Skeleton skeleton = chain();
    Made made = core::made(skeleton, GetParam());
    made.motion.tracks[1].scale.times = {0};
    made.motion.tracks[1].scale.values = {glm::vec3(2)};
    const WayBackToJoints back(skeleton, made.scene, {});
    const LocalPose pose = back.at(back.tracksOf(made.motion), 0);
    EXPECT_NEAR(pose[1].volume, 8, 1e-5);
    expectWanted(pose[0], skeleton, 0);
    expectWanted(pose[3], skeleton, 3);
    if (!GetParam().hasNodesBetween)  // otherwise they move, too
        expectWanted(pose[2], skeleton, 2);
}

TEST_P(Layouts, TellNothingBelowAFlatJoint) {
    const Skeleton skeleton = chain();
    Made made = core::made(skeleton, GetParam());
    made.motion.tracks[1].scale.times = {0};
    made.motion.tracks[1].scale.values = {glm::vec3(1, 0, 1)};
    const WayBackToJoints back(skeleton, made.scene, {});
    const LocalPose pose = back.at(back.tracksOf(made.motion), 0);
    EXPECT_TRUE(pose[0].isTurned && pose[0].isPlaced);
    EXPECT_FALSE(pose[1].isTurned);
    EXPECT_TRUE(pose[1].isPlaced);
    EXPECT_FALSE(pose[2].isPlaced);
    EXPECT_FALSE(pose[3].isPlaced);
}

INSTANTIATE_TEST_SUITE_P(Programs, Layouts,
                         testing::Values(Layout{"AsTheGame", false, false, 1}, Layout{"OwnAxes", false, true, 2.5},
                                         Layout{"NodesBetween", true, false, 1},
                                         Layout{"NodesBetweenAndOwnAxes", true, true, 0.01}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace reanima::core
