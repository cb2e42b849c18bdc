#include "formats/psx/shown_texels.h"

#include <algorithm>
#include <cmath>

namespace reanima::psx {

void ShownTexels::add(const std::array<PagePlace, 3>& triangle) {
    const auto [top, bottom] = std::minmax({triangle[0][1], triangle[1][1], triangle[2][1]});
    for (std::size_t y = top; y < bottom; ++y) {
        // No corner lies on the middle line of a row, so exactly two edges cross this line.
        const double middle = static_cast<double>(y) + 0.5;
        double left = kSide;
        double right = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            const PagePlace& a = triangle[i];
            const PagePlace& b = triangle[(i + 1) % 3];
            if ((a[1] > middle) == (b[1] > middle))
                continue;
            const double x = a[0] + (middle - a[1]) * (b[0] - a[0]) / (b[1] - a[1]);
            left = std::min(left, x);
            right = std::max(right, x);
        }
        for (auto x = static_cast<std::size_t>(std::ceil(left - 0.5)); static_cast<double>(x) + 0.5 < right; ++x)
            rows_[y].set(x);
    }
}

}  // namespace reanima::psx
