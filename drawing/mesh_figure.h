/// Meshes as they are drawn: triangles with their textures and colours, near ones in front of others.
#pragma once

#include <vector>

#include <glm/vec3.hpp>

#include "core/asset.h"
#include "core/bake.h"
#include "pictures/picture.h"
#include "stick_figure.h"

namespace reanima::drawing {

/// The meshes of a character in one pose, as they are seen.
class MeshFigure {
  public:
    /// @param asset must outlive the figure
    /// @param baker of the pose
    MeshFigure(const core::Asset& asset, const core::RestBaker& baker, const View& view);

    /// @param extent is widened to cover all vertices
    void addTo(Extent& extent) const;

    /// Paints what lies in a part of a picture; edges are smooth.
    /// @param box in whole pixels, all of it in the picture
    void draw(pictures::Picture& picture, const Box& box, const Placement& placement) const;

  private:
    const core::Asset* asset_;
    /// Of every primitive of every mesh: metres to the right, down and towards the eye.
    std::vector<std::vector<glm::dvec3>> places_;
};

}  // namespace reanima::drawing
