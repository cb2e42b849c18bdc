#include "tools/reanima/contact_sheet.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/decode_error.h"
#include "core/text.h"
#include "pictures/canvas.h"

namespace reanima::tool {

namespace {

using pictures::Align;
using pictures::Canvas;
using pictures::Rgba;

// All in pixels.
constexpr double kMargin = 12;
constexpr double kLetters = 15;
constexpr double kHead = 34;         // a character's name
constexpr double kLabelWidth = 190;  // of a clip's name
constexpr double kCell = 130;        // of a pose, wide and high
constexpr std::size_t kPoses = 8;
constexpr double kMostHeight = 32000;  // that a canvas can have

constexpr Rgba kPaper = {250, 250, 248, 255};
constexpr Rgba kInk = {40, 40, 40, 255};
constexpr Rgba kFaint = {130, 130, 130, 255};
constexpr Rgba kGround = {215, 215, 210, 255};

JointStyle styleOf(BodySide side) {
    switch (side) {
        case BodySide::left:
            return {{45, 105, 190, 255}, 4};
        case BodySide::right:
            return {{200, 65, 50, 255}, 4};
        case BodySide::weapon:
            return {{205, 150, 25, 255}, 3};
        case BodySide::middle:
            break;
    }
    return {{95, 95, 95, 255}, 4.5};
}

// ---------------------------------------------------------------------------------------------------------------------
// A character

/// The poses of a clip; of a skeleton without clips its rest pose.
struct Row {
    std::string name;
    std::string facts;
    std::vector<StickFigure> figures;
};

Row rowOf(const Previewed& item, const View& view, const core::Clip& clip) {
    Row row{fmt::format("{}  {}", clip.index, clip.name),
            fmt::format("{} frame{}, {:.2f} s", clip.frames, clip.frames == 1 ? "" : "s", clip.duration),
            {}};
    const core::Skeleton& skeleton = *item.asset.skeleton;
    const std::size_t poses = std::min<std::size_t>(kPoses, std::max(1U, clip.frames));
    for (std::size_t i = 0; i < poses; ++i) {
        const double share = poses == 1 ? 0 : static_cast<double>(i) / static_cast<double>(poses - 1);
        row.figures.emplace_back(skeleton, core::samplePose(skeleton, clip, share * clip.duration), view);
    }
    return row;
}

std::vector<Row> rowsOf(const Previewed& item) {
    constexpr double kFromTheSide = 35;
    const View view = item.front.turned(kFromTheSide);
    const core::Skeleton& skeleton = *item.asset.skeleton;
    std::vector<Row> rows;
    for (const core::Clip& clip : item.asset.clips)
        rows.push_back(rowOf(item, view, clip));
    if (rows.empty())
        rows.push_back({"rest pose", "", {StickFigure(skeleton, core::restPose(skeleton), view)}});
    return rows;
}

/// Pixels per metre with which nine of ten figures fit into their cells: a single leap makes not all others small.
double scaleOf(const std::vector<Row>& rows) {
    constexpr double kRoom = kCell - 10;
    std::vector<double> scales;
    for (const Row& row : rows)
        for (const StickFigure& figure : row.figures)
            scales.push_back(figure.scaleFor({{0, 0}, {kRoom, kRoom}}));
    const auto tenth = scales.begin() + static_cast<std::ptrdiff_t>(scales.size() / 10);
    std::nth_element(scales.begin(), tenth, scales.end());
    return *tenth;
}

void drawRow(Canvas& canvas, const Previewed& item, const Row& row, double scale, double top) {
    const core::Skeleton& skeleton = *item.asset.skeleton;
    std::vector<JointStyle> styles;
    for (const BodySide side : item.sides)
        styles.push_back(styleOf(side));
    canvas.text({kMargin, top + kCell / 2}, row.name, kLetters, kInk);
    canvas.text({kMargin, top + kCell / 2 + 1.3 * kLetters}, row.facts, 0.85 * kLetters, kFaint);
    for (std::size_t i = 0; i < row.figures.size(); ++i) {
        const double left = kLabelWidth + static_cast<double>(i) * kCell;
        StickFigure figure = row.figures[i];
        const double ground = figure.place({{left, top}, {kCell, kCell - 6}},
                                           std::min(scale, figure.scaleFor({{0, 0}, {kCell - 4, kCell - 8}})));
        if (ground <= top + kCell)
            canvas.line({left + 4, ground}, {left + kCell - 4, ground}, 1, kGround);
        figure.draw(canvas, skeleton, styles);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// A video

/// Every so many pixels of a picture, so that it is no wider or higher than a cell.
pictures::Picture thumbnail(const pictures::Picture& picture) {
    const std::uint32_t step = std::max({1U, static_cast<std::uint32_t>(std::ceil(picture.width / kCell)),
                                         static_cast<std::uint32_t>(std::ceil(picture.height / kCell))});
    pictures::Picture small{(picture.width + step - 1) / step, (picture.height + step - 1) / step, {}};
    for (std::uint32_t y = 0; y < picture.height; y += step)
        for (std::uint32_t x = 0; x < picture.width; x += step)
            small.pixels.push_back(picture.at(x, y));
    return small;
}

/// Frames of a video, where they lie on the sheet.
struct PlacedFrame {
    std::uint32_t left;
    std::uint32_t top;
    pictures::Picture picture;
};

constexpr std::size_t kFrameRows = 4;

std::size_t framesShown(const core::ImageSequence& images) {
    return std::min<std::size_t>(images.count, kPoses * kFrameRows);
}

void addFrames(const core::ImageSequence& images, double top, std::vector<PlacedFrame>& placed) {
    const auto cursor = images.open();
    const std::size_t shown = framesShown(images);
    for (std::size_t i = 0; i < shown; ++i) {
        const auto frame = static_cast<std::uint32_t>(i * images.count / shown);
        placed.push_back({static_cast<std::uint32_t>(kLabelWidth + static_cast<double>(i % kPoses) * (kCell + 1)),
                          static_cast<std::uint32_t>(top + static_cast<double>(i / kPoses) * (kCell + 1)),
                          thumbnail(pictures::shown(images, cursor->picture(frame)))});
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The sheet

std::size_t rowCount(const Previewed& item) {
    if (item.asset.video)
        return (framesShown(*item.asset.video) + kPoses - 1) / kPoses;
    return std::max<std::size_t>(1, item.asset.clips.size());
}

double heightOf(std::span<const Previewed> items) {
    double height = kMargin;
    for (const Previewed& item : items)
        height += kHead + static_cast<double>(rowCount(item)) * (kCell + 1);
    if (height > kMostHeight)
        throw core::DecodeError({},
                                fmt::format("has {} clips, a sheet has room for {}", items.front().asset.clips.size(),
                                            static_cast<int>((kMostHeight - kHead - kMargin) / (kCell + 1))),
                                core::DecodeError::Kind::limit);
    return height;
}

}  // namespace

pictures::Picture contactSheet(std::span<const Previewed> items) {
    const double width = kLabelWidth + static_cast<double>(kPoses) * (kCell + 1) + kMargin;
    Canvas canvas(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(heightOf(items)), kPaper);
    std::vector<PlacedFrame> frames;
    double top = kMargin;
    for (const Previewed& item : items) {
        canvas.text({kMargin, top + kLetters}, core::printable(item.name), 1.2 * kLetters, kInk);
        top += kHead;
        if (item.asset.video) {
            const core::ImageSequence& images = *item.asset.video;
            canvas.text({kMargin, top + kLetters}, fmt::format("{} frames", images.count), 0.85 * kLetters, kFaint);
            addFrames(images, top, frames);
            top += static_cast<double>(rowCount(item)) * (kCell + 1);
            continue;
        }
        const std::vector<Row> rows = rowsOf(item);
        const double scale = scaleOf(rows);
        for (const Row& row : rows) {
            drawRow(canvas, item, row, scale, top);
            top += kCell + 1;
        }
    }
    pictures::Picture sheet = canvas.picture();
    for (const PlacedFrame& frame : frames)
        for (std::uint32_t y = 0; y < frame.picture.height; ++y)
            for (std::uint32_t x = 0; x < frame.picture.width; ++x)
                sheet.at(frame.left + x, frame.top + y) = frame.picture.at(x, y);
    return sheet;
}

}  // namespace reanima::tool
