#include "drawing/view.h"

#include <cmath>
#include <optional>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "binding/roles/body.h"
#include "core/pose.h"

namespace reanima::drawing {

using roles::Part;
using roles::Side;

namespace {

/// The axis of model space that is nearest to a direction.
glm::dvec3 nearestAxis(const glm::dvec3& direction) {
    const glm::dvec3 sizes = glm::abs(direction);
    const int axis = sizes.y >= sizes.x && sizes.y >= sizes.z ? 1 : sizes.x >= sizes.z ? 0 : 2;
    glm::dvec3 nearest(0);
    nearest[axis] = direction[axis] < 0 ? -1 : 1;
    return nearest;
}

}  // namespace

View View::ofFront(const core::Skeleton& skeleton, const roles::Anatomy& anatomy) {
    const std::vector<glm::dmat4> globals = core::globalMatrices(skeleton, core::restPose(skeleton));
    const auto at = [&](Part part, Side side) -> std::optional<glm::dvec3> {
        const auto joint = anatomy.jointOf(part, side);
        return joint ? std::optional(glm::dvec3(globals[*joint][3])) : std::nullopt;
    };
    const auto left = at(Part::upperLeg, Side::left);
    const auto right = at(Part::upperLeg, Side::right);
    const auto leftFoot = at(Part::foot, Side::left);
    const auto rightFoot = at(Part::foot, Side::right);
    if (!left || !right || !leftFoot || !rightFoot)
        return {};
    const glm::dvec3 legs = *left + *right - *leftFoot - *rightFoot;
    const glm::dvec3 up = nearestAxis(legs);
    const glm::dvec3 across = *left - *right;  // seen from the front, the body's left is on the right
    const glm::dvec3 level = across - up * glm::dot(across, up);
    constexpr double kNothing = 1e-9;
    if (glm::length(legs) < kNothing || glm::length(level) < kNothing)
        return {};
    return {glm::normalize(level), up};
}

View View::ofMotion(const core::Skeleton& skeleton, const roles::Anatomy& anatomy,
                    const std::vector<core::Pose>& poses) {
    const View atRest = ofFront(skeleton, anatomy);
    const auto left = anatomy.jointOf(Part::upperLeg, Side::left);
    const auto other = anatomy.jointOf(Part::upperLeg, Side::right);
    if (!left || !other || poses.empty())
        return atRest;
    const std::vector<glm::dmat4> globals = core::globalMatrices(skeleton, poses.front());
    const glm::dvec3 across(globals[*left][3] - globals[*other][3]);
    const glm::dvec3 up = roles::upOf(skeleton, poses, anatomy).value_or(atRest.up);
    const glm::dvec3 right = up == atRest.up ? atRest.right : up.x == 0 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 0, 1);
    return {glm::dot(across, right) < 0 ? -right : right, up};  // motion may turn a body to the other side
}

View View::turned(double degrees) const {
    const double angle = glm::radians(degrees);
    return {right * std::cos(angle) - glm::cross(right, up) * std::sin(angle), up};
}

}  // namespace reanima::drawing
