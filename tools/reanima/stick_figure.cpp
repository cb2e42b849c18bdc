#include "tools/reanima/stick_figure.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

namespace reanima::tool {

namespace {

using binding::Part;
using binding::Side;

struct Extent {
    glm::dvec2 lowest;
    glm::dvec2 highest;
};

Extent extentOf(const StickFigure& figure) {
    Extent extent{figure.joints.front(), figure.joints.front()};
    for (const std::vector<glm::dvec2>* places : {&figure.joints, &figure.ends})
        for (const glm::dvec2& place : *places) {
            extent.lowest = glm::min(extent.lowest, place);
            extent.highest = glm::max(extent.highest, place);
        }
    return extent;
}

}  // namespace

View View::ofFront(const core::Skeleton& skeleton, const binding::Anatomy& anatomy) {
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
    const glm::dvec3 up = *left + *right - *leftFoot - *rightFoot;
    const glm::dvec3 across = *left - *right;  // the body's left is on the right of who looks at its front
    const glm::dvec3 level = across - up * (glm::dot(across, up) / std::max(glm::dot(up, up), 1e-30));
    constexpr double kNothing = 1e-9;
    if (glm::length(up) < kNothing || glm::length(level) < kNothing)
        return {};
    return {glm::normalize(level), glm::normalize(up)};
}

View View::turned(double degrees) const {
    const double angle = glm::radians(degrees);
    return {right * std::cos(angle) - glm::cross(right, up) * std::sin(angle), up};
}

StickFigure::StickFigure(const core::Skeleton& skeleton, const core::Pose& pose, const View& view) {
    const auto seen = [&](const glm::dvec3& place) {
        return glm::dvec2(glm::dot(place, view.right), -glm::dot(place, view.up));
    };
    const std::vector<glm::dmat4> globals = core::globalMatrices(skeleton, pose);
    for (std::size_t joint = 0; joint < globals.size(); ++joint) {
        const glm::dvec3 end(skeleton.joints[joint].end.value_or(glm::vec3(0)));
        joints.push_back(seen(glm::dvec3(globals[joint][3])));
        ends.push_back(seen(glm::dvec3(globals[joint] * glm::dvec4(end, 1))));
    }
}

double StickFigure::scaleFor(const Box& box) const {
    const Extent extent = extentOf(*this);
    const glm::dvec2 size = glm::max(extent.highest - extent.lowest, glm::dvec2(1e-9));
    return std::min(box.size.x / size.x, box.size.y / size.y);
}

void StickFigure::fit(const Box& box, double scale) {
    const Extent extent = extentOf(*this);
    const double factor = scale > 0 ? scale : scaleFor(box);
    const glm::dvec2 middle = (extent.lowest + extent.highest) / 2.0;
    for (std::vector<glm::dvec2>* places : {&joints, &ends})
        for (glm::dvec2& place : *places)
            place = (place - middle) * factor + box.corner + box.size / 2.0;
}

void StickFigure::draw(pictures::Canvas& canvas, const core::Skeleton& skeleton,
                       const std::vector<JointStyle>& styles) const {
    std::vector<std::size_t> order(joints.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t joint) { return styles[joint].thickness; });
    for (const std::size_t joint : order) {
        canvas.line(joints[joint], ends[joint], styles[joint].thickness, styles[joint].colour);
        if (skeleton.joints[joint].parent == core::kNoParent)
            continue;
        const auto parent = static_cast<std::size_t>(skeleton.joints[joint].parent);
        const JointStyle& bone = styles[styles[joint].thickness < styles[parent].thickness ? joint : parent];
        canvas.line(joints[parent], joints[joint], bone.thickness, bone.colour);
    }
    for (const std::size_t joint : order)
        canvas.disc(joints[joint], 1.3 * styles[joint].thickness, styles[joint].colour);
}

}  // namespace reanima::tool
