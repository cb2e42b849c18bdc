#include <random>

#include <benchmark/benchmark.h>

#include "bench/cmpr_baseline.h"
#include "formats/metroid/model/txtr.h"

namespace reanima::bench {
namespace {

constexpr std::uint16_t kSide = 256;
constexpr std::size_t kTextures = 8;

/// Textures of random blocks.
const std::vector<metroid::Txtr>& freshTextures() {
    static const std::vector<metroid::Txtr> textures = [] {
        std::mt19937 random(std::random_device{}());
        std::vector<metroid::Txtr> made(kTextures);
        for (metroid::Txtr& txtr : made) {
            txtr.format = metroid::TexelFormat::cmpr;
            txtr.width = txtr.height = kSide;
            txtr.data.resize(std::size_t{kSide} * kSide / 2);
            for (std::uint8_t& byte : txtr.data)
                byte = static_cast<std::uint8_t>(random());
        }
        return made;
    }();
    return textures;
}

void addTexels(benchmark::State& state) {
    state.counters["texels/s"] =
        benchmark::Counter(double{kSide} * kSide * kTextures, benchmark::Counter::kIsIterationInvariantRate);
}

void ours(benchmark::State& state) {
    core::Diagnostics diagnostics;
    for (auto _ : state)
        for (const metroid::Txtr& txtr : freshTextures())
            benchmark::DoNotOptimize(metroid::imageOf(txtr, metroid::Rows::bottomUp, {}, diagnostics));
    addTexels(state);
}

void baseline(benchmark::State& state) {
    core::Diagnostics diagnostics;
    for (const metroid::Txtr& txtr : freshTextures())
        if (metroid::imageOf(txtr, metroid::Rows::bottomUp, {}, diagnostics).rgba !=
            decodeCmprPlainly(txtr.data.data(), kSide, kSide))
            return state.SkipWithError("the two decoders give different texels");
    for (auto _ : state)
        for (const metroid::Txtr& txtr : freshTextures())
            benchmark::DoNotOptimize(decodeCmprPlainly(txtr.data.data(), kSide, kSide));
    addTexels(state);
}

BENCHMARK(ours)->Name("8 CMPR textures of 256 x 256 decoded/ours")->Unit(benchmark::kMicrosecond);
BENCHMARK(baseline)->Name("8 CMPR textures of 256 x 256 decoded/baseline")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reanima::bench
