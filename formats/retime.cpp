#include "formats/retime.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace reanima {

namespace {

constexpr double kWholeTurn = core::kFullTurn;

core::RealAngles realOf(const AngleTriple& triple) {
    return {static_cast<double>(triple[0]), static_cast<double>(triple[1]), static_cast<double>(triple[2])};
}

AngleTriple onGrid(const core::RealAngles& angles, unsigned keyBits) {
    const double unit = 1U << keyBits;
    AngleTriple triple{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        triple[axis] = static_cast<core::Angle>(static_cast<std::int64_t>(std::round(angles[axis] / unit) * unit) &
                                                (core::kFullTurn - 1));
    return triple;
}

/// True if a loop moves over the ground. This is the case if its start and end are farther apart, along X or Z, than
/// any two neighbouring frames.
bool goesAhead(const std::vector<Position>& places) {
    for (const std::size_t axis : {std::size_t{0}, std::size_t{2}}) {
        int largest = 0;
        for (std::size_t frame = 1; frame < places.size(); ++frame)
            largest = std::max(largest, std::abs(places[frame][axis] - places[frame - 1][axis]));
        if (std::abs(places.back()[axis] - places.front()[axis]) > largest)
            return true;
    }
    return false;
}

}  // namespace

std::vector<FramePlace> framePlaces(std::size_t frames, const RetimeSettings& settings, bool isLoop) {
    std::vector<FramePlace> places;
    if (settings.direction == RetimeSettings::Direction::fewer) {
        for (std::size_t frame = 0; frame < frames; frame += settings.times)
            places.push_back({frame, frame, 0});
        return places;
    }
    places.reserve(frames * settings.times);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const std::size_t last = isLoop ? 0 : frame;
        for (std::uint32_t part = 0; part < settings.times; ++part)
            places.push_back(
                {frame, frame + 1 < frames ? frame + 1 : last, static_cast<double>(part) / settings.times});
    }
    return places;
}

AnglesBetween::AnglesBetween(const core::RealAngles& from, const core::RealAngles& to, const core::Factors& factors)
    : from_(from), factors_(factors) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        change_[axis] = std::remainder(to[axis] - from[axis], kWholeTurn);
    isPlain_ = std::ranges::count_if(change_, [](double change) { return change != 0; }) <= 1;
    if (isPlain_)
        return;
    first_ = core::rotationOf(from, factors);
    last_ = core::rotationOf(to, factors);
}

core::RealAngles AnglesBetween::at(double share) const {
    core::RealAngles near = from_;
    for (std::size_t axis = 0; axis < 3; ++axis)
        near[axis] += share * change_[axis];
    return isPlain_ ? near : core::nearestAngles(glm::normalize(glm::slerp(first_, last_, share)), factors_, near);
}

AngleFrames retimed(const AngleFrames& frames, core::AxisOrder order, unsigned keyBits, const RetimeSettings& settings,
                    bool isLoop) {
    const std::vector<FramePlace> places = framePlaces(frames.count(), settings, isLoop);
    const std::size_t triples = frames.triples();
    const bool isAhead = isLoop && goesAhead(frames.translations);
    AngleFrames result;
    result.translations.reserve(places.size());
    for (const FramePlace& place : places) {
        const Position& from = frames.translations[place.from];
        const Position& to = frames.translations[place.to];
        Position& at = result.translations.emplace_back(from);
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (!(isAhead && place.to < place.from && axis != 1))
                at[axis] = static_cast<std::int16_t>(std::round(from[axis] + place.share * (to[axis] - from[axis])));
    }
    result.rotations.resize(places.size() * triples);
    for (std::size_t first = 0; first < places.size();) {
        std::size_t end = first + 1;  // end of the new frames between the same two old frames
        while (end < places.size() && places[end].from == places[first].from)
            ++end;
        for (std::size_t triple = 0; triple < triples; ++triple) {
            const AngleTriple& from = frames.rotations[places[first].from * triples + triple];
            const AngleTriple& to = frames.rotations[places[first].to * triples + triple];
            const AnglesBetween between(realOf(from), realOf(to), core::factorsOf(order));
            for (std::size_t frame = first; frame < end; ++frame)
                result.rotations[frame * triples + triple] =
                    from == to || places[frame].share == 0 ? from : onGrid(between.at(places[frame].share), keyBits);
        }
        first = end;
    }
    return result;
}

void StepMedian::add(double sum, std::size_t steps) {
    if (sum > 0 && steps > 0)
        averages_.push_back(static_cast<float>(sum / static_cast<double>(steps)));
}

double StepMedian::median() const {
    if (averages_.empty())
        return 0;
    std::vector<float> values = averages_;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return static_cast<double>(*middle);
}

void addSteps(const AngleFrames& frames, StepMedian& steps) {
    constexpr double kDegrees = 360.0 / core::kFullTurn;
    const std::size_t triples = frames.triples();
    for (std::size_t triple = 0; triple < triples; ++triple)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            int sum = 0;
            for (std::size_t at = triple + triples; at < frames.rotations.size(); at += triples)
                sum += std::abs(core::signedStep(frames.rotations[at - triples][axis], frames.rotations[at][axis]));
            steps.add(kDegrees * sum, frames.count() - 1);
        }
}

}  // namespace reanima
