/// Scenes that never reach makeRig() from files, since readers reject them.
#include "core/rig.h"

#include <gtest/gtest.h>

#include "core/decode_error.h"

namespace reanima::core {
namespace {

TEST(SceneRig, NodesInACircleAreRefused) {
    Scene scene;
    scene.nodes.resize(3);
    scene.nodes[1].parent = 2;
    scene.nodes[2].parent = 1;
    scene.fieldOf = [](std::uint32_t node) { return "nodes[" + std::to_string(node) + "]"; };
    Diagnostics diagnostics;
    try {
        (void)makeRig(scene, diagnostics);
        FAIL();
    } catch (const DecodeError& error) {
        EXPECT_STREQ(error.what(), "nodes[1]: is its own ancestor, expected a tree of nodes");
    }
}

/// Every program supports a scale of -1 along all axes.
TEST(SceneRig, AMirrorThroughTheOriginIsAScale) {
    Scene scene;
    scene.nodes.resize(2);
    scene.nodes[0].name = "root";
    scene.nodes[0].local = glm::dmat4(-2);
    scene.nodes[0].local[3] = {1, 2, 3, 1};
    scene.nodes[1].name = "tip";
    scene.nodes[1].parent = 0;
    scene.nodes[1].local[3] = {0, 1, 0, 1};
    scene.fieldOf = [](std::uint32_t node) { return "nodes[" + std::to_string(node) + "]"; };
    Diagnostics diagnostics;
    const Rig rig = makeRig(scene, diagnostics);
    ASSERT_EQ(rig.skeleton.joints.size(), 2U);
    const Transform& rest = rig.skeleton.joints[0].rest;
    EXPECT_EQ(rest.scale, glm::vec3(-2));
    EXPECT_EQ(rest.translation, glm::vec3(1, 2, 3));
    EXPECT_NEAR(rest.rotation.w, 1, 1e-6);
    EXPECT_EQ(rig.skeleton.joints[1].rest.translation, glm::vec3(0, 1, 0));
    EXPECT_TRUE(diagnostics.warnings().empty());
}

}  // namespace
}  // namespace reanima::core
