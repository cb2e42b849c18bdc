#include "pictures/canvas.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace reanima::pictures {
namespace {

constexpr Rgba kWhite = {255, 255, 255, 255};
constexpr Rgba kRed = {200, 10, 30, 255};

/// Pixels that are not paper, left to right and top to bottom.
struct Bounds {
    std::uint32_t left;
    std::uint32_t top;
    std::uint32_t right;  ///< the last one
    std::uint32_t bottom;

    bool operator==(const Bounds&) const = default;
};

Bounds drawnOn(const Picture& picture) {
    Bounds bounds{picture.width, picture.height, 0, 0};
    for (std::uint32_t y = 0; y < picture.height; ++y)
        for (std::uint32_t x = 0; x < picture.width; ++x)
            if (picture.at(x, y) != kWhite)
                bounds = {std::min(bounds.left, x), std::min(bounds.top, y), std::max(bounds.right, x),
                          std::max(bounds.bottom, y)};
    return bounds;
}

TEST(Canvas, LinesAreAsThickAsTheyAreToBe) {
    Canvas canvas(20, 20, kWhite);
    canvas.line({5, 10}, {15, 10}, 4, kRed);
    const Picture picture = canvas.picture();
    EXPECT_EQ(picture.width, 20U);
    EXPECT_EQ(picture.height, 20U);
    EXPECT_EQ(picture.at(10, 8), kRed);
    EXPECT_EQ(picture.at(10, 11), kRed);
    EXPECT_EQ(drawnOn(picture), (Bounds{3, 8, 16, 11}));  // with ends of half the thickness
}

TEST(Canvas, FillsAreasWithinTheirEdge) {
    Canvas canvas(20, 20, kWhite);
    canvas.polygon(std::array{glm::dvec2(2, 2), glm::dvec2(10, 2), glm::dvec2(10, 6), glm::dvec2(2, 6)}, kRed);
    EXPECT_EQ(drawnOn(canvas.picture()), (Bounds{2, 2, 9, 5}));
    canvas.disc({14, 14}, 3, {0, 0, 255, 255});
    EXPECT_EQ(canvas.picture().at(14, 14), (Rgba{0, 0, 255, 255}));
    EXPECT_EQ(canvas.picture().at(10, 10), kWhite);
}

TEST(Canvas, ColoursMixByTheirOpacity) {
    Canvas canvas(4, 4, {0, 0, 0, 0});
    const std::array all = {glm::dvec2(0, 0), glm::dvec2(4, 0), glm::dvec2(4, 4), glm::dvec2(0, 4)};
    EXPECT_EQ(canvas.picture().at(1, 1), (Rgba{0, 0, 0, 0}));
    canvas.polygon(all, {255, 0, 0, 128});
    const Rgba half = canvas.picture().at(1, 1);
    EXPECT_EQ(half[0], 255);
    EXPECT_EQ(half[3], 128);
    canvas.polygon(all, {0, 0, 255, 255});
    EXPECT_EQ(canvas.picture().at(1, 1), (Rgba{0, 0, 255, 255}));
}

TEST(Canvas, TextsStandWhereTheyAreToBe) {
    for (const auto& [align, begin] : {std::pair(Align::left, 100.0), {Align::centre, 50.0}, {Align::right, 0.0}}) {
        Canvas canvas(240, 40, kWhite);
        const double width = canvas.widthOf("HHHH", 20);
        EXPECT_GT(width, 20);
        EXPECT_LT(width, 100);
        canvas.text({100, 30}, "HHHH", 20, kRed, align);
        const Bounds bounds = drawnOn(canvas.picture());
        const double left = align == Align::left ? begin : 100 - width * (align == Align::centre ? 0.5 : 1);
        EXPECT_NEAR(bounds.left, left, 4);
        EXPECT_NEAR(bounds.right, left + width, 4);
        EXPECT_NEAR(bounds.bottom, 29, 1);  // capitals are on the line
        EXPECT_GT(bounds.top, 8U);
    }
}

TEST(Canvas, IsNotLargerThanTheLibraryDraws) {
    try {
        const Canvas canvas(40000, 1, kWhite);
        FAIL() << "a canvas of 40000 pixels was made";
    } catch (const std::runtime_error& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with("can't draw: ")) << error.what();
    }
}

TEST(Canvas, TextsMayBeOfAnyBytes) {
    Canvas canvas(100, 40, kWhite);
    canvas.text({5, 30}, "\xFF\xC3", 20, kRed);
    canvas.line({0, 5}, {100, 5}, 2, kRed);  // drawing continues
    EXPECT_EQ(canvas.picture().at(50, 5), kRed);
    EXPECT_EQ(canvas.widthOf("", 20), 0);
}

}  // namespace
}  // namespace reanima::pictures
