/// Meshes as they are drawn: triangles with their textures and colours, near ones in front of others.
#pragma once

#include <optional>
#include <vector>

#include <glm/vec3.hpp>

#include "core/asset.h"
#include "core/bake.h"
#include "pictures/picture.h"
#include "stick_figure.h"

namespace reanima::drawing {

/// What the meshes of one picture may take, so that a small file can't ask for hours: 2,000,000,000 samples that
/// triangles may cover. A sheet has room for 1,944 poses; a person of 700 triangles takes 22,000 in each.
class DrawingEffort {
  public:
    /// @throws core::DecodeError of the kind `limit` if it is too much
    void spend(double samples);

  private:
    double spent_ = 0;
};

/// The meshes of a character in one pose, as they are seen.
class MeshFigure {
  public:
    /// @param asset must outlive the figure
    /// @param baker of the pose
    MeshFigure(const core::Asset& asset, const core::RestBaker& baker, const View& view, DrawingEffort& effort);

    /// What all vertices cover; nothing without any.
    [[nodiscard]] std::optional<Extent> extent() const;

    /// Paints what lies in a part of a picture; edges are smooth.
    /// @param box in whole pixels, all of it in the picture
    void draw(pictures::Picture& picture, const Box& box, const Placement& placement, DrawingEffort& effort) const;

  private:
    const core::Asset* asset_;
    /// Of every primitive of every mesh: metres to the right, down and towards the eye.
    std::vector<std::vector<glm::dvec3>> places_;
};

}  // namespace reanima::drawing
