#include <random>

#include <benchmark/benchmark.h>

#include "bench/ff9_baseline.h"
#include "formats/ff9/animation.h"
#include "formats/ff9/clips.h"

namespace reanima::bench {
namespace {

constexpr std::uint32_t kBones = 40;
constexpr std::uint16_t kFrames = 300;

/// A block with the game's typical movement between frames: about 8 of 100 neighbouring quaternions differ in sign. One
/// channel in three never changes.
const core::ByteVector& freshBlock() {
    static const core::ByteVector bytes = [] {
        std::mt19937 random(std::random_device{}());
        ff9::Block block;
        block.animation.frameCount = kFrames;
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::int16_t& value : block.animation.translation.add(kFrames))
                value = static_cast<std::int16_t>(random() % 512);
        for (std::size_t channel = 0; channel < std::size_t{3} * kBones; ++channel) {
            auto angle = static_cast<core::Angle>(random() % core::kFullTurn);
            for (core::Angle& value : block.animation.angles.add(channel % 3 == 0 ? 1 : kFrames)) {
                value = angle;
                angle = static_cast<core::Angle>((angle + random() % 680 + core::kFullTurn - 340) % core::kFullTurn);
            }
        }
        core::Diagnostics diagnostics;
        return ff9::encodeBlock(block, diagnostics);
    }();
    return bytes;
}

void addRates(benchmark::State& state) {
    state.counters["quaternions/s"] =
        benchmark::Counter(double{kBones} * kFrames, benchmark::Counter::kIsIterationInvariantRate);
}

/// Converts bytes to a clip of the common model: checks them, uses metres, keeps signs continuous, counts large steps.
void ours(benchmark::State& state) {
    const core::ByteVector& file = freshBlock();
    const core::Limits limits;
    for (auto _ : state) {
        core::Diagnostics diagnostics;
        core::SampleBudget budget(limits);
        core::LargeSteps largeSteps;
        const ff9::Animation animation =
            ff9::decodeAnimation(core::LittleEndianReader(file), kBones, budget, diagnostics);
        benchmark::DoNotOptimize(ff9::toClip(animation, "clip", kBones, {}, largeSteps));
    }
    addRates(state);
}

void baseline(benchmark::State& state) {
    const core::ByteVector& file = freshBlock();
    for (auto _ : state)
        benchmark::DoNotOptimize(decodePlainly(file.data(), kBones));
    addRates(state);
}

BENCHMARK(ours)->Name("ff9 block to quaternions/ours")->Unit(benchmark::kMicrosecond);
BENCHMARK(baseline)->Name("ff9 block to quaternions/baseline")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reanima::bench
