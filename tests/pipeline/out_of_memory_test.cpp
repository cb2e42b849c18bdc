/// The allocations of a conversion fail one by one. std::bad_alloc or an error is thrown, and nothing leaks or is freed
/// twice.

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string>

#include <gtest/gtest.h>

#include "core/decode_error.h"
#include "gltf_export/gltf_file.h"
#include "gltf_export/gltf_skeleton.h"
#include "pipeline/pipeline.h"

namespace {

constexpr long kNever = -1;
std::atomic<long> allocationsLeft = kNever;  ///< number that still succeed, on any thread

void* allocate(std::size_t size) {
    long left = allocationsLeft;
    while (left != kNever && !allocationsLeft.compare_exchange_weak(left, left - 1)) {
    }
    if (left == 0)  // the counter is now kNever, since handling the error may allocate again
        throw std::bad_alloc();
    void* made = std::malloc(size == 0 ? 1 : size);
    if (made == nullptr)
        throw std::bad_alloc();
    return made;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace reanima {
namespace {

/// @return the number of allocations up to the end, or `failing` if that allocation failed
long convertWith(const std::filesystem::path& path, const Settings& settings, long failing) {
    constexpr long kMany = 1L << 40;
    const long allowed = failing == kNever ? kMany : failing;
    long made = failing;
    allocationsLeft = allowed;
    try {
        const LoadedFile loaded = loadFile(path, settings);
        const gltf::GltfFile file = gltf::makeGlbFile(loaded.asset, {});
        made = allowed - allocationsLeft;
    } catch (const std::bad_alloc&) {
    } catch (const core::DecodeError&) {
    }
    allocationsLeft = kNever;
    return made;
}

/// With REANIMA_LONG set, every allocation fails once.
/// @param step otherwise, every n-th one
void expectExceptions(const char* sample, const Settings& settings, long step) {
    if (std::getenv("REANIMA_LONG") != nullptr)
        step = 1;
    const auto path = std::filesystem::path(REANIMA_SOURCE_DIR) / "samples" / sample;
    convertWith(path, settings, kNever);  // makes tables that are kept
    const long all = convertWith(path, settings, kNever);
    ASSERT_GT(all, 100);
    for (long failing = 0; failing < all; failing += step)
        convertWith(path, settings, failing);
    EXPECT_EQ(convertWith(path, settings, kNever), all);
}

class OutOfMemory : public testing::TestWithParam<const char*> {};

TEST_P(OutOfMemory, IsAnExceptionWhereverItStrikes) { expectExceptions(GetParam(), {}, 7); }

INSTANTIATE_TEST_SUITE_P(Samples, OutOfMemory,
                         testing::Values("ff7/hrda", "ff9/hero.ff9db", "metroid/hero_walk.ANIM", "rlf/gate.rlf"),
                         [](const testing::TestParamInfo<const char*>& sample) {
                             const std::string path = sample.param;
                             return path.substr(0, path.find('/'));
                         });

TEST(OutOfMemoryInABinding, IsAnExceptionWhereverItStrikes) {
    const auto folder = std::filesystem::path(REANIMA_SOURCE_DIR) / "samples";
    const core::ByteVector bytes = gltf::writeGlb(loadFile(folder / "metroid/hero.CINF").asset, {});
    core::Diagnostics diagnostics;
    Settings settings;
    settings.rig = std::make_shared<core::Rig>(gltf::readRig({bytes, "rig.glb"}, {}, diagnostics));
    settings.clips = {"2"};
    settings.resample = 7;
    settings.reduce = 5;
    expectExceptions("ff7/hrda", settings, 29);
}

}  // namespace
}  // namespace reanima
