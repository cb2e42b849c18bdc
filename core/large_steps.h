/// Large rotations between two keys: players may interpolate them either way.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "diagnostics.h"

namespace reanima::core {

/// Collects large steps, for one note per file.
class LargeSteps {
  public:
    /// Up to this angle, all players show nearly the same motion between two keys. Above it, linear interpolation of
    /// quaternions visibly differs from motion along the arc. Above half a turn, even the direction may differ.
    static constexpr double kDegrees = 120;

    /// Adds the steps of one joint.
    /// @param size the largest step, in a measure that grows with the angle, such as 1 - the cosine of half the angle.
    /// All calls for a file use the same measure
    /// @param frame the frame at the end of the largest step
    void add(std::size_t count, double size, std::string_view clip, std::string_view joint, std::size_t frame);

    /// Adds the note if there are such steps.
    /// @param remedy the option that makes players agree
    void report(Diagnostics& diagnostics, const OptionHint& remedy) const;

  private:
    std::size_t count_ = 0;
    double worst_ = 0;
    std::string where_;
};

}  // namespace reanima::core
