/// Approximates the game's non-uniform scaling of bones by nodes with translation, rotation and scale.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <glm/mat3x3.hpp>

#include "core/clip.h"
#include "core/diagnostics.h"
#include "core/skeleton.h"

namespace reanima::ff8 {

/// The bounding box of a bone's vertices, in its own space.
using Box = std::array<glm::vec3, 2>;

/// The game multiplies scales axis by axis down the skeleton and stretches only each bone's own vertices by the
/// product. Nodes also stretch their children, and shear them if a scale is not uniform. Below such bones, this class
/// puts joints at the game's positions. Their rotations and scales come as close as possible to what the game draws.
class ScaleFit {
  public:
    /// @param boxes one box per joint
    ScaleFit(const core::Skeleton& skeleton, const std::vector<Box>& boxes) : skeleton_(skeleton), boxes_(boxes) {}

    /// @param clip must have a track per joint; a channel must have one value, or one per frame
    void apply(core::Clip& clip);
    /// Warns about the largest error if it is visible.
    void report(core::Diagnostics& diagnostics) const;

  private:
    /// The matrices of a joint in a frame: the game's, and the node's.
    struct Placed {
        glm::dmat3 rotation{1};
        glm::dvec3 size{1};
        glm::dvec3 place{0};
        glm::dmat3 node{1};
    };

    [[nodiscard]] std::vector<bool> jointsBelowUneven(const core::Clip& clip) const;
    [[nodiscard]] Placed placedBy(const core::Clip& clip, std::uint32_t joint, std::size_t frame,
                                  const std::vector<Placed>& earlier) const;
    void note(const Placed& placed, const std::string& clip, std::uint32_t joint, std::size_t frame);

    const core::Skeleton& skeleton_;
    const std::vector<Box>& boxes_;
    double worst_ = 0;  // metres
    std::string where_;
};

}  // namespace reanima::ff8
