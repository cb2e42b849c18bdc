#include "tools/reanima/skeleton_picture.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/pose.h"

namespace reanima::tool {

namespace {

using pictures::Picture;
using pictures::Rgba;

constexpr std::uint32_t kSide = 600;  // of the square for one skeleton
constexpr std::uint32_t kMargin = 40;
constexpr Rgba kPaper = {250, 250, 248, 255};
constexpr Rgba kAlone = {185, 185, 185, 255};

/// Colours far from each other for neighbours in the list.
Rgba colourOf(std::size_t index) {
    constexpr double kGoldenTurn = 0.61803398875;
    const double hue = std::fmod(static_cast<double>(index) * kGoldenTurn, 1.0) * 6;
    const auto channel = [hue](double offset) {
        const double x = std::fmod(hue + offset, 6.0);
        const double value = std::clamp(std::min(x, 4 - x), 0.0, 1.0);
        return static_cast<std::uint8_t>(std::lround(200 * value + 20));
    };
    return {channel(2), channel(0), channel(4), 255};
}

void dot(Picture& picture, double x, double y, int radius, const Rgba& colour) {
    for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) {
            const auto px = static_cast<std::int64_t>(std::lround(x)) + dx;
            const auto py = static_cast<std::int64_t>(std::lround(y)) + dy;
            if (dx * dx + dy * dy <= radius * radius && px >= 0 && py >= 0 && px < picture.width && py < picture.height)
                picture.at(static_cast<std::uint32_t>(px), static_cast<std::uint32_t>(py)) = colour;
        }
}

void line(Picture& picture, const glm::dvec2& from, const glm::dvec2& to, const Rgba& colour) {
    const auto steps = static_cast<int>(std::ceil(glm::distance(from, to))) + 1;
    for (int i = 0; i <= steps; ++i) {
        const glm::dvec2 at = from + (to - from) * (static_cast<double>(i) / steps);
        dot(picture, at.x, at.y, 1, colour);
    }
}

void draw(Picture& picture, double left, const core::Skeleton& skeleton, const std::vector<Rgba>& colours) {
    std::vector<glm::dvec2> places;
    for (const glm::dmat4& global : core::globalMatrices(skeleton, core::restPose(skeleton)))
        places.emplace_back(global[3].x, -global[3].y);
    glm::dvec2 lowest = places.front();
    glm::dvec2 highest = lowest;
    for (const glm::dvec2& place : places) {
        lowest = glm::min(lowest, place);
        highest = glm::max(highest, place);
    }
    const double size = std::max({highest.x - lowest.x, highest.y - lowest.y, 1e-9});
    const double scale = (kSide - 2.0 * kMargin) / size;
    const glm::dvec2 middle = (lowest + highest) / 2.0;
    for (glm::dvec2& place : places)
        place = (place - middle) * scale + glm::dvec2(left + kSide / 2.0, kSide / 2.0);
    for (std::size_t i = 0; i < places.size(); ++i)
        if (const int parent = skeleton.joints[i].parent; parent != core::kNoParent)
            line(picture, places[static_cast<std::size_t>(parent)], places[i],
                 colours[static_cast<std::size_t>(parent)]);
    for (std::size_t i = 0; i < places.size(); ++i)
        dot(picture, places[i].x, places[i].y, 4, colours[i]);
}

}  // namespace

Picture drawSkeletons(const core::Skeleton& source, const core::Skeleton& target,
                      const std::vector<core::Suggestion>& suggestions) {
    Picture picture{2 * kSide, kSide, std::vector<Rgba>(std::size_t{2} * kSide * kSide, kPaper)};
    std::vector<Rgba> sourceColours(source.joints.size(), kAlone);
    std::vector<Rgba> targetColours(target.joints.size(), kAlone);
    for (std::size_t i = 0; i < suggestions.size(); ++i) {
        sourceColours[suggestions[i].link.source] = colourOf(i);
        targetColours[suggestions[i].link.target] = colourOf(i);
    }
    draw(picture, 0, source, sourceColours);
    draw(picture, kSide, target, targetColours);
    return picture;
}

}  // namespace reanima::tool
