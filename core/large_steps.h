/// Rotations between two keys that are so large that players may interpolate them either way.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "diagnostics.h"

namespace reanima::core {

/// Collects such steps, for one note about a whole file.
class LargeSteps {
  public:
    /// Up to here every player shows nearly the same between two keys; beyond, mixing the components of quaternions and
    /// moving along the arc are visibly apart, and beyond half a turn the direction differs.
    static constexpr double kDegrees = 120;

    /// Adds the steps of one joint.
    /// @param size how far the largest of them turns, to find the worst: in any measure that grows with the angle, such
    /// as 1 less the cosine of its half, but the same for all steps of a file
    /// @param frame the frame at that one's end
    void add(std::size_t count, double size, std::string_view clip, std::string_view joint, std::size_t frame);

    /// Adds the note, if there is any such step.
    /// @param remedy the option that makes players agree
    void report(Diagnostics& diagnostics, const OptionHint& remedy) const;

  private:
    std::size_t count_ = 0;
    double worst_ = 0;
    std::string where_;
};

}  // namespace reanima::core
