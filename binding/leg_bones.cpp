#include "binding/leg_bones.h"

#include <algorithm>
#include <cmath>

#include "core/rotation.h"

namespace reanima::binding {

using motion::Globals;

namespace {

/// The part of a direction at right angles to a line.
glm::dvec3 acrossLine(const glm::dvec3& direction, const glm::dvec3& line) {
    return core::across(direction, glm::normalize(line));
}

}  // namespace

glm::dvec3 LegBones::bend() const { return acrossLine(knee - hip, ankle - hip) / thigh(); }

LegBones bonesOf(const Leg& leg, const Globals& globals) {
    return {globals.positions[leg.hip], globals.positions[leg.knee], globals.positions[leg.ankle]};
}

double reachOf(const LegBones& bones) {
    constexpr double kStraight = 0.999;
    const double straight = bones.thigh() + bones.shin();
    return std::clamp(glm::distance(bones.hip, bones.ankle), kStraight * straight, straight);
}

LegTurns turnsFor(const LegBones& bones, const glm::dvec3& hip, const glm::dvec3& ankle, const glm::dvec3& ahead,
                  double bent) {
    const double a = bones.thigh();
    const double b = bones.shin();
    const double reach = reachOf(bones);
    const double least = std::abs(a - b) + 1e-6 * (a + b);
    const double d = std::clamp(glm::distance(hip, ankle), least, std::max(reach, least));
    const glm::dquat swing = turnBetween(bones.ankle - bones.hip, ankle - hip);
    const glm::dvec3 line = glm::normalize(ankle - hip);
    const glm::dvec3 bend = bones.bend();
    const double doubt = std::max(bent - glm::length(bend), 0.0);
    glm::dvec3 side = acrossLine(swing * (bend + doubt * ahead), line);
    side = glm::length(side) > 0 ? glm::normalize(side) : glm::dvec3(0);
    const double along = std::clamp((a * a + d * d - b * b) / (2 * a * d), -1.0, 1.0);
    const glm::dvec3 thigh = along * line + std::sqrt(1 - along * along) * side;
    const glm::dvec3 shin = d * line - a * thigh;
    return {turnBetween(swing * (bones.knee - bones.hip), thigh) * swing,
            turnBetween(swing * (bones.ankle - bones.knee), shin) * swing};
}

}  // namespace reanima::binding
