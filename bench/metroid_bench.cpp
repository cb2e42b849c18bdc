#include <random>

#include <benchmark/benchmark.h>

#include "bench/metroid_baseline.h"
#include "formats/metroid/animation/animation.h"
#include "formats/metroid/animation/values.h"

namespace reanima::bench {
namespace {

constexpr std::uint32_t kChannels = 90;
constexpr std::uint32_t kKeys = 600;

/// Every channel contains rotations, and one in six channels also translations. Changes need 6 to 11 bits.
const core::ByteVector& freshAnimation() {
    static const core::ByteVector bytes = [] {
        std::mt19937 random(std::random_device{}());
        metroid::Animation animation;
        animation.interval = 1.0F / 30;
        animation.duration = static_cast<float>(kKeys - 1) / 30;
        metroid::StreamAnimation stream;
        stream.frameCount = kKeys;
        stream.channelCount = stream.channelCount2 = kChannels;
        stream.bitmap.assign((kKeys + 31) / 32, 0xFFFFFFFF);
        const auto property = [&random](int spread) {
            metroid::Property made;
            made.keyCount = kKeys - 1;
            for (metroid::Component& component : made.components) {
                component.bits = static_cast<std::uint8_t>(6 + random() % 6);
                int running = component.initial = static_cast<std::int16_t>(static_cast<int>(random() % 4000) - 2000);
                for (std::uint32_t key = 1; key < kKeys; ++key) {
                    int change = static_cast<int>(random() % (1U << component.bits)) - (1 << (component.bits - 1));
                    if (running + change > spread || running + change < -spread)
                        change = running > 0 ? -(1 << (component.bits - 1)) : (1 << (component.bits - 1)) - 1;
                    running += change;
                    component.changes.push_back(change);
                }
            }
            return made;
        };
        for (std::uint32_t bone = 0; bone < kChannels; ++bone) {
            metroid::StreamChannel& channel = stream.channels.emplace_back();
            channel.bone = bone;
            channel.rotation = property(16000);
            for (std::uint32_t key = 1; key < kKeys; ++key)
                channel.signs.push_back(random() % 50 == 0 ? -1 : 0);
            if (bone % 6 == 0)
                channel.translation = property(30000);
        }
        animation.content = std::move(stream);
        return metroid::encodeAnimation(animation);
    }();
    return bytes;
}

void addRate(benchmark::State& state) {
    state.counters["rotations/s"] =
        benchmark::Counter(double{kChannels} * kKeys, benchmark::Counter::kIsIterationInvariantRate);
}

void ours(benchmark::State& state) {
    const core::ByteVector& file = freshAnimation();
    for (auto _ : state) {
        core::Diagnostics diagnostics;
        const metroid::Animation animation = metroid::decodeAnimation(file, std::nullopt, {}, diagnostics);
        const metroid::ValueReader values(animation);
        for (std::size_t channel = 0; channel < values.size(); ++channel)
            benchmark::DoNotOptimize(values[channel]);
    }
    addRate(state);
}

void baseline(benchmark::State& state) {
    const core::ByteVector& file = freshAnimation();
    for (auto _ : state)
        benchmark::DoNotOptimize(decodeStreamPlainly(file.data()));
    addRate(state);
}

BENCHMARK(ours)->Name("metroid animation decoded/ours")->Unit(benchmark::kMicrosecond);
BENCHMARK(baseline)->Name("metroid animation decoded/baseline")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reanima::bench
