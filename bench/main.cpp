/// Runs the benchmarks and prints, for every pair `name/ours` and `name/baseline`, how they compare.
///
/// Machines are noisy: each pair is repeated with its runs mixed, and medians are compared. They are of the processor's
/// time, or of the clock's (UseRealTime) where we work on two threads: those need a machine with nothing else to do.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <fmt/format.h>

namespace {

/// Between two runs the C library would give the memory of the first back to the system, and much of what is measured,
/// of ours and of baselines, would be the kernel's handing out pages.
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
        fmt::print("\n{:<44} {:>12} {:>12} {:>8}\n", "median time", "ours", "baseline", "ratio");
        for (auto& [name, ours] : times_) {
            const std::string suffix = "/ours";
            if (name.size() <= suffix.size() || name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0)
                continue;
            const std::string pair = name.substr(0, name.size() - suffix.size());
            const auto baseline = times_.find(pair + "/baseline");
            if (baseline == times_.end())
                continue;
            const double a = median(ours);
            const double b = median(baseline->second);
            fmt::print("{:<44} {:>12.4g} {:>12.4g} {:>7.2f}x\n", pair, a, b, b / a);
        }
    }

  private:
    static double median(std::vector<double> values) {
        std::sort(values.begin(), values.end());
        return values[values.size() / 2];
    }

    std::map<std::string, std::vector<double>> times_;
};

}  // namespace

int main(int argc, char** argv) {
    keepMemory();
    std::vector<char*> arguments(argv, argv + argc);
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
    return 0;
}
