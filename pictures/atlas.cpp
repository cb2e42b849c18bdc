#include "pictures/atlas.h"

#include <algorithm>
#include <cmath>

namespace reanima::pictures {

AtlasLayout::AtlasLayout(std::uint32_t count, std::uint32_t width, std::uint32_t height)
    : count_(count), width_(width), height_(height) {
    constexpr std::uint32_t kLongestSide = 2048;
    constexpr std::uint64_t kLargestPage = std::uint64_t{kLongestSide} * kLongestSide;
    // If a cell has a long side, the number of cells is limited, so that the page has no more pixels than usual.
    const auto mostCells = static_cast<std::uint32_t>(kLargestPage / (std::uint64_t{cellWidth()} * cellHeight()));
    const std::uint32_t mostColumns = std::clamp(kLongestSide / cellWidth(), 1U, std::max(1U, mostCells));
    const std::uint32_t mostRows = std::clamp(kLongestSide / cellHeight(), 1U, std::max(1U, mostCells));
    // The number of columns that makes the page nearly square.
    const double square = std::sqrt(static_cast<double>(count) * cellHeight() / cellWidth());
    columns_ =
        std::clamp(static_cast<std::uint32_t>(std::ceil(square)), 1U, std::min(mostColumns, std::max(1U, count)));
    rows_ = std::clamp((count + columns_ - 1) / columns_, 1U, mostRows);
}

Place AtlasLayout::placeOf(std::uint32_t picture) const {
    const std::uint32_t onPage = picture % perPage();
    return {picture / perPage(), onPage % columns_ * cellWidth() + 1, onPage / columns_ * cellHeight() + 1};
}

std::uint32_t AtlasLayout::countOn(std::uint32_t page) const { return std::min(perPage(), count_ - firstOn(page)); }

Picture AtlasLayout::emptyPage() const {
    return {pageWidth(), pageHeight(), std::vector<Rgba>(std::size_t{pageWidth()} * pageHeight(), Rgba{0, 0, 0, 255})};
}

void AtlasLayout::put(Picture& page, std::uint32_t picture, const Picture& content) const {
    const Place place = placeOf(picture);
    for (std::uint32_t y = 0; y < cellHeight(); ++y) {
        const Rgba* from = &content.at(0, std::min(y > 0 ? y - 1 : 0, height_ - 1));
        Rgba* const to = &page.at(place.x, place.y - 1 + y);
        std::copy_n(from, width_, to);
        *(to - 1) = *from;
        to[width_] = from[width_ - 1];
    }
}

}  // namespace reanima::pictures
