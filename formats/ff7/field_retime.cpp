#include "formats/ff7/field_retime.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace reanima::ff7 {

namespace {

constexpr double kUnitsPerDegree = core::kFullTurn / 360.0;

core::RealAngles unitsOf(const Triple& degrees) {
    core::RealAngles angles{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        angles[axis] = static_cast<double>(degrees[axis]) * kUnitsPerDegree;
    return angles;
}

Triple turnedBetween(const Triple& from, const Triple& to, const core::Factors& factors, double share) {
    if (share == 0 || from == to)
        return from;
    const core::RealAngles angles = AnglesBetween(unitsOf(from), unitsOf(to), factors).at(share);
    Triple degrees{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        degrees[axis] = static_cast<float>(angles[axis] / kUnitsPerDegree);
    return degrees;
}

/// True if a loop moves over the ground, in X or Z: see retimed() in formats/retime.h.
bool walksAhead(const std::vector<FieldAnimation::Frame>& frames) {
    for (const std::size_t axis : {std::size_t{0}, std::size_t{2}}) {
        float largest = 0;
        for (std::size_t frame = 1; frame < frames.size(); ++frame)
            largest =
                std::max(largest, std::abs(frames[frame].translation[axis] - frames[frame - 1].translation[axis]));
        if (std::abs(frames.back().translation[axis] - frames.front().translation[axis]) > largest)
            return true;
    }
    return false;
}

void addSteps(const FieldAnimation& animation, StepMedian& steps) {
    constexpr double kTurn = 360;
    for (std::size_t bone = 0; bone < animation.boneCount; ++bone)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double sum = 0;
            for (std::size_t at = bone + animation.boneCount; at < animation.rotations.size();
                 at += animation.boneCount)
                sum += std::abs(
                    std::remainder(static_cast<double>(animation.rotations[at][axis]) -
                                       static_cast<double>(animation.rotations[at - animation.boneCount][axis]),
                                   kTurn));
            steps.add(sum, animation.frames.size() - 1);
        }
}

}  // namespace

RetimedFile retime(FieldAnimation& animation, const RetimeSettings& settings, const core::Limits& limits) {
    RetimedFile result;
    const std::size_t before = animation.frames.size();
    if (before == 0)
        return result;
    StepMedian steps;
    addSteps(animation, steps);
    result.usualStep = steps.median();
    if (settings.direction == RetimeSettings::Direction::more)
        core::SampleBudget(limits).take(
            std::uint64_t{before} * settings.times * (2 + std::uint64_t{animation.boneCount}),
            {"frames", std::nullopt});
    const bool isLoop = settings.loops && settings.loops(0);
    const bool isAhead = isLoop && walksAhead(animation.frames);
    const core::Factors factors = factorsOf(animation);
    const std::vector<FramePlace> places = framePlaces(before, settings, isLoop);
    FieldAnimation made = animation;
    made.frames.clear();
    made.rotations.clear();
    for (const FramePlace& place : places) {
        const FieldAnimation::Frame& from = animation.frames[place.from];
        const FieldAnimation::Frame& to = animation.frames[place.to];
        FieldAnimation::Frame& frame = made.frames.emplace_back(from);
        frame.rotation = turnedBetween(from.rotation, to.rotation, factors, place.share);
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (place.share > 0 && !(isAhead && place.to < place.from && axis != 1))
                frame.translation[axis] =
                    static_cast<float>(static_cast<double>(from.translation[axis]) +
                                       place.share * (static_cast<double>(to.translation[axis]) -
                                                      static_cast<double>(from.translation[axis])));
        for (std::size_t bone = 0; bone < animation.boneCount; ++bone)
            made.rotations.push_back(turnedBetween(animation.rotations[place.from * animation.boneCount + bone],
                                                   animation.rotations[place.to * animation.boneCount + bone], factors,
                                                   place.share));
    }
    if (made.frameCount == before)
        made.frameCount = static_cast<std::uint32_t>(places.size());
    if (settings.direction == RetimeSettings::Direction::fewer && before % settings.times != 0)
        result.cut.emplace_back(core::Place{"frames", std::nullopt},
                                fmt::format("there are {}, which is not a multiple of {}; {} remain", before,
                                            settings.times, places.size()));
    animation = std::move(made);
    result.animations = 1;
    return result;
}

}  // namespace reanima::ff7
