/// Many threads convert at once. Each gets the same bytes as a single thread.
#include <exception>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_file.h"
#include "gltf_export/gltf_skeleton.h"
#include "pipeline/pipeline.h"
#include "support/bytes.h"

namespace reanima {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kThreads = 8;

/// An input, and the rig for binding.
struct Work {
    fs::path file;
    std::shared_ptr<const core::Rig> rig{};
};

/// Every file of the samples that can be an input, and the first pack on a rig that all threads share.
std::vector<Work> allWork() {
    std::vector<Work> all;
    std::set<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(test::sourceFolder() / "samples"))
        if (entry.is_regular_file())
            files.insert(entry.path());
    for (const fs::path& file : files)
        all.push_back({file});
    const fs::path game = test::sourceFolder() / "samples" / "ff7";
    core::Asset body = loadFile(game / "hraa").asset;
    body.character.clear();
    const core::ByteVector glb = gltf::writeGlb(body, {});
    const fs::path rig = fs::path(testing::TempDir()) / "reanima_threads_rig.glb";
    std::ofstream(rig, std::ios::binary).write(reinterpret_cast<const char*>(glb.data()), std::ssize(glb));  // NOLINT
    all.push_back({game / "hrda", std::make_shared<core::Rig>(gltf::openRig(rig))});
    fs::remove(rig);
    return all;
}

/// The .glb, or the error message: not every file can be read, or has content to write.
core::ByteVector resultOf(const Work& work) {
    try {
        Settings settings;
        settings.rig = work.rig;
        return gltf::writeGlb(loadFile(work.file, settings).asset, {});
    } catch (const std::exception& error) {
        const std::string_view words = error.what();
        return {words.begin(), words.end()};
    }
}

TEST(Threads, EightConvertAsOne) {
    const std::vector<Work> all = allWork();
    std::vector<core::ByteVector> expected;
    std::size_t scenes = 0;
    for (const Work& work : all) {
        expected.push_back(resultOf(work));
        scenes += gltf::isGlb(expected.back()) ? 1 : 0;
    }
    EXPECT_GT(scenes, 20U);
    EXPECT_TRUE(gltf::isGlb(expected.back())) << "the pack on the rig";
    std::vector<std::thread> threads;
    std::vector<std::size_t> equal(kThreads, 0);
    for (std::size_t t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
            for (std::size_t i = 0; i < all.size(); ++i) {  // half of them use the same file at the same time
                const std::size_t at = t % 2 == 0 ? i : (i + t * all.size() / kThreads) % all.size();
                equal[t] += resultOf(all[at]) == expected[at] ? 1 : 0;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(equal, std::vector<std::size_t>(kThreads, all.size()));
}

}  // namespace
}  // namespace reanima
