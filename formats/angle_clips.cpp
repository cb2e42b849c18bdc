#include "formats/angle_clips.h"

#include <cmath>
#include <cstdlib>

namespace reanima {

using core::Channel;
using core::LargeSteps;

namespace {

constexpr double kDegreesPerUnit = 360.0 / core::kFullTurn;

template <AxisOrder order>
glm::quat composed(core::HalfAngle x, core::HalfAngle y, core::HalfAngle z) {
    if constexpr (order == AxisOrder::yxz)
        return core::axes::fromYDown(core::composeYXZ(x, y, z));
    else
        return core::axes::fromYDown(core::composeZYX(x, y, z));
}

template <AxisOrder order>
glm::quat rotationOf(const AngleTriple& triple) {
    return composed<order>(core::halfAngle(triple[0]), core::halfAngle(triple[1]), core::halfAngle(triple[2]));
}

/// The rotation at a fraction of the way between two triples. The angles are interpolated.
template <AxisOrder order>
glm::quat rotationBetween(const AngleTriple& from, const AngleTriple& to, double share) {
    const auto half = [&](std::size_t axis) {
        return core::halfOfAngle(from[axis] + core::signedStep(from[axis], to[axis]) * share);
    };
    return composed<order>(half(0), half(1), half(2));
}

struct StepSize {
    double largest = 0;  // the largest change of one angle, in degrees
    double sum = 0;      // the sum of all three changes; the joint never turns by more
};

StepSize stepSize(const AngleTriple& from, const AngleTriple& to) {
    StepSize size;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double degrees = std::abs(core::signedStep(from[axis], to[axis])) * kDegreesPerUnit;
        size.largest = std::max(size.largest, degrees);
        size.sum += degrees;
    }
    return size;
}

/// The number of parts that a step is divided into.
/// @param subdivide the largest change of an angle between two keys, in degrees; 0: no limit
int partsOf(const AngleTriple& from, const AngleTriple& to, double subdivide) {
    if (subdivide <= 0)
        return 1;
    const StepSize step = stepSize(from, to);
    if (step.largest <= subdivide)
        return 1;
    // If three angles change together, the joint can turn by the sum of their changes.
    return static_cast<int>(std::ceil(std::max(step.largest / subdivide, step.sum / LargeSteps::kDegrees)));
}

/// True if StepSize::sum is at most LargeSteps::kDegrees. Computed without floating point numbers.
bool isSmall(const AngleTriple& from, const AngleTriple& to) {
    constexpr int kMost = static_cast<int>(LargeSteps::kDegrees / kDegreesPerUnit);
    int sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        sum += std::abs(core::signedStep(from[axis], to[axis]));
    return sum <= kMost;
}

/// Checks a step between two keys if no keys are added between them.
template <AxisOrder order>
void look(LargeSteps& largeSteps, const AngleTriple& from, const AngleTriple& to, const std::string& clip,
          const std::string& joint, std::size_t frame) {
    if (isSmall(from, to))
        return;
    const StepSize step = stepSize(from, to);
    // Compares two rotations half-way between the keys: the one that players interpolate, and that of the angles.
    const glm::quat a = rotationOf<order>(from);
    const glm::quat shown = glm::normalize(a + core::nearestSign(rotationOf<order>(to), a));
    const float cosine = std::abs(glm::dot(shown, rotationBetween<order>(from, to, 0.5)));
    constexpr float kVisible = 0.9659258F;  // the cosine of half of 30 degrees
    if (step.largest > LargeSteps::kDegrees || cosine < kVisible)
        largeSteps.add(1, step.sum, clip, joint, frame);
}

}  // namespace

core::Clip clipOf(std::string name, std::string source, std::uint32_t frames, double rate) {
    core::Clip clip;
    clip.name = std::move(name);
    clip.source = std::move(source);
    clip.rate = rate;
    clip.frames = frames;
    clip.duration = static_cast<double>(frames - 1) / rate;
    return clip;
}

void requireMemoryForKeys(std::uint64_t keys, const core::Limits& limits) {
    core::requireMemory(core::memoryOfKeys(keys), limits, {"rotations", std::nullopt});
}

std::uint64_t rotationKeys(const AngleFrames& frames, double subdivide) {
    std::uint64_t keys = 0;
    const std::size_t triples = frames.triples();
    for (std::size_t triple = 0; triple < triples; ++triple) {
        std::uint64_t ofTriple = 1;
        bool constant = true;
        for (std::size_t at = triple + triples; at < frames.rotations.size(); at += triples) {
            const AngleTriple& from = frames.rotations[at - triples];
            const AngleTriple& to = frames.rotations[at];
            constant = constant && from == to;
            ofTriple += static_cast<std::uint64_t>(partsOf(from, to, subdivide));
        }
        keys += constant ? 1 : ofTriple;
    }
    return keys;
}

template <AxisOrder order>
AngleChannels<order>::AngleChannels(const AngleFrames& frames, const AngleClipSettings& settings, core::Clip& clip,
                                    LargeSteps& largeSteps)
    : frames_(frames),
      triples_(frames.triples()),
      settings_(settings),
      clip_(clip),
      timeline_(core::timelineOf(clip, core::frameTimes(frames.count(), settings.rate))),
      largeSteps_(largeSteps) {}

template <AxisOrder order>
Channel<glm::vec3> AngleChannels<order>::translation() const {
    return placesOf(timeline_, frames_.count(), settings_.scale,
                    [this](std::size_t frame) { return frames_.translations[frame]; });
}

template <AxisOrder order>
Channel<glm::quat> AngleChannels<order>::rotation(std::size_t triple, const std::string& joint) {
    Channel<glm::quat> channel{timeline_, {}, {}};
    const bool isAnimated = !isConstant(triple);
    channel.values.reserve(isAnimated ? frames_.count() : 1);
    glm::quat last = rotationOf<order>(angles(0, triple));
    channel.values.push_back(last);
    if (!isAnimated)
        return channel;
    const auto append = [&](const glm::quat& rotation) {
        last = core::nearestSign(rotation, last);
        channel.values.push_back(last);
    };
    std::vector<float> times;  // empty if no keys were added
    for (std::size_t frame = 1; frame < frames_.count(); ++frame) {
        const AngleTriple& from = angles(frame - 1, triple);
        const AngleTriple& to = angles(frame, triple);
        const int parts = partsOf(from, to, settings_.subdivide);
        if (parts > 1 && times.empty())
            times = core::frameTimes(frame, settings_.rate);
        for (int part = 1; part < parts; ++part) {
            const double share = part / static_cast<double>(parts);
            append(rotationBetween<order>(from, to, share));
            times.push_back(core::frameTime(static_cast<double>(frame - 1) + share, settings_.rate));
        }
        // Not rotationOf(), whose result would come back in two registers: reading it as one value stalls processors.
        append(composed<order>(core::halfAngle(to[0]), core::halfAngle(to[1]), core::halfAngle(to[2])));
        if (!times.empty())
            times.push_back(core::frameTime(static_cast<double>(frame), settings_.rate));
        if (parts == 1)
            look<order>(largeSteps_, from, to, clip_.name, joint, frame);
    }
    if (!times.empty()) {
        inserted_ += times.size() - frames_.count();
        channel.timeline = core::timelineOf(clip_, std::move(times));
    }
    return channel;
}

template <AxisOrder order>
bool AngleChannels<order>::isConstant(std::size_t triple) const {
    for (std::size_t frame = 1; frame < frames_.count(); ++frame)
        if (angles(frame, triple) != angles(0, triple))
            return false;
    return true;
}

template class AngleChannels<AxisOrder::yxz>;
template class AngleChannels<AxisOrder::zyx>;

}  // namespace reanima
