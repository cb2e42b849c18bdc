/// Draws text and shapes into pictures: contact sheets, skeletons with names.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include <glm/vec2.hpp>

#include "picture.h"

namespace reanima::pictures {

/// False in a build without the drawing library. Code that needs a canvas is then excluded by `if constexpr`.
inline constexpr bool kCanDraw = REANIMA_DRAWS;

/// Alignment of a text relative to its position.
enum class Align { left, centre, right };

/// A picture to draw on. Positions and sizes are in pixels from the top left. Edges are smooth, and shapes are clipped
/// at the picture's edge. Text uses the system's sans-serif font.
class Canvas {
  public:
    /// @param width, height up to 32767 each
    /// @throws std::bad_alloc, std::runtime_error if the library can't draw such a large picture
    Canvas(std::uint32_t width, std::uint32_t height, const Rgba& paper);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    /// A straight line with round ends.
    void line(const glm::dvec2& from, const glm::dvec2& to, double thickness, const Rgba& colour);
    void disc(const glm::dvec2& centre, double radius, const Rgba& colour);
    /// Fills the area within a closed line.
    void polygon(std::span<const glm::dvec2> corners, const Rgba& colour);
    /// Clips all drawing inside `draw` to a box.
    void within(const glm::dvec2& corner, const glm::dvec2& size, const std::function<void()>& draw);
    /// One line of UTF-8.
    /// @param at a point on the text's baseline
    /// @param size font size, which is the line height
    void text(const glm::dvec2& at, std::string_view text, double size, const Rgba& colour, Align align = Align::left);
    /// The width of a line of text.
    [[nodiscard]] double widthOf(std::string_view text, double size);

    /// The picture with everything drawn so far.
    [[nodiscard]] Picture picture() const;

  private:
    struct Surface;
    std::unique_ptr<Surface> surface_;
};

}  // namespace reanima::pictures
