#include "drawing/contact_sheet.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/bake.h"
#include "core/decode_error.h"
#include "core/pose.h"
#include "core/text.h"
#include "drawing/mesh_figure.h"
#include "drawing/paper.h"
#include "pictures/canvas.h"

namespace reanima::drawing {

namespace {

using pictures::Canvas;
using pictures::Rgba;

// Sizes in pixels.
constexpr double kSheetMargin = 12;
constexpr double kSheetLetters = 15;
constexpr double kHead = 34;              // a character's name
constexpr double kSheetLabelWidth = 190;  // width of a clip's name
constexpr double kCell = 130;             // width and height of a pose
constexpr std::size_t kPoses = 8;
constexpr double kMostHeight = 32000;  // limit of a canvas

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

/// A pose and its extent.
struct Posed {
    core::Pose pose;
    StickFigure bones;
    Extent extent;
};

/// The poses of a clip, or the rest pose of a skeleton without clips.
struct Row {
    std::string name;
    std::string facts;
    std::vector<Posed> poses;
};

/// A character's rows. They show its meshes, or its bones if it has no meshes.
class Character {
  public:
    Character(const Previewed& item, DrawingEffort& effort)
        : item_(item),
          effort_(&effort),
          skeleton_(*item.asset.skeleton),
          view_(item.front.turned(kFromTheSide)),
          baker_(item.asset) {
        for (const BodySide side : item.sides)
            styles_.push_back(styleOf(side));
        const std::vector<std::uint32_t> numbers = core::numbersOf(item.asset.clips);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            rows_.push_back(rowOf(item.asset.clips[i], numbers[i]));
        if (rows_.empty())
            rows_.push_back({"rest pose", "", {posed(core::restPose(skeleton_))}});
        scale_ = scaleOfAll();
    }

    [[nodiscard]] std::size_t rowCount() const { return rows_.size(); }

    /// Draws everything except meshes.
    void draw(Canvas& canvas, std::size_t number, double top) const {
        const Row& row = rows_[number];
        canvas.text({kSheetMargin, top + kCell / 2}, row.name, kSheetLetters, kInk);
        canvas.text({kSheetMargin, top + kCell / 2 + 1.3 * kSheetLetters}, row.facts, 0.85 * kSheetLetters, kFaint);
        for (std::size_t i = 0; i < row.poses.size(); ++i) {
            const Placement placement = placementOf(row, i, top);
            const double ground = placement.ground();
            const double left = leftOf(i);
            if (ground <= top + kCell)
                canvas.line({left + 4, ground}, {left + kCell - 4, ground}, 1, kGround);
            if (!isDressed()) {
                StickFigure figure = row.poses[i].bones;
                figure.move(placement);
                canvas.within({left, top}, {kCell, kCell}, [&] { figure.draw(canvas, skeleton_, styles_); });
            }
        }
    }

    void drawMeshes(pictures::Picture& sheet, std::size_t number, double top) const {
        const Row& row = rows_[number];
        for (std::size_t i = 0; i < row.poses.size() && isDressed(); ++i)
            dressed(row.poses[i].pose)
                .draw(sheet, {{leftOf(i), top}, {kCell, kCell}}, placementOf(row, i, top), *effort_);
    }

  private:
    static constexpr double kFromTheSide = 35;

    /// A margin around joints for the thickness of bones.
    [[nodiscard]] double spare() const { return isDressed() ? 0 : 6; }
    [[nodiscard]] bool isDressed() const { return !item_.asset.meshes.empty(); }
    static double leftOf(std::size_t pose) { return kSheetLabelWidth + static_cast<double>(pose) * kCell; }

    [[nodiscard]] MeshFigure dressed(const core::Pose& pose) const {
        return {item_.asset, baker_.posed(skeleton_, pose), view_, *effort_};
    }

    [[nodiscard]] Posed posed(core::Pose pose) const {
        StickFigure bones(skeleton_, pose, view_);
        const std::optional<Extent> mesh = isDressed() ? dressed(pose).extent() : std::nullopt;
        const Extent extent = mesh.value_or(bones.extent());
        return {std::move(pose), std::move(bones), extent};
    }

    [[nodiscard]] Row rowOf(const core::Clip& clip, std::uint32_t number) const {
        Row row{fmt::format("{}  {}", number, clip.name),
                fmt::format("{} frame{}, {:.2f} s", clip.frames, clip.frames == 1 ? "" : "s", clip.duration),
                {}};
        const std::size_t poses = std::min<std::size_t>(kPoses, std::max(1U, clip.frames));
        for (std::size_t i = 0; i < poses; ++i) {
            const double share = poses == 1 ? 0 : static_cast<double>(i) / static_cast<double>(poses - 1);
            row.poses.push_back(posed(core::samplePose(skeleton_, clip, share * clip.duration)));
        }
        return row;
    }

    /// The scale, in pixels per metre, that fits all poses into their cells. It is at least half the scale that fits
    /// nine of ten poses: so a weapon that flies far away is clipped, and the other poses stay large.
    [[nodiscard]] double scaleOfAll() const {
        const double room = kCell - 8 - spare();
        std::vector<double> scales;
        for (const Row& row : rows_)
            for (const Posed& figure : row.poses)
                scales.push_back(figure.extent.scaleFor({{0, 0}, {room, room}}));
        const auto tenth = scales.begin() + static_cast<std::ptrdiff_t>(scales.size() / 10);
        std::nth_element(scales.begin(), tenth, scales.end());
        return std::max(*tenth / 2, *std::min_element(scales.begin(), scales.end()));
    }

    [[nodiscard]] Placement placementOf(const Row& row, std::size_t pose, double top) const {
        return Placement::onGround(row.poses[pose].extent,
                                   {{leftOf(pose), top + spare()}, {kCell, kCell - 6 - spare()}}, scale_);
    }

    const Previewed& item_;
    DrawingEffort* effort_;
    const core::Skeleton& skeleton_;
    View view_;
    core::RestBaker baker_;
    std::vector<JointStyle> styles_;
    std::vector<Row> rows_;
    double scale_ = 1;
};

// ---------------------------------------------------------------------------------------------------------------------
// A video

/// Shrinks a picture to fit in a cell, by leaving out pixels evenly.
pictures::Picture thumbnail(const pictures::Picture& picture) {
    const std::uint32_t step = std::max({1U, static_cast<std::uint32_t>(std::ceil(picture.width / kCell)),
                                         static_cast<std::uint32_t>(std::ceil(picture.height / kCell))});
    pictures::Picture small{(picture.width + step - 1) / step, (picture.height + step - 1) / step, {}};
    for (std::uint32_t y = 0; y < picture.height; y += step)
        for (std::uint32_t x = 0; x < picture.width; x += step)
            small.pixels.push_back(picture.at(x, y));
    return small;
}

/// The positions of a video's frames on the sheet.
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
        const std::size_t row = i / kPoses;
        placed.push_back({static_cast<std::uint32_t>(kSheetLabelWidth + static_cast<double>(i % kPoses) * (kCell + 1)),
                          static_cast<std::uint32_t>(top + static_cast<double>(row) * (kCell + 1)),
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
    std::size_t rows = 0;
    for (const Previewed& item : items)
        rows += rowCount(item);
    const double heads = kSheetMargin + static_cast<double>(items.size()) * kHead;
    const double height = heads + static_cast<double>(rows) * (kCell + 1);
    if (height > kMostHeight)
        throw core::DecodeError({},
                                fmt::format("{} clips of {} character{} are too many, because a sheet has room for {}",
                                            rows, items.size(), items.size() == 1 ? "" : "s",
                                            std::max(0, static_cast<int>((kMostHeight - heads) / (kCell + 1)))),
                                core::DecodeError::Kind::limit)
            .withHint({"clip", "SEL"});
    return height;
}

}  // namespace

pictures::Picture contactSheet(std::span<const Previewed> items, const std::function<void()>& step) {
    const double width = kSheetLabelWidth + static_cast<double>(kPoses) * (kCell + 1) + kSheetMargin;
    Canvas canvas(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(heightOf(items)), kPaper);
    std::vector<PlacedFrame> frames;
    DrawingEffort effort;
    std::list<std::pair<Character, double>> characters;  // each character with its top edge on the sheet
    double top = kSheetMargin;
    for (const Previewed& item : items) {
        canvas.text({kSheetMargin, top + kSheetLetters}, core::printable(item.name), 1.2 * kSheetLetters, kInk);
        top += kHead;
        if (item.asset.video) {
            const core::ImageSequence& images = *item.asset.video;
            canvas.text({kSheetMargin, top + kSheetLetters}, fmt::format("{} frames", images.count),
                        0.85 * kSheetLetters, kFaint);
            addFrames(images, top, frames);
            top += static_cast<double>(rowCount(item)) * (kCell + 1);
            continue;
        }
        const Character& character = characters.emplace_back(Character(item, effort), top).first;
        for (std::size_t row = 0; row < character.rowCount(); ++row, top += kCell + 1)
            character.draw(canvas, row, top);
    }
    pictures::Picture sheet = canvas.picture();
    for (const auto& [character, begin] : characters) {
        for (std::size_t row = 0; row < character.rowCount(); ++row)
            character.drawMeshes(sheet, row, begin + static_cast<double>(row) * (kCell + 1));
        if (step)
            step();
    }
    for (const PlacedFrame& frame : frames)
        for (std::uint32_t y = 0; y < frame.picture.height; ++y)
            for (std::uint32_t x = 0; x < frame.picture.width; ++x)
                sheet.at(frame.left + x, frame.top + y) = frame.picture.at(x, y);
    return sheet;
}

}  // namespace reanima::drawing
