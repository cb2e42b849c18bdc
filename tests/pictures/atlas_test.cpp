#include "pictures/atlas.h"

#include <gtest/gtest.h>

namespace reanima::pictures {
namespace {

struct Pages {
    std::uint32_t count;
    std::uint32_t width;
    std::uint32_t height;

    bool operator==(const Pages&) const = default;
};

Pages pagesFor(std::uint32_t count, std::uint32_t width, std::uint32_t height) {
    const AtlasLayout layout(count, width, height);
    std::uint32_t placed = 0;
    for (std::uint32_t page = 0; page < layout.pages(); ++page) {
        EXPECT_EQ(layout.firstOn(page), placed);
        placed += layout.countOn(page);
    }
    EXPECT_EQ(placed, count);
    return {layout.pages(), layout.pageWidth(), layout.pageHeight()};
}

// A cell is two pixels wider and higher than a picture.
TEST(Atlas, PagesAreAboutSquare) {
    EXPECT_EQ(pagesFor(1, 40, 32), (Pages{1, 42, 34}));
    EXPECT_EQ(pagesFor(12, 40, 32), (Pages{1, 4 * 42, 3 * 34}));
    EXPECT_EQ(pagesFor(2, 640, 344), (Pages{1, 2 * 642, 346}));
}

TEST(Atlas, PagesHave2048PixelsASideAtMost) {
    EXPECT_EQ(pagesFor(100, 640, 344), (Pages{7, 3 * 642, 5 * 346}));
    EXPECT_EQ(pagesFor(3, 2046, 2046), (Pages{3, 2048, 2048}));
}

TEST(Atlas, LongPicturesMakeNoPageLargerThanThat) {
    EXPECT_EQ(pagesFor(12, 40, 262176), (Pages{12, 42, 262178}));    // a single cell already has more
    EXPECT_EQ(pagesFor(100, 40, 9998), (Pages{12, 9 * 42, 10000}));  // 9 x 420,000 <= 4,194,304
    EXPECT_EQ(pagesFor(100, 65534, 2), (Pages{7, 65536, 16 * 4}));   // 16 x 262,144 <= 4,194,304
    EXPECT_EQ(pagesFor(5, 40, 9998), (Pages{1, 5 * 42, 10000}));     // no column stays empty
}

}  // namespace
}  // namespace reanima::pictures
