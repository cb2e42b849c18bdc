/// When a foot stands, and how far it is moved so that it stays in place.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <glm/vec3.hpp>

namespace reanima::binding {

/// Frames before and after a standing phase in which its offset is blended in and out.
inline constexpr std::size_t kBlend = 4;

/// The frames in which a foot stands.
struct StandingPhase {
    std::size_t first;
    std::size_t last;
};

/// The height of the lowest position.
[[nodiscard]] double lowestOf(const std::vector<glm::dvec3>& places);

/// The phases in which a foot of the source stands (soles.h).
/// @param places positions of the sole, one per frame
/// @param hips positions of the hips, one per frame; in sitting or lying poses, feet do not stand
/// @param rate frames per second
/// @param leg length of a leg
[[nodiscard]] std::vector<StandingPhase> standingPhasesOf(const std::vector<glm::dvec3>& places,
                                                          const std::vector<glm::dvec3>& hips, double rate, double leg);

/// How far feet may move, in metres.
struct FootReach {
    double loose;  ///< horizontally: smaller movements of the source's foot are ignored
    double high;   ///< vertically; a foot that would be moved farther does not stand
};

/// The averaging window of a position.
struct MeanWindow {
    std::size_t around;  ///< frames before and after
    bool isClosed;       ///< the first frame continues the last one
};

/// The offset of a foot in each frame; zero if none is needed.
class FootOffsets {
  public:
    /// @param source, target positions of the sole, one per frame; those of the source are multiplied by the binding's
    /// scale
    /// @param lifts vertical offsets; not used with a window
    /// @param window unset: a foot stays in one place while it stands
    FootOffsets(const std::vector<glm::dvec3>& source, const std::vector<glm::dvec3>& target,
                std::vector<StandingPhase> standing, const std::vector<double>& lifts, const FootReach& reach,
                const std::optional<MeanWindow>& window);

    [[nodiscard]] const glm::dvec3& at(std::size_t frame) const { return offsets_[frame]; }

    /// Makes blending in and out take 1.5 times as many frames, up to a limit.
    /// @return false if this changes nothing
    bool blendLonger();

    /// Keeps only a share of the offset of each frame.
    void ease(const std::vector<double>& shares);

  private:
    /// Makes the offsets at both ends of a loop equal.
    void close();

    [[nodiscard]] double shareAt(std::size_t apart) const;

    /// Blends between standing phases.
    void blend();

    std::vector<glm::dvec3> offsets_;
    std::vector<StandingPhase> standing_;
    bool isClosed_;
    std::size_t blend_ = kBlend;
};

}  // namespace reanima::binding
