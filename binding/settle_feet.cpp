#include "binding/settle_feet.h"

#include <utility>
#include <vector>

#include <glm/geometric.hpp>

#include "binding/legs.h"
#include "binding/motion/linked_skeletons.h"
#include "core/pose.h"

namespace reanima::binding {

namespace {

/// Rotations of a leg's joints, one per frame.
struct LegKeys {
    Leg leg;
    std::vector<glm::quat> hips{};
    std::vector<glm::quat> ankles{};
};

void addFrame(LegKeys& keys, const core::Skeleton& skeleton, const motion::Globals& is, const motion::Globals& wanted) {
    const auto& [hip, knee, ankle] = keys.leg;
    const glm::dvec3 from = is.positions[ankle] - is.positions[hip];
    const glm::dvec3 to = wanted.positions[ankle] - is.positions[hip];
    constexpr double kMost = 0.1;  // of the distance from hip to ankle; larger differences are not due to quantization
    const bool isNear = glm::distance(from, to) < kMost * glm::length(from);
    const glm::dquat swing = isNear ? turnBetween(from, to) : motion::kNoTurn;
    const auto above = [&](std::uint32_t joint) {
        const std::optional<std::uint32_t> parent = skeleton.parentOf(joint);
        return parent ? is.rotations[*parent] : motion::kNoTurn;
    };
    keys.hips.emplace_back(glm::normalize(glm::conjugate(above(hip)) * swing * is.rotations[hip]));
    keys.ankles.emplace_back(glm::normalize(glm::conjugate(swing * above(ankle)) * wanted.rotations[ankle]));
}

}  // namespace

void settleFeet(const ShownClip& shown, const roles::Anatomy& roles, const core::Skeleton& skeleton,
                core::Clip& wanted) {
    std::vector<LegKeys> legs;
    for (const roles::Side side : {roles::Side::left, roles::Side::right})
        if (const std::optional<Leg> leg = legOf(shown.skeleton, roles, side))
            legs.push_back({*leg});
    for (std::uint32_t frame = 0; frame < shown.clip.frames; ++frame) {
        const auto time = static_cast<double>(core::frameTime(frame, shown.clip.rate));
        const motion::Globals is =
            motion::globalsOf(shown.skeleton, core::samplePose(shown.skeleton, shown.clip, time));
        const motion::Globals there = motion::globalsOf(skeleton, core::samplePose(skeleton, wanted, time));
        for (LegKeys& keys : legs)
            addFrame(keys, shown.skeleton, is, there);
    }
    for (LegKeys& keys : legs) {
        setRotations(wanted, keys.leg.hip, std::move(keys.hips));
        setRotations(wanted, keys.leg.ankle, std::move(keys.ankles));
    }
}

}  // namespace reanima::binding
