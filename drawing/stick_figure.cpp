#include "drawing/stick_figure.h"

#include <algorithm>
#include <numeric>

#include <glm/geometric.hpp>

namespace reanima::drawing {

void Extent::include(const glm::dvec2& place) {
    lowest = glm::min(lowest, place);
    highest = glm::max(highest, place);
}

double Extent::scaleFor(const Box& box) const {
    const glm::dvec2 size = glm::max(highest - lowest, glm::dvec2(1e-9));
    return std::min(box.size.x / size.x, box.size.y / size.y);
}

Placement Placement::onGround(const Extent& extent, const Box& box, double scale) {
    const double middle = (extent.lowest.x + extent.highest.x) / 2 * scale;
    const double below = std::max(0.0, extent.highest.y * scale);
    const double above = std::max(0.0, -extent.lowest.y * scale - box.size.y);
    const double bottom = box.corner.y + box.size.y;
    return {scale, {box.corner.x + box.size.x / 2 - middle, std::min(bottom - below, bottom) + above}};
}

StickFigure::StickFigure(const core::Skeleton& skeleton, const core::Pose& pose, const View& view) {
    const auto seen = [&](const glm::dvec3& place) {
        return glm::dvec2(glm::dot(place, view.right), -glm::dot(place, view.up));
    };
    const std::vector<glm::dmat4> globals = core::globalMatrices(skeleton, pose);
    std::vector<bool> hasChild(globals.size(), false);
    for (const core::Joint& joint : skeleton.joints)
        if (joint.parent != core::kNoParent)
            hasChild[static_cast<std::size_t>(joint.parent)] = true;
    for (std::size_t joint = 0; joint < globals.size(); ++joint) {
        // Other bones end at their children, which may move away from the end of the bone at rest.
        const glm::dvec3 end(hasChild[joint] ? glm::vec3(0) : skeleton.joints[joint].end.value_or(glm::vec3(0)));
        joints.push_back(seen(glm::dvec3(globals[joint][3])));
        ends.push_back(seen(glm::dvec3(globals[joint] * glm::dvec4(end, 1))));
    }
}

Extent StickFigure::extent() const {
    Extent extent{joints.front(), joints.front()};
    for (const std::vector<glm::dvec2>* places : {&joints, &ends})
        for (const glm::dvec2& place : *places)
            extent.include(place);
    return extent;
}

void StickFigure::fit(const Box& box, double scale) {
    const Extent covered = extent();
    const double factor = scale > 0 ? scale : covered.scaleFor(box);
    const glm::dvec2 middle = (covered.lowest + covered.highest) / 2.0;
    move({factor, box.corner + box.size / 2.0 - middle * factor});
}

void StickFigure::move(const Placement& placement) {
    for (std::vector<glm::dvec2>* places : {&joints, &ends})
        for (glm::dvec2& place : *places)
            place = placement.of(place);
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

}  // namespace reanima::drawing
