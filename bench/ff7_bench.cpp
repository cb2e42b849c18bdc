#include <random>

#include <benchmark/benchmark.h>

#include "bench/ff7_baseline.h"
#include "formats/ff7/battle_animation.h"

namespace reanima::bench {
namespace {

constexpr std::uint32_t kTriples = 31;
constexpr std::uint32_t kFrames = 300;
constexpr std::uint32_t kAnimations = 38;  // more than a million changes of angles in total

/// A pack whose changes of angles need about four bits each, as in the game: many are zero, most others small.
const core::ByteVector& freshPack() {
    static const core::ByteVector bytes = [] {
        std::mt19937 random(std::random_device{}());
        ff7::BattlePack pack;
        pack.count = kAnimations;
        for (std::uint32_t a = 0; a < kAnimations; ++a) {
            ff7::BattleAnimation& animation = pack.animations.emplace_back();
            animation.boneCount = animation.rotationCount = kTriples;
            animation.frameCount = kFrames;
            animation.streamFrameCount = static_cast<std::uint16_t>(kFrames);
            std::vector<AngleTriple> running(kTriples);
            for (std::uint32_t f = 0; f < kFrames; ++f) {
                animation.frames.translations.push_back({static_cast<std::int16_t>(f * 3), 0, 0});
                for (AngleTriple& triple : running)
                    for (core::Angle& angle : triple) {
                        const auto kind = static_cast<unsigned>(random() % 100);
                        const unsigned width = kind < 32 ? 0 : kind < 98 ? 1 + kind % 4 : 11;
                        const int change = width == 0 ? 0
                                                      : static_cast<int>(random() % (1U << width)) -
                                                            static_cast<int>(1U << (width - 1));
                        angle = static_cast<core::Angle>((angle + change) & 4095);
                    }
                animation.frames.rotations.insert(animation.frames.rotations.end(), running.begin(), running.end());
            }
        }
        core::Diagnostics diagnostics;
        return ff7::encodeBattlePack(pack, diagnostics);
    }();
    return bytes;
}

constexpr double kChanges = double{kAnimations} * (kFrames - 1) * kTriples * 3;

void addRates(benchmark::State& state) {
    state.counters["changes/s"] = benchmark::Counter(kChanges, benchmark::Counter::kIsIterationInvariantRate);
    state.counters["bits/change"] = static_cast<double>(freshPack().size()) * 8 / kChanges;
}

void ours(benchmark::State& state) {
    const core::ByteVector& file = freshPack();
    for (auto _ : state) {
        core::Diagnostics diagnostics;
        benchmark::DoNotOptimize(ff7::decodeBattlePack(file, {}, {}, diagnostics));
    }
    addRates(state);
}

void baseline(benchmark::State& state) {
    const core::ByteVector& file = freshPack();
    for (auto _ : state) {
        std::vector<std::vector<PublishedFrame>> pack;
        std::size_t at = 4;
        for (std::uint32_t a = 0; a < kAnimations; ++a) {
            const std::size_t size = file[at + 8] | static_cast<std::size_t>(file[at + 9]) << 8U |
                                     static_cast<std::size_t>(file[at + 10]) << 16U;
            pack.push_back(decodePublished(file.data() + at + 12, kTriples));
            at += 12 + size;
        }
        benchmark::DoNotOptimize(pack);
    }
    addRates(state);
}

BENCHMARK(ours)->Name("ff7 pack decoded/ours")->Unit(benchmark::kMillisecond);
BENCHMARK(baseline)->Name("ff7 pack decoded/baseline")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reanima::bench
