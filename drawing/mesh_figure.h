/// Draws meshes: textured and coloured triangles with a depth test.
#pragma once

#include <optional>
#include <vector>

#include <glm/vec3.hpp>

#include "core/asset.h"
#include "core/bake.h"
#include "pictures/picture.h"
#include "stick_figure.h"

namespace reanima::drawing {

/// A limit on the work for one picture, so that a small file can't take hours: triangles may cover 2,000,000,000
/// samples. A sheet has up to 1,944 poses; a person of 700 triangles needs 22,000 samples in each.
class DrawingEffort {
  public:
    /// @throws core::DecodeError of the kind `limit` if the total exceeds the limit
    void spend(double samples);

  private:
    double spent_ = 0;
};

/// The meshes of a character in one pose and view.
class MeshFigure {
  public:
    /// @param asset must outlive the figure
    /// @param baker bakes vertices into the pose
    MeshFigure(const core::Asset& asset, const core::RestBaker& baker, const View& view, DrawingEffort& effort);

    /// The extent of all vertices. Empty without vertices.
    [[nodiscard]] std::optional<Extent> extent() const;

    /// Paints the part inside a box of a picture, with smooth edges.
    /// @param box has whole pixels, all inside the picture
    void draw(pictures::Picture& picture, const Box& box, const Placement& placement, DrawingEffort& effort) const;

  private:
    const core::Asset* asset_;
    /// For every primitive of every mesh: metres to the right, down and towards the eye.
    std::vector<std::vector<glm::dvec3>> places_;
};

}  // namespace reanima::drawing
