#include <random>

#include <benchmark/benchmark.h>

#include "bench/rlf_baseline.h"
#include "formats/zvision/rlf.h"

namespace reanima::bench {
namespace {

constexpr std::uint32_t kWidth = 640;
constexpr std::uint32_t kHeight = 344;
constexpr std::uint32_t kFrames = 12;

/// The kind of runs in a video.
struct Kind {
    int shortest;
    int longest;
    bool deltas;         ///< whether frames after the first one only skip and replace pixels
    bool dense = false;  ///< whether all skips are one pixel long
};

/// A video that no encoder wrote, so that it does not depend on an encoder's choices. Its key frames alternate between
/// literals and repetitions, its delta frames between skips and literals. All lengths are between the kind's bounds.
core::ByteVector videoOf(const Kind& kind) {
    std::mt19937 random(7);
    const auto length = [&] {
        return kind.shortest + static_cast<int>(random() % static_cast<unsigned>(kind.longest - kind.shortest + 1));
    };
    std::vector<std::vector<core::Pixel555>> blank = {std::vector<core::Pixel555>(kWidth * kHeight)};
    core::ByteVector file = zvision::encodeRlf(kWidth, kHeight, blank, {});
    file.resize(0xB4);
    file[0x10] = kFrames;
    const auto word = [&file](std::uint32_t value) {
        for (unsigned shift = 0; shift < 32; shift += 8)
            file.push_back(static_cast<std::uint8_t>(value >> shift));
    };
    for (std::uint32_t f = 0; f < kFrames; ++f) {
        core::ByteVector runs;
        const bool delta = kind.deltas && f > 0;
        bool literals = true;
        for (std::uint32_t at = 0; at < kWidth * kHeight; literals = !literals) {
            const int wanted = kind.dense && !literals ? 1 : length();
            const std::uint32_t count =
                std::min<std::uint32_t>(static_cast<std::uint32_t>(wanted), kWidth * kHeight - at);
            if (literals || (!delta && count < 2)) {
                runs.push_back(static_cast<std::uint8_t>(256 - count));
                for (std::uint32_t p = 0; p < count * 2; ++p)
                    runs.push_back(static_cast<std::uint8_t>(random()));
            } else if (delta) {
                runs.push_back(static_cast<std::uint8_t>(count - 1));
            } else {
                runs.push_back(static_cast<std::uint8_t>(count - 2));
                runs.push_back(static_cast<std::uint8_t>(random()));
                runs.push_back(static_cast<std::uint8_t>(random()));
            }
            at += count;
        }
        word(0x4652414D);
        word(static_cast<std::uint32_t>(28 + runs.size()));
        word(0);
        word(0);
        word(delta ? 0x44484C45 : 0x48524C45);
        word(28);
        word(0);
        file.insert(file.end(), runs.begin(), runs.end());
    }
    return file;
}

std::shared_ptr<const zvision::Rlf> openVideo(const Kind& kind) {
    core::Diagnostics diagnostics;
    return zvision::decodeRlf(videoOf(kind), {}, diagnostics);
}

void countPixels(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * kWidth * kHeight * kFrames); }

void ours(benchmark::State& state, Kind kind) {
    const auto video = openVideo(kind);
    zvision::RlfCursor cursor(video);
    for (auto _ : state)
        for (std::uint32_t f = 0; f < kFrames; ++f)
            benchmark::DoNotOptimize(cursor.picture(f).data());
    countPixels(state);
}

void baseline(benchmark::State& state, Kind kind) {
    const auto video = openVideo(kind);
    std::vector<std::uint16_t> surface(video->pixels());
    for (auto _ : state)
        for (const zvision::RlfFrame& frame : video->frames) {
            if (frame.codec == zvision::Codec::key)
                decodeKeyPlainly(frame.data().data(), frame.data().size(), surface);
            else
                decodeDeltaPlainly(frame.data().data(), frame.data().size(), surface);
            benchmark::DoNotOptimize(surface.data());
        }
    countPixels(state);
}

/// A video of one key frame, played backwards.
void backwards(benchmark::State& state) {
    const auto video = openVideo({20, 120, true});
    zvision::RlfCursor cursor(video);
    for (auto _ : state)
        for (std::uint32_t f = kFrames; f-- > 0;)
            benchmark::DoNotOptimize(cursor.picture(f).data());
    countPixels(state);
}

/// Plays the same video backwards, and decodes each picture from the key frame.
void backwardsFromTheKey(benchmark::State& state) {
    const auto video = openVideo({20, 120, true});
    for (auto _ : state)
        for (std::uint32_t f = kFrames; f-- > 0;) {
            zvision::RlfCursor cursor(video);
            benchmark::DoNotOptimize(cursor.picture(f).data());
        }
    countPixels(state);
}

BENCHMARK(backwards)->Name("rlf backwards, 12 deltas/ours")->Unit(benchmark::kMicrosecond);
BENCHMARK(backwardsFromTheKey)->Name("rlf backwards, 12 deltas/baseline")->Unit(benchmark::kMicrosecond);

#define REANIMA_RLF_BENCH(name, ...)                                                                             \
    BENCHMARK_CAPTURE(ours, name, Kind{__VA_ARGS__})->Name("rlf " #name "/ours")->Unit(benchmark::kMicrosecond); \
    BENCHMARK_CAPTURE(baseline, name, Kind{__VA_ARGS__})->Name("rlf " #name "/baseline")->Unit(benchmark::kMicrosecond)

REANIMA_RLF_BENCH(keys with runs of one pixel, 1, 1, false);
REANIMA_RLF_BENCH(keys with runs of two pixels, 2, 2, false);
REANIMA_RLF_BENCH(keys with runs of four pixels, 4, 4, false);
REANIMA_RLF_BENCH(keys with runs of 1 to 6, 1, 6, false);
REANIMA_RLF_BENCH(keys with runs of 2 to 22, 2, 22, false);
REANIMA_RLF_BENCH(keys with runs of 20 to 120, 20, 120, false);
REANIMA_RLF_BENCH(deltas with runs of one pixel, 1, 1, true);
REANIMA_RLF_BENCH(deltas with runs of two pixels, 2, 2, true);
REANIMA_RLF_BENCH(deltas with runs of three pixels, 3, 3, true);
REANIMA_RLF_BENCH(deltas with runs of four pixels, 4, 4, true);
REANIMA_RLF_BENCH(deltas with runs of five pixels, 5, 5, true);
REANIMA_RLF_BENCH(deltas with runs of six pixels, 6, 6, true);
REANIMA_RLF_BENCH(dense deltas with runs of three pixels, 3, 3, true, true);
REANIMA_RLF_BENCH(dense deltas with runs of six pixels, 6, 6, true, true);
REANIMA_RLF_BENCH(dense deltas with runs of seven pixels, 7, 7, true, true);
REANIMA_RLF_BENCH(dense deltas with runs of 3 to 7, 3, 7, true, true);
REANIMA_RLF_BENCH(dense deltas with runs of 2 to 22, 2, 22, true, true);
REANIMA_RLF_BENCH(deltas with runs of 3 to 4, 3, 4, true);
REANIMA_RLF_BENCH(deltas with runs of 3 to 8, 3, 8, true);
REANIMA_RLF_BENCH(deltas with runs of 6 to 9, 6, 9, true);
REANIMA_RLF_BENCH(deltas with runs of 1 to 6, 1, 6, true);
REANIMA_RLF_BENCH(deltas with runs of 2 to 22, 2, 22, true);
REANIMA_RLF_BENCH(deltas with runs of 20 to 120, 20, 120, true);

}  // namespace
}  // namespace reanima::bench
