/// Scenes that no file reader makes: readers refuse them before.
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

}  // namespace
}  // namespace reanima::core
