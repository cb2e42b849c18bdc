/// Where the outside of a body is.
#pragma once

#include <vector>

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include "asset.h"
#include "rig.h"

namespace reanima::core {

/// Vertices of meshes, in the spaces of the joints that carry them.
struct BodySurface {
    std::vector<std::vector<glm::vec3>> points;  ///< per joint; empty: nothing is known

    [[nodiscard]] bool isKnown() const { return !points.empty(); }
    /// The vertices of a joint; none where nothing is known.
    [[nodiscard]] const std::vector<glm::vec3>& of(std::uint32_t joint) const;
    /// The same body, of joints with thousands of vertices without those that are not farthest out in one of some
    /// directions: as low as the whole, to 1 % of the size of a joint's part.
    [[nodiscard]] BodySurface outermost() const;
};

/// Without what stands in model space on its own, such as weapons.
[[nodiscard]] BodySurface surfaceOf(const core::Asset& asset);
/// @param scale of lengths
[[nodiscard]] BodySurface surfaceOf(const core::Rig& rig, double scale);

/// The same vertices in model space, where they are in the rest pose: Rig::surface.
[[nodiscard]] std::vector<SurfacePoint> surfacePointsOf(const core::Asset& asset);

/// What a rig's own meshes look like, each vertex on the joint that moves it most, in a colour of clay; nothing where
/// no triangle is known.
/// @param asset without meshes; its skeleton begins with the rig's joints
/// @param scale of lengths
void dressAsRig(core::Asset& asset, const core::Rig& rig, double scale);

}  // namespace reanima::core
