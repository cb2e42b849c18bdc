/// Runs the benchmarks and compares the two times of every pair `name/ours` and `name/baseline`.
///
/// reanima_bench --check      exits with status 1 if a ratio is below its threshold: see kLeast
///
/// Times vary, so runs are repeated in mixed order, and medians are compared. Benchmarks measure processor time. If our
/// code uses two threads, they measure elapsed time (UseRealTime), which needs an idle machine.

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <fmt/format.h>

namespace {

/// The threshold of a pair: the baseline's time divided by ours.
struct Least {
    std::string_view pair;  ///< start of the pair's name; of several that match, the longest is used
    double ratio;
};
/// About seven tenths of the values in docs/quality.md, since caches and noise differ between machines. A drop to half
/// the speed is detected on every machine.
constexpr std::array kLeast = {
    Least{"12-bit angles to quaternions", 8.0},
    Least{"30 joints x 60 clips x 120 keys to .glb", 2.2},
    Least{"8 CMPR textures of 256 x 256 decoded", 2.0},
    Least{"94 clips onto a rig of 65 joints", 0.035},
    Least{"94 clips onto a rig, both with meshes", 0.4},
    Least{"ff7 pack decoded", 3.7},
    Least{"ff9 block to quaternions", 5.0},
    Least{"metroid animation decoded", 3.8},
    Least{"metroid character with 8 textures to .glb", 0.8},
    Least{"pack of 94 animations to .glb", 1.8},
    Least{"pack with 1,000 triangles to .glb", 0.5},
    Least{"png of 640 x 480 pixels", 1.0},
    Least{"rlf backwards", 2.5},
    Least{"rlf deltas", 1.6},
    Least{"rlf deltas with runs of 2 to 22", 4.3},
    Least{"rlf deltas with runs of 3 to 4", 3.6},
    Least{"rlf dense deltas", 1.9},
    Least{"rlf dense deltas with runs of 2 to 22", 4.3},
    Least{"rlf dense deltas with runs of 3 to 7", 5.2},
    Least{"rlf keys", 1.0},
    Least{"rlf keys with runs of 2 to 22", 5.6},
};

double leastOf(std::string_view pair) {
    const Least* found = nullptr;
    for (const Least& least : kLeast)
        if (pair.starts_with(least.pair) && (found == nullptr || least.pair.size() > found->pair.size()))
            found = &least;
    return found == nullptr ? 0 : found->ratio;
}

/// Keeps freed memory in the process. Otherwise much of the measured time would be the kernel's page allocation.
void keepMemory() {
#if defined(__GLIBC__)
    constexpr int kMost = 256 << 20;
    mallopt(M_TRIM_THRESHOLD, kMost);
    mallopt(M_MMAP_THRESHOLD, kMost);
#endif
}

class RatioReporter : public benchmark::ConsoleReporter {
  public:
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs)
            if (run.run_type == Run::RT_Iteration && !run.error_occurred)
                times_[run.run_name.function_name].push_back(
                    run.run_name.time_type.empty() ? run.GetAdjustedCPUTime() : run.GetAdjustedRealTime());
        ConsoleReporter::ReportRuns(runs);
    }

    void Finalize() override {
        fmt::print("\n{:<44} {:>12} {:>12} {:>8} {:>8}\n", "median time", "ours", "baseline", "ratio", "at least");
        for (auto& [name, ours] : times_) {
            const std::string suffix = "/ours";
            if (!name.ends_with(suffix))
                continue;
            const std::string pair = name.substr(0, name.size() - suffix.size());
            const auto baseline = times_.find(pair + "/baseline");
            if (baseline == times_.end())
                continue;
            const double a = median(ours);
            const double b = median(baseline->second);
            const double least = leastOf(pair);
            const bool isSlow = b < a * least || least == 0;
            slow_ += isSlow ? 1 : 0;
            fmt::print("{:<44} {:>12.4g} {:>12.4g} {:>7.2f}x {:>7.1f}x{}\n", pair, a, b, b / a, least,
                       least == 0 ? "  has no threshold"
                       : isSlow   ? "  too slow"
                                  : "");
        }
    }

    /// The number of pairs below their threshold, or without a threshold.
    [[nodiscard]] int slow() const { return slow_; }

  private:
    static double median(std::vector<double> values) {
        std::sort(values.begin(), values.end());
        return values[values.size() / 2];
    }

    std::map<std::string, std::vector<double>> times_;
    int slow_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    keepMemory();
    std::vector<char*> arguments(argv, argv + argc);
    const auto end = std::remove_if(arguments.begin() + 1, arguments.end(),
                                    [](const char* word) { return std::string_view(word) == "--check"; });
    const bool isChecked = end != arguments.end();
    arguments.erase(end, arguments.end());
    std::string repetitions = "--benchmark_repetitions=5";
    std::string mixed = "--benchmark_enable_random_interleaving=true";
    std::string shorter = "--benchmark_min_time=0.2";
    arguments.insert(arguments.begin() + 1, {repetitions.data(), mixed.data(), shorter.data()});
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data()))
        return 1;
    RatioReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    return isChecked && reporter.slow() > 0 ? 1 : 0;
}
