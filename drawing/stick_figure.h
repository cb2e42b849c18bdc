/// Draws skeletons: joints as discs, bones as lines.
#pragma once

#include <vector>

#include <glm/vec2.hpp>

#include "core/pose.h"
#include "pictures/canvas.h"
#include "view.h"

namespace reanima::drawing {

/// A part of a picture, in pixels.
struct Box {
    glm::dvec2 corner;  ///< top left
    glm::dvec2 size;
};

/// The extent of a figure, in metres to the right and down from the origin of model space.
struct Extent {
    glm::dvec2 lowest;
    glm::dvec2 highest;

    void include(const glm::dvec2& place);
    /// The scale, in pixels per metre, that fits the figure into a box.
    [[nodiscard]] double scaleFor(const Box& box) const;
};

/// Places a figure in a picture: scaled, then moved.
struct Placement {
    double scale;  ///< pixels per metre
    glm::dvec2 offset;

    /// Places a figure in a box with the ground (height 0) at the bottom. If it extends beyond the top or bottom, it is
    /// moved into the box.
    static Placement onGround(const Extent& extent, const Box& box, double scale);

    [[nodiscard]] glm::dvec2 of(const glm::dvec2& place) const { return place * scale + offset; }
    /// The height of the ground in the picture.
    [[nodiscard]] double ground() const { return offset.y; }
};

/// The style of a joint and the bones that begin there.
struct JointStyle {
    pictures::Rgba colour;
    double thickness;  ///< thickness of the bones in pixels
};

/// The joints of a pose and the known ends of the last bones, in picture coordinates.
struct StickFigure {
    std::vector<glm::dvec2> joints;
    std::vector<glm::dvec2> ends;  ///< per joint; the joint's own position if it has children or no known end

    StickFigure(const core::Skeleton& skeleton, const core::Pose& pose, const View& view);
    /// Moves and scales the figure to the middle of a box.
    /// @param scale pixels per metre; 0: as large as the box allows
    void fit(const Box& box, double scale = 0);
    void move(const Placement& placement);
    /// The largest scale that fits into the box, in pixels per metre.
    [[nodiscard]] double scaleFor(const Box& box) const { return extent().scaleFor(box); }
    [[nodiscard]] Extent extent() const;

    /// Draws thin bones first, below the others.
    /// @param styles per joint
    void draw(pictures::Canvas& canvas, const core::Skeleton& skeleton, const std::vector<JointStyle>& styles) const;
};

}  // namespace reanima::drawing
