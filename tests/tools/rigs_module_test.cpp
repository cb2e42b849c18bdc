/// The command's way to skeletons of other programs that are no glTF: through a module that is loaded only then. This
/// program stands where the command stands, beside the module.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tools/reanima/platform.h"
#include "tools/reanima/rigs.h"

namespace reanima::tool {
namespace {

namespace fs = std::filesystem;

/// The map of this process's memory names every library that is loaded.
bool assimpIsLoaded() {
    std::ifstream maps("/proc/self/maps");
    const std::string text{std::istreambuf_iterator<char>(maps), {}};
    return text.find("libassimp") != std::string::npos;
}

fs::path written(const char* name, const char* text) {
    const fs::path path = fs::path(testing::TempDir()) / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

TEST(RigsModule, IsLoadedWhenItIsNeededAndOnlyThen) {
    core::Diagnostics diagnostics;
    EXPECT_FALSE(assimpIsLoaded());

    const fs::path path = written("module_test.bvh",
                                  "HIERARCHY\nROOT Hips\n{\nOFFSET 0 90 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                                  "End Site\n{\nOFFSET 0 20 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n");
    const core::Rig hips = readOtherRig(path, diagnostics);
    EXPECT_TRUE(assimpIsLoaded());
    ASSERT_EQ(hips.skeleton.joints.size(), 2U);
    EXPECT_EQ(hips.skeleton.joints[0].name, "Hips");
    fs::remove(path);
}

TEST(RigsModule, ErrorsOfTheModuleArriveAsTheyAre) {
    const fs::path path = written("module_test.txt", "no skeleton");
    core::Diagnostics diagnostics;
    try {
        (void)readOtherRig(path, diagnostics);
        FAIL() << "read";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.file(), toUtf8(path));
        EXPECT_TRUE(error.problem().starts_with("can't be read by Assimp: No suitable reader found")) << error.what();
    }
    fs::remove(path);
}

TEST(RigsModule, AMissingModuleIsNamedWithItsPlaces) {
    try {
        (void)moduleFunction("reanima_nothing", "nothing");
        FAIL() << "loaded";
    } catch (const std::runtime_error& error) {
        const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
        EXPECT_EQ(std::string(error.what()),
                  fmt::format("neither {} nor {} is there", (folder / "reanima_nothing.so").string(),
                              (folder.parent_path() / "lib/reanima/reanima_nothing.so").string()));
    }
}

}  // namespace
}  // namespace reanima::tool
