#include "binding/foot_offsets.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <glm/geometric.hpp>

#include "binding/soles.h"

namespace reanima::binding {

namespace {

constexpr std::size_t kLongestBlend = 32;  // frames: for legs that would otherwise move too fast

/// The displacement of a standing foot from its first position. It is zero while the source's foot moves by less than
/// `loose`; then it follows the excess.
/// @param places positions of the source's foot, times the scale of the binding
std::vector<glm::dvec3> pulledAlong(const std::vector<glm::dvec3>& places, const StandingPhase& frames, double loose) {
    std::vector<glm::dvec3> ways;
    glm::dvec3 at(0);
    for (std::size_t frame = frames.first; frame <= frames.last; ++frame) {
        glm::dvec3 ahead = places[frame] - places[frames.first] - at;
        ahead.y = 0;
        if (const double far = glm::length(ahead); far > loose)
            at += ahead * (1 - loose / far);
        ways.push_back(at);
    }
    return ways;
}

/// For each value, the weighted mean of it and the `around` values before and after it; the plain mean of all values if
/// `around` covers them all.
std::vector<glm::dvec3> meansOf(const std::vector<glm::dvec3>& values, std::size_t around) {
    std::vector<glm::dvec3> means;
    if (around >= values.size())
        return std::vector(values.size(), std::accumulate(values.begin(), values.end(), glm::dvec3(0)) /
                                              static_cast<double>(values.size()));
    for (std::size_t at = 0; at < values.size(); ++at) {
        glm::dvec3 sum(0);
        double shares = 0;
        for (std::size_t i = at - std::min(at, around); i <= std::min(at + around, values.size() - 1); ++i) {
            const auto apart = static_cast<double>(i > at ? i - at : at - i);
            const double share = 1 - apart / static_cast<double>(around + 1);
            sum += share * values[i];
            shares += share;
        }
        means.push_back(sum / shares);
    }
    return means;
}

}  // namespace

double lowestOf(const std::vector<glm::dvec3>& places) {
    return std::ranges::min_element(places, {}, [](const glm::dvec3& place) { return place.y; })->y;
}

std::vector<StandingPhase> standingPhasesOf(const std::vector<glm::dvec3>& places, const std::vector<glm::dvec3>& hips,
                                            double rate, double leg) {
    constexpr double kStays = 4.0 / 3;
    constexpr double kLies = 0.3;  // of a leg: hips are higher if the feet carry them
    const double lowest = lowestOf(places);
    std::vector<StandingPhase> standing;
    bool stands = false;
    for (std::size_t frame = 1; frame < places.size(); ++frame) {
        const double most = (stands ? kStays : 1) * leg;
        const bool goesOn = rate * glm::distance(places[frame - 1], places[frame]) < kSlowSole * most &&
                            places[frame].y - lowest < kLowSole * most && hips[frame].y - places[frame].y > kLies * leg;
        if (goesOn && stands)
            standing.back().last = frame;
        else if (goesOn)
            standing.push_back({frame - 1, frame});
        stands = goesOn;
    }
    return standing;
}

FootOffsets::FootOffsets(const std::vector<glm::dvec3>& source, const std::vector<glm::dvec3>& target,
                         std::vector<StandingPhase> standing, const std::vector<double>& lifts, const FootReach& reach,
                         const std::optional<MeanWindow>& window)
    : offsets_(target.size()), standing_(std::move(standing)), isClosed_(window && window->isClosed) {
    std::erase_if(standing_, [&](const StandingPhase& frames) {  // a hovering figure does not stand
        for (std::size_t frame = frames.first; frame <= frames.last && !window; ++frame)
            if (std::abs(lifts[frame]) > reach.high)
                return true;
        return false;
    });
    for (const StandingPhase& frames : standing_) {
        std::vector<glm::dvec3> apart = pulledAlong(source, frames, reach.loose);
        for (std::size_t i = 0; i < apart.size(); ++i) {
            apart[i].y = source[frames.first + i].y;
            apart[i] -= target[frames.first + i];
        }
        const std::vector<glm::dvec3> means = meansOf(apart, window ? window->around : apart.size());
        for (std::size_t i = 0; i < apart.size(); ++i) {
            const std::size_t frame = frames.first + i;
            offsets_[frame] = apart[i] - means[i];
            if (!window)
                offsets_[frame].y = lifts[frame];
        }
    }
    blend();
    close();
}

bool FootOffsets::blendLonger() {
    if (blend_ >= kLongestBlend)
        return false;
    blend_ += blend_ / 2;
    blend();
    close();
    return true;
}

void FootOffsets::ease(const std::vector<double>& shares) {
    for (std::size_t frame = 0; frame < offsets_.size(); ++frame)
        offsets_[frame] *= shares[frame];
    close();
}

void FootOffsets::close() {
    constexpr std::size_t kLead = 16;  // frames at each end
    if (!isClosed_)
        return;
    const std::size_t lead = std::min(kLead, offsets_.size() / 2);
    const glm::dvec3 apart = offsets_.back() - offsets_.front();
    for (std::size_t i = 0; i < lead; ++i) {
        const double share = 0.5 * (1 - static_cast<double>(i) / static_cast<double>(lead));
        offsets_[i] += share * apart;
        offsets_[offsets_.size() - 1 - i] -= share * apart;
    }
}

double FootOffsets::shareAt(std::size_t apart) const {
    return apart > blend_ ? 0 : 1 - static_cast<double>(apart) / static_cast<double>(blend_ + 1);
}

void FootOffsets::blend() {
    const std::vector<glm::dvec3> standing = offsets_;
    for (std::size_t i = 0; i <= standing_.size(); ++i) {
        const std::size_t first = i == 0 ? 0 : standing_[i - 1].last + 1;
        const std::size_t end = i == standing_.size() ? offsets_.size() : standing_[i].first;
        for (std::size_t frame = first; frame < end; ++frame) {
            const double before = i == 0 ? 0 : shareAt(frame + 1 - first);
            const double after = i == standing_.size() ? 0 : shareAt(end - frame);
            glm::dvec3 offset(0);
            if (before > 0)
                offset += before * standing[first - 1];
            if (after > 0)
                offset += after * standing[end];
            offsets_[frame] = offset / std::max(before + after, 1.0);
        }
    }
}

}  // namespace reanima::binding
