#include "pictures/album.h"

#include <numeric>
#include <unordered_map>

namespace reanima::pictures {

Album::Album(const core::ImageSequence& images, std::vector<std::uint32_t> pictures,
             std::vector<std::uint32_t> distinct, std::vector<std::uint32_t> cells)
    : images_(&images),
      pictures_(std::move(pictures)),
      distinct_(std::move(distinct)),
      cells_(std::move(cells)),
      layout_(static_cast<std::uint32_t>(distinct_.size()), images.shownWidth(), images.shownHeight()) {}

Album Album::ofEach(const core::ImageSequence& images, std::vector<std::uint32_t> pictures) {
    std::vector<std::uint32_t> distinct = pictures;
    std::vector<std::uint32_t> cells(pictures.size());
    std::iota(cells.begin(), cells.end(), 0U);
    return {images, std::move(pictures), std::move(distinct), std::move(cells)};
}

Album Album::ofDistinct(const core::ImageSequence& images, std::vector<std::uint32_t> pictures) {
    const std::vector<std::uint32_t> first = firstAppearances(images);
    std::vector<std::uint32_t> distinct;
    std::vector<std::uint32_t> cells;
    cells.reserve(pictures.size());
    std::unordered_map<std::uint32_t, std::uint32_t> cellOfFirst;
    for (const std::uint32_t picture : pictures) {
        const auto next = static_cast<std::uint32_t>(distinct.size());
        const auto [cell, isNew] = cellOfFirst.try_emplace(first[picture], next);
        if (isNew)
            distinct.push_back(first[picture]);
        cells.push_back(cell->second);
    }
    return {images, std::move(pictures), std::move(distinct), std::move(cells)};
}

Picture Album::page(std::uint32_t page, core::PictureCursor& cursor) const {
    Picture pixels = layout_.emptyPage();
    for (std::uint32_t cell = layout_.firstOn(page), end = cell + layout_.countOn(page); cell < end; ++cell)
        layout_.put(pixels, cell, shown(*images_, cursor.picture(distinct_[cell])));
    return pixels;
}

std::vector<std::uint32_t> allPictures(const core::ImageSequence& images) {
    std::vector<std::uint32_t> pictures(images.count);
    std::iota(pictures.begin(), pictures.end(), 0U);
    return pictures;
}

}  // namespace reanima::pictures
