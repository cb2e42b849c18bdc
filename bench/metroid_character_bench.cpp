/// Writes a character of Metroid Prime with its mesh as a .glb. The baseline writes the .glb without the mesh, and the
/// images as PNG files.

#include <array>
#include <cmath>
#include <memory>
#include <random>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/files.h"
#include "formats/load.h"
#include "formats/metroid/model/cmdl.h"
#include "formats/metroid/model/cskr.h"
#include "formats/metroid/model/txtr.h"
#include "gltf_export/gltf_file.h"
#include "pictures/png.h"

namespace reanima::bench {
namespace {

constexpr std::uint32_t kAround = 100;  // vertices of a ring
constexpr std::uint32_t kRings = 50;
constexpr std::uint32_t kTextures = 8;
constexpr std::uint16_t kSide = 256;
constexpr std::uint32_t kFirstId = 0x5EED0200;
constexpr std::uint32_t kPerGroup = 20;  // vertices that follow the same joints

/// Cells of two colours that differ little from their neighbours. No cell is transparent.
metroid::Txtr freshTexture(std::mt19937& random) {
    metroid::Txtr txtr;
    txtr.format = metroid::TexelFormat::cmpr;
    txtr.width = txtr.height = kSide;
    for (std::uint32_t cell = 0; cell < std::uint32_t{kSide} * kSide / 16; ++cell) {
        const std::uint32_t color = 0x4208 + (cell / 256) * 0x0801 % 0x8000;
        for (const std::uint32_t word : {color + 0x1082, color})
            txtr.data.insert(txtr.data.end(), {static_cast<std::uint8_t>(word >> 8U), static_cast<std::uint8_t>(word)});
        for (int row = 0; row < 4; ++row)
            txtr.data.push_back(static_cast<std::uint8_t>(random() & random()));
    }
    return txtr;
}

metroid::MaterialSet materials() {
    metroid::MaterialSet set;
    for (std::uint32_t i = 0; i < kTextures; ++i) {
        set.textures.push_back(kFirstId + i);
        metroid::CmdlMaterial& material = set.materials.emplace_back();
        material.textures = {i};
        material.vertexWord = 0x30F;  // indices of position, normal and coordinates: two bytes each
        material.source = 1;
        material.stages = {{10U << 5U | 8U << 10U | 15U}};  // the light, multiplied by the texture
        material.generators = {4U << 4U | 30U << 9U};
    }
    return set;
}

/// A tube whose rings are strips of triangles.
metroid::Cmdl tube() {
    metroid::Cmdl cmdl;
    cmdl.flags = metroid::kSkinnedModel;
    cmdl.sets = {materials()};
    for (std::uint32_t i = 0; i < kAround * kRings; ++i) {
        const double angle = 6.283185307179586 * (i % kAround) / kAround;
        const auto x = static_cast<float>(std::cos(angle));
        const auto y = static_cast<float>(std::sin(angle));
        const auto v = static_cast<float>(i / kAround) / kRings;
        cmdl.positions.push_back({0.3F * x, 0.3F * y, 1.7F * v});
        cmdl.normals.push_back({x, y, 0});
        cmdl.uv.push_back({static_cast<float>(i % kAround) / kAround, v * kTextures});
    }
    for (std::uint32_t ring = 0; ring + 1 < kRings; ++ring) {
        metroid::CmdlSurface& surface = cmdl.surfaces.emplace_back();
        surface.material = ring * kTextures / kRings;
        surface.calls = {{0x98, 2 * kAround, 0}};
        for (std::uint32_t i = 0; i < 2 * kAround; ++i) {
            const auto number = static_cast<std::uint16_t>((ring + i % 2) * kAround + i / 2);
            surface.numbers.insert(surface.numbers.end(), 3, number);
        }
    }
    return cmdl;
}

metroid::Cskr skin() {
    constexpr std::uint32_t kFirstBone = 3;
    constexpr std::uint32_t kBones = 25;
    metroid::Cskr cskr;
    for (std::uint32_t i = 0; i < kAround * kRings / kPerGroup; ++i)
        cskr.groups.push_back({{{kFirstBone + i % kBones, 0.6F}, {kFirstBone + 1 + i % kBones, 0.4F}}, kPerGroup});
    cskr.positions.count = cskr.normals.count = kAround * kRings;
    return cskr;
}

/// A walk of 27 joints, with the mesh's files beside it.
const std::shared_ptr<const core::Files>& files() {
    static const std::shared_ptr<const core::Files> made = [] {
        auto memory = std::make_shared<core::MemoryFiles>();
        const std::string samples = std::string(REANIMA_SOURCE_DIR) + "/samples/metroid/";
        memory->add("hero.ANIM", core::diskFiles()->read(samples + "hero_walk.ANIM", {}).bytes);
        memory->add("hero.CINF", core::diskFiles()->read(samples + "hero.CINF", {}).bytes);
        core::Diagnostics diagnostics;
        memory->add("hero.CMDL", metroid::encodeCmdl(tube(), diagnostics));
        memory->add("hero.CSKR", metroid::encodeCskr(skin()));
        std::mt19937 random(6);
        for (std::uint32_t i = 0; i < kTextures; ++i)
            memory->add(fmt::format("{:08X}.TXTR", kFirstId + i), metroid::encodeTxtr(freshTexture(random)));
        return memory;
    }();
    return made;
}

core::Asset loaded(const OptionValues& options) {
    core::Diagnostics diagnostics;
    Context context{options, {}, diagnostics, {}};
    const Input input(files()->read("hero.ANIM", {}), core::Siblings(files(), "hero.ANIM"));
    return load(input, withFoundCompanions(input, {}), context);
}

std::size_t bytesOf(const gltf::GltfFile& file) { return file.bytes.size(); }

void ours(benchmark::State& state) {
    const core::Asset once = loaded({});
    if (once.images.size() != kTextures || once.meshes.size() != 1)
        return state.SkipWithError("the character has no mesh");
    for (auto _ : state)
        benchmark::DoNotOptimize(bytesOf(gltf::makeGlbFile(loaded({}), {})));
}

void baseline(benchmark::State& state) {
    OptionValues bare;
    bare.set("no-mesh", 1.0);
    const core::Asset dressed = loaded({});
    for (auto _ : state) {
        benchmark::DoNotOptimize(bytesOf(gltf::makeGlbFile(loaded(bare), {})));
        for (const core::Image& image : dressed.images)
            benchmark::DoNotOptimize(pictures::encodePng(image));
    }
}

// Our code encodes the images on a second thread.
BENCHMARK(ours)->Name("metroid character with 8 textures to .glb/ours")->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(baseline)
    ->Name("metroid character with 8 textures to .glb/baseline")
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

}  // namespace
}  // namespace reanima::bench
