#include "core/retimed_clip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace reanima::core {

namespace {

/// Compares keys of the scene with other times of the original.
class RetimingSearch {
  public:
    RetimingSearch(const ClipComparison& comparison, std::span<const std::uint32_t> moving)
        : comparison_(comparison), moving_(moving), keyRate_(keyRate(comparison.motion())) {
        constexpr std::size_t kMostKeys = 64;  // enough to distinguish speeds and delays
        const std::vector<double>& all = comparison.keyTimes();
        const std::size_t count = std::min(all.size(), kMostKeys);
        for (std::size_t i = 0; i < count; ++i) {
            const double time = all[count == 1 ? 0 : i * (all.size() - 1) / (count - 1)];
            times_.push_back(time - comparison.begin());
            poses_.push_back(comparison.poseAt(time));
        }
    }

    [[nodiscard]] std::optional<Retiming> find() const {
        constexpr std::size_t kFewestKeys = 3;  // fewer may fit by chance
        std::optional<Retiming> best;
        if (times_.size() < kFewestKeys || !(comparison_.clip().duration > 0))
            return best;
        std::size_t most = moving_.size() / 2;
        for (const double speed : speeds())
            for (const double delay : delays(speed)) {
                const Retiming retiming{speed, delay};
                if (retiming == Retiming{} || !coversHalf(retiming))
                    continue;
                if (const std::size_t same = sameJoints(retiming, most); same > most) {
                    most = same;
                    best = retiming;
                }
            }
        return best;
    }

  private:
    [[nodiscard]] double seconds() const { return times_.back(); }

    /// The most likely candidates come first. Of several that fit equally, the first is used.
    [[nodiscard]] std::vector<double> speeds() const {
        std::vector<double> speeds = {1};
        const double duration = comparison_.clip().duration;
        for (const double frames : {0, 1, -1})  // same number of frames, a still frame added, a frame removed
            if (const double shown = seconds() + frames / keyRate_; shown > 0)
                speeds.push_back(duration / shown);
        const std::array rates = {15.0, 20.0, 24.0, 25.0, 30.0, 48.0, 50.0, 60.0, comparison_.clip().rate};
        for (const double rate : rates)
            for (const double other : rates)
                speeds.push_back(rate / other);
        std::vector<double> apart;
        for (const double speed : speeds)
            if (std::ranges::none_of(apart, [speed](double known) { return std::abs(known / speed - 1) < 1e-6; }))
                apart.push_back(speed);
        return apart;
    }

    /// Delays to try, in seconds: whole frames of the scene and of the original.
    [[nodiscard]] std::vector<double> delays(double speed) const {
        std::vector<double> delays = {0};
        for (const double frame : {1 / keyRate_, 1 / (comparison_.clip().rate * speed)})
            for (const double count : {1, -1, 2, -2, 3, -3})
                delays.push_back(count * frame);
        return delays;
    }

    /// False if the scene's keys show less than half of the original.
    [[nodiscard]] bool coversHalf(const Retiming& retiming) const {
        const double duration = comparison_.clip().duration;
        const double from = std::max(-retiming.delay * retiming.speed, 0.0);
        const double until = std::min((seconds() - retiming.delay) * retiming.speed, duration);
        return until - from >= duration / 2;
    }

    /// @return the count; counting stops once it can't exceed `enough`
    [[nodiscard]] std::size_t sameJoints(const Retiming& retiming, std::size_t enough) const {
        std::size_t same = 0;
        for (std::size_t i = 0; i < moving_.size() && same + moving_.size() - i > enough; ++i)
            same += isSame(moving_[i], retiming) ? 1U : 0U;
        return same;
    }

    [[nodiscard]] bool isSame(std::uint32_t joint, const Retiming& retiming) const {
        for (std::size_t key = 0; key < times_.size(); ++key)
            if (comparison_.isChanged(poses_[key][joint], joint, (times_[key] - retiming.delay) * retiming.speed))
                return false;
        return true;
    }

    const ClipComparison& comparison_;
    std::span<const std::uint32_t> moving_;
    double keyRate_ = 0;
    std::vector<double> times_;  // times of keys, starting at 0
    std::vector<LocalPose> poses_;
};

}  // namespace

std::optional<Retiming> retimingOf(const ClipComparison& comparison, std::span<const std::uint32_t> moving) {
    return RetimingSearch(comparison, moving).find();
}

}  // namespace reanima::core
