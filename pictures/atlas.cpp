#include "pictures/atlas.h"

#include <algorithm>
#include <cmath>

namespace reanima::pictures {

AtlasLayout::AtlasLayout(std::uint32_t count, std::uint32_t width, std::uint32_t height)
    : count_(count), width_(width), height_(height) {
    constexpr std::uint32_t kLargestPage = 2048;
    const std::uint32_t mostColumns = std::max(1U, kLargestPage / cellWidth());
    const std::uint32_t mostRows = std::max(1U, kLargestPage / cellHeight());
    // As square as it goes: as many columns as make the page about as wide as high.
    const double square = std::sqrt(static_cast<double>(count) * cellHeight() / cellWidth());
    columns_ = std::clamp(static_cast<std::uint32_t>(std::ceil(square)), 1U, mostColumns);
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
        const std::uint32_t fromY = std::min(y > 0 ? y - 1 : 0, height_ - 1);
        for (std::uint32_t x = 0; x < cellWidth(); ++x) {
            const std::uint32_t fromX = std::min(x > 0 ? x - 1 : 0, width_ - 1);
            page.at(place.x - 1 + x, place.y - 1 + y) = content.at(fromX, fromY);
        }
    }
}

}  // namespace reanima::pictures
