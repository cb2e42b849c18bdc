#include <cmath>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/rotation.h"

namespace reanima::bench {
namespace {

struct Triple {
    core::Angle x, y, z;
};

const std::vector<Triple>& triples() {
    static const std::vector<Triple> list = [] {
        std::mt19937 random(1);
        std::vector<Triple> made(4096);
        for (Triple& t : made)
            t = {static_cast<core::Angle>(random() % 4096), static_cast<core::Angle>(random() % 4096),
                 static_cast<core::Angle>(random() % 4096)};
        return made;
    }();
    return list;
}

template <typename Convert>
void convertAll(benchmark::State& state, const Convert& convert) {
    const std::vector<Triple>& in = triples();
    std::vector<glm::quat> out(in.size());
    for (auto _ : state) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = convert(in[i]);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(out.size()));
}

void ours(benchmark::State& state) {
    convertAll(state, [](const Triple& t) {
        return core::composeYXZ(core::halfAngle(t.x), core::halfAngle(t.y), core::halfAngle(t.z));
    });
}

void baseline(benchmark::State& state) {
    convertAll(state, [](const Triple& t) {
        constexpr float kHalfUnit = 3.14159265358979F / 4096;
        const auto half = [](core::Angle angle) {
            return core::HalfAngle{std::sin(static_cast<float>(angle) * kHalfUnit),
                                   std::cos(static_cast<float>(angle) * kHalfUnit)};
        };
        return core::composeYXZ(half(t.x), half(t.y), half(t.z));
    });
}

BENCHMARK(ours)->Name("12-bit angles to quaternions/ours")->Unit(benchmark::kMicrosecond);
BENCHMARK(baseline)->Name("12-bit angles to quaternions/baseline")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace reanima::bench
