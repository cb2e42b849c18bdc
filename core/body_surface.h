/// The surface of a body.
#pragma once

#include <vector>

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include "asset.h"
#include "rig.h"

namespace reanima::core {

/// Vertices of meshes, in the spaces of the joints that carry them.
struct BodySurface {
    std::vector<std::vector<glm::vec3>> points;  ///< per joint; empty: no vertex is known

    [[nodiscard]] bool isKnown() const { return !points.empty(); }
    /// The vertices of a joint; empty if none are known.
    [[nodiscard]] const std::vector<glm::vec3>& of(std::uint32_t joint) const;
    /// A reduced surface. For a joint with thousands of vertices, it keeps only the outermost vertex in each of some
    /// fixed directions. The height of the lowest point is then accurate to 1 % of the extent of the joint's vertices.
    [[nodiscard]] BodySurface outermost() const;
};

/// The surface of an asset's meshes, without parts that are separate in model space, such as weapons.
[[nodiscard]] BodySurface surfaceOf(const core::Asset& asset);
/// The surface of a rig. @param scale factor for lengths
[[nodiscard]] BodySurface surfaceOf(const core::Rig& rig, double scale);

/// The vertices of an asset's meshes in model space, in the rest pose, for Rig::surface.
[[nodiscard]] std::vector<SurfacePoint> surfacePointsOf(const core::Asset& asset);

/// Adds a rig's own meshes to an asset, each vertex on the joint that moves it most. The meshes have the colours of
/// Rig::look, or the colour of clay if the look was not read. Does nothing if no triangle is known.
/// @param asset must have no meshes; its skeleton begins with the rig's joints
/// @param scale factor for lengths
void dressAsRig(core::Asset& asset, const core::Rig& rig, double scale);

}  // namespace reanima::core
