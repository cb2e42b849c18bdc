#include "tools/reanima/stick_figure.h"

#include <algorithm>
#include <numeric>

#include <glm/geometric.hpp>

namespace reanima::tool {

namespace {

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

double StickFigure::place(const Box& box, double scale) {
    const Extent extent = extentOf(*this);
    const double middle = (extent.lowest.x + extent.highest.x) / 2 * scale;
    const double below = std::max(0.0, extent.highest.y * scale);
    const double above = std::max(0.0, -extent.lowest.y * scale - box.size.y);
    const double bottom = box.corner.y + box.size.y;
    const double ground = std::min(bottom - below, bottom) + above;
    for (std::vector<glm::dvec2>* places : {&joints, &ends})
        for (glm::dvec2& place : *places)
            place = place * scale + glm::dvec2(box.corner.x + box.size.x / 2 - middle, ground);
    return ground;
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
