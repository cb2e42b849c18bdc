/// How the command reads other programs' skeletons in formats other than glTF: through a module that is loaded on
/// demand. This program is beside the module, like the command.
#include <atomic>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "pipeline/scene_memory.h"
#include "support/sanitizer.h"
#include "tools/reanima/front/rigs.h"
#include "tools/reanima/system/failure.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/system/temporary.h"

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
    fs::path path = fs::path(testing::TempDir()) / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

TEST(RigsModule, IsLoadedWhenItIsNeededAndOnlyThen) {
    core::Diagnostics diagnostics;
    EXPECT_FALSE(assimpIsLoaded());

    const fs::path path = written("module_test.bvh",
                                  "HIERARCHY\nROOT Hips\n{\nOFFSET 0 90 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
                                  "End Site\n{\nOFFSET 0 20 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n");
    const core::Rig hips = readOtherRig(path, {}, {}, nullptr, diagnostics);
    EXPECT_TRUE(assimpIsLoaded());
    ASSERT_EQ(hips.skeleton.joints.size(), 2U);
    EXPECT_EQ(hips.skeleton.joints[0].name, "Hips");
    fs::remove(path);
}

TEST(RigsModule, ErrorsOfTheModuleArriveAsTheyAre) {
    const fs::path path = written("module_test.txt", "no skeleton");
    core::Diagnostics diagnostics;
    try {
        (void)readOtherRig(path, {}, {}, nullptr, diagnostics);
        FAIL() << "read";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.file(), toUtf8(path));
        EXPECT_TRUE(error.problem().starts_with("can't be read by Assimp: No suitable reader found")) << error.what();
    }
    fs::remove(path);
}

TEST(RigsModule, MemoryIsForeseenByWhatFilesOfAKindTake) {
    const auto memory = [](std::string_view text, std::string_view name) {
        return memoryOfScene({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, name);  // NOLINT: text
    };
    EXPECT_EQ(memory("", "x.fbx"), 0U);
    EXPECT_EQ(memory("HIERARCHY\n0 -1.5e+3", "x.bvh"), 19U + 3 * 40);
    EXPECT_EQ(memory("v 1 2\nf 1/1 2/2\n", "x.OBJ"), 16U + 6 * 40);
    EXPECT_EQ(memory("\xEF\xBB\xBF <a>\n<b/></a>", "x.dae"), 16U + 3 * 40 + 2 * 2000);
    EXPECT_EQ(memory("; FBX\nA: *2 {\n a: 1,2 }", "x.fbx"), 23U + 6 * 150);
    EXPECT_EQ(memory({"Kaydara FBX Binary  \0\x1a", 22}, "x.fbx"), 22U * 20);
}

TEST(RigsModule, WhatMightTakeMoreThanTheLimitIsNotRead) {
    core::Limits limits;
    limits.memory = 1U << 20U;
    core::Diagnostics diagnostics;
    try {
        (void)readOtherRig("many.bvh", core::ByteVector(30000, 'a'), limits.holding((1U << 20U) - 30000), nullptr,
                           diagnostics);
        FAIL() << "read";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_STREQ(error.what(),
                     "many.bvh: would need 2 MiB of memory, but the limit is 1 (see option limit-memory=MIB)");
    }
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

TEST(RigsModule, AFileThatIsNoModuleIsNamedWithTheReason) {
    const fs::path path = fs::read_symlink("/proc/self/exe").parent_path() / "reanima_no_module.so";
    std::ofstream(path) << "text";
    try {
        (void)moduleFunction("reanima_no_module", "nothing");
        FAIL() << "loaded";
    } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), fmt::format("{0} is not a module of this program: {0}: file too short", path.string()));
    }
    fs::remove(path);
}

TEST(RigsModule, OfAnotherVersionIsNotUsed) {
    const RigsModule module{"0.1.9", nullptr, nullptr};
    EXPECT_NO_THROW(requireVersion(module, "0.1.9"));
    try {
        requireVersion(module, "0.2.0");
        FAIL() << "used";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(
            error.what(),
            "is not a glTF file, and the module that reads other formats has the version 0.1.9, expected 0.2.0");
    }
}

using Read = decltype(RigsModule::read);

/// The error if a module with this read() runs in a copy of the process.
std::string refusalOf(Read read, core::DecodeError::Kind kind) {
    try {
        tryToRead({"", read, nullptr}, "x.dae", 0, {});
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), kind);
        return error.what();
    }
    return {};
}

constexpr const char* kThroughBlender =
    "; if Blender reads it: import it there, export a .glb (File > Export > glTF 2.0), and use the .glb";

TEST(RigsModule, WhatCrashesInACopyIsRefused) {
    const Read crash = [](const std::string&, MemoriaReading&, const core::Limits&, core::SceneContent*,
                          core::Diagnostics&) -> core::Rig { std::abort(); };
    EXPECT_EQ(refusalOf(crash, core::DecodeError::Kind::malformed),
              fmt::format("can't be read: Assimp crashes{}", kThroughBlender));
}

TEST(RigsModule, WhatNeverEndsInACopyIsRefused) {
    const Read loop = [](const std::string&, MemoriaReading&, const core::Limits&, core::SceneContent*,
                         core::Diagnostics&) -> core::Rig {
        const std::atomic<bool> ends = false;
        while (!ends) {
        }
        return {};
    };
    EXPECT_EQ(refusalOf(loop, core::DecodeError::Kind::limit),
              fmt::format("can't be read: Assimp needs more than 2 seconds{}", kThroughBlender));
}

TEST(RigsModule, WhatTakesTooMuchMemoryInACopyIsRefused) {
    const Read grow = [](const std::string&, MemoriaReading&, const core::Limits&, core::SceneContent*,
                         core::Diagnostics&) -> core::Rig { throw std::bad_alloc(); };
    EXPECT_EQ(refusalOf(grow, core::DecodeError::Kind::limit),
              "can't be read: Assimp needs more memory than the limit of 1024 MiB (see option limit-memory=MIB)");
}

TEST(RigsModule, WhatIsRefusedInACopyIsMetAgain) {
    const Read refuse = [](const std::string&, MemoriaReading&, const core::Limits&, core::SceneContent*,
                           core::Diagnostics&) -> core::Rig { throw core::DecodeError("holds no bones"); };
    EXPECT_EQ(refusalOf(refuse, core::DecodeError::Kind::malformed), "");
}

TEST(Trial, ACopyHasLessMemoryAndChangesNothing) {
    int changed = 0;
    EXPECT_EQ(tryInCopy({5, 64U << 20U}, [&] { changed = 1; }), TrialEnd::own);
    EXPECT_EQ(changed, 0);
    const auto takeMore = [] {
        const core::ByteVector large(128U << 20U);
        if (large.back() != 0)
            std::abort();
    };
    if (!test::kHasAddressSanitizer) {  // which reserves addresses beforehand
        EXPECT_EQ(tryInCopy({5, 64U << 20U}, takeMore), TrialEnd::outOfMemory);
    }
}

TEST(OutOfMemory, IsAFailureWithItsStatus) {
    try {
        throw std::bad_alloc();
    } catch (const std::bad_alloc&) {
        const Failure failure = currentFailure();
        EXPECT_EQ(failure.message, "out of memory");
        EXPECT_EQ(failure.status, kLimitExceeded);
    }
}

TEST(OutOfMemory, EndsTheProcessWithAMessageWhereNothingCatchesIt) {
    const auto runOut = [] {
        std::set_terminate(endOutOfMemory);
        try {
            throw std::bad_alloc();
        } catch (const std::bad_alloc&) {
            std::terminate();
        }
    };
    EXPECT_EXIT(runOut(), testing::ExitedWithCode(kLimitExceeded), "^reanima: out of memory\n$");
}

}  // namespace
}  // namespace reanima::tool
