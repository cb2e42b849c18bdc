/// Bones that the game scales differently along their axes, as nodes of translation, rotation and scale.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <glm/mat3x3.hpp>

#include "core/clip.h"
#include "core/diagnostics.h"
#include "core/skeleton.h"

namespace reanima::ff8 {

/// Least and most of the vertices of a bone, in its own space.
using Box = std::array<glm::vec3, 2>;

/// The game multiplies scales axis by axis down the skeleton and stretches each bone alone by the product; nodes
/// stretch what hangs on them as well, which shears it where a scale is not the same along all axes. Below such bones,
/// this puts joints where the game has them, with the rotation and scale that are closest to what the game draws.
class ScaleFit {
  public:
    /// @param boxes one per joint
    ScaleFit(const core::Skeleton& skeleton, const std::vector<Box>& boxes) : skeleton_(skeleton), boxes_(boxes) {}

    /// @param clip with a track per joint, whose channels have one value or one per frame
    void apply(core::Clip& clip);
    /// Warns with the largest error, if there is one.
    void report(core::Diagnostics& diagnostics) const;

  private:
    /// What a joint is in a frame: as the game has it, and as its node makes it.
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
