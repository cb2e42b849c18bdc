/// Pictures of a sequence on pages, for flip-books and sheets.
#pragma once

#include <vector>

#include "atlas.h"

namespace reanima::pictures {

/// Selected pictures of a sequence, and the cells on pages that show them.
class Album {
  public:
    /// An album with a separate cell for every picture.
    /// @param images must outlive the album
    /// @param pictures indices of the sequence
    [[nodiscard]] static Album ofEach(const core::ImageSequence& images, std::vector<std::uint32_t> pictures);
    /// An album in which equal pictures share a cell. Decodes the sequence to find them.
    [[nodiscard]] static Album ofDistinct(const core::ImageSequence& images, std::vector<std::uint32_t> pictures);

    /// The selected pictures, as indices in the sequence.
    [[nodiscard]] const std::vector<std::uint32_t>& pictures() const { return pictures_; }
    /// For every cell, the index of its picture. If equal pictures share a cell, it is the index of the first one.
    [[nodiscard]] const std::vector<std::uint32_t>& distinct() const { return distinct_; }
    /// The cell of pictures()[place].
    [[nodiscard]] std::uint32_t cellOf(std::size_t place) const { return cells_[place]; }
    /// Where the cells are on the pages.
    [[nodiscard]] const AtlasLayout& layout() const { return layout_; }

    /// Draws a page with all its pictures.
    /// @param cursor reads the sequence's pictures
    [[nodiscard]] Picture page(std::uint32_t page, core::PictureCursor& cursor) const;

  private:
    /// @param distinct the content of the cells
    /// @param cells one per picture
    Album(const core::ImageSequence& images, std::vector<std::uint32_t> pictures, std::vector<std::uint32_t> distinct,
          std::vector<std::uint32_t> cells);

    const core::ImageSequence* images_;
    std::vector<std::uint32_t> pictures_;
    std::vector<std::uint32_t> distinct_;
    std::vector<std::uint32_t> cells_;
    AtlasLayout layout_;
};

/// The indices of all pictures of a sequence: 0, 1, ...
[[nodiscard]] std::vector<std::uint32_t> allPictures(const core::ImageSequence& images);

}  // namespace reanima::pictures
