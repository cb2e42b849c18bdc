/// Places many pictures of one size on few pages.
#pragma once

#include "picture.h"

namespace reanima::pictures {

/// The position of a picture, in pixels from the top left of its page.
struct Place {
    std::uint32_t page = 0;
    std::uint32_t x = 0;
    std::uint32_t y = 0;
};

/// Pages of equal cells in rows. Each cell has a border of one pixel that repeats the picture's edge, so that texture
/// filters show nothing of the neighbouring picture.
class AtlasLayout {
  public:
    /// @param count pictures of width x height pixels
    AtlasLayout(std::uint32_t count, std::uint32_t width, std::uint32_t height);

    [[nodiscard]] std::uint32_t pages() const { return (count_ + perPage() - 1) / perPage(); }
    /// Pages are no larger than needed, up to 2048 x 2048 pixels. If a cell is longer than 2048 pixels, so is its page.
    /// The page still has no more pixels than 2048 x 2048, unless the cell itself has more.
    [[nodiscard]] std::uint32_t pageWidth() const { return columns_ * cellWidth(); }
    [[nodiscard]] std::uint32_t pageHeight() const { return rows_ * cellHeight(); }
    [[nodiscard]] Place placeOf(std::uint32_t picture) const;
    /// The pictures on a page: the index of the first one, and their number.
    [[nodiscard]] std::uint32_t firstOn(std::uint32_t page) const { return page * perPage(); }
    [[nodiscard]] std::uint32_t countOn(std::uint32_t page) const;

    [[nodiscard]] Picture emptyPage() const;
    /// Copies a picture and its border to its page.
    void put(Picture& page, std::uint32_t picture, const Picture& content) const;

  private:
    [[nodiscard]] std::uint32_t cellWidth() const { return width_ + 2; }
    [[nodiscard]] std::uint32_t cellHeight() const { return height_ + 2; }
    [[nodiscard]] std::uint32_t perPage() const { return columns_ * rows_; }

    std::uint32_t count_;
    std::uint32_t width_;
    std::uint32_t height_;
    std::uint32_t columns_;
    std::uint32_t rows_;
};

}  // namespace reanima::pictures
