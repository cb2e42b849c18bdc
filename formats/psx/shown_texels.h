/// Which texels of a page the triangles of a mesh show.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

namespace reanima::psx {

/// A place on a page of 256 x 256 texels.
using PagePlace = std::array<std::uint8_t, 2>;

/// A texel is shown if its centre is inside a triangle.
class ShownTexels {
  public:
    void add(const std::array<PagePlace, 3>& triangle);
    [[nodiscard]] bool has(std::size_t x, std::size_t y) const { return rows_[y][x]; }

  private:
    static constexpr std::size_t kSide = 256;
    std::array<std::bitset<kSide>, kSide> rows_;
};

}  // namespace reanima::psx
