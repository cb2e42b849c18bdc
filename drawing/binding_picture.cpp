#include "drawing/binding_picture.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <glm/geometric.hpp>

#include "core/pose.h"
#include "drawing/paper.h"
#include "drawing/stick_figure.h"
#include "pictures/canvas.h"

namespace reanima::drawing {

namespace {

using pictures::Align;
using pictures::Canvas;
using pictures::Rgba;

// Sizes in pixels.
constexpr double kMargin = 20;
constexpr double kTitle = 18;         // size of letters
constexpr double kLetters = 13;       // size of labels
constexpr double kLabelWidth = 230;   // width of a column of labels
constexpr double kFigureWidth = 380;  // between two columns
constexpr double kRestHeight = 640;
constexpr double kFrameHeight = 360;
constexpr double kSide = 2 * kLabelWidth + kFigureWidth;  // width of one skeleton with its labels

constexpr JointStyle kAlone = {{200, 200, 200, 255}, 1};

/// The colour of an item in a list. Neighbouring items have very different colours.
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

// ---------------------------------------------------------------------------------------------------------------------
// Labels

struct Label {
    std::string name;
    std::string role;
    glm::dvec2 joint;  ///< position of its joint
    Rgba colour;
    double height = 0;  ///< vertical position of the label
};

/// Arranges labels in a column. Each is as close to its joint's height as the others allow.
void spread(std::vector<Label>& labels, double top, double bottom, double apart) {
    std::ranges::stable_sort(labels, {}, [](const Label& label) { return label.joint.y; });
    double next = top;
    for (Label& label : labels) {
        label.height = std::max(label.joint.y, next);
        next = label.height + apart;
    }
    double limit = bottom;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        label->height = std::min(label->height, limit);
        limit = label->height - apart;
    }
}

/// The text, cut to this width.
std::string shortened(Canvas& canvas, std::string text, double size, double width) {
    if (canvas.widthOf(text, size) <= width)
        return text;
    while (!text.empty() && canvas.widthOf(text + "…", size) > width) {
        text.pop_back();
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U)  // inside a character
            text.pop_back();
    }
    return text + "…";
}

/// @param edge x of the labels' edge that faces the skeleton
void drawColumn(Canvas& canvas, std::vector<Label> labels, double edge, Align align, double top) {
    if (labels.empty())
        return;
    const double apart = std::min(kLetters * 1.25, kRestHeight / static_cast<double>(labels.size()));
    const double size = std::min(kLetters, apart * 0.8);
    const double outwards = align == Align::right ? -1 : 1;
    spread(labels, top + size, top + kRestHeight, apart);
    for (const Label& label : labels) {
        const glm::dvec2 at(edge, label.height);
        canvas.line(label.joint, at + glm::dvec2(-outwards * 4, -size / 3), 0.6, label.colour);
        const std::string name = shortened(canvas, label.name, size, kLabelWidth - kMargin);
        const double width = canvas.widthOf(name, size);
        canvas.text(at, name, size, kInk, align);
        const double left = kLabelWidth - kMargin - width - 6;
        if (left > 3 * size)
            canvas.text(at + glm::dvec2(outwards * (width + 6), 0), shortened(canvas, label.role, size * 0.85, left),
                        size * 0.85, kFaint, align);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// One of the two skeletons

struct Body {
    const core::Skeleton& skeleton;
    View view;
    std::uint32_t first;  ///< first joint of the body; the hips if they are linked
    std::vector<JointStyle> styles;
    std::vector<std::uint32_t> uncarried{};  ///< joints outside the body, which are on the ground
};

/// Joints between two linked joints, such as twist joints, look like the upper one: they are part of the limb.
void styleBetween(Body& body, const std::vector<roles::ProposedLink>& links, std::uint32_t motion::JointLink::*side) {
    std::set<std::uint32_t> linked;
    for (const roles::ProposedLink& link : links)
        linked.insert(link.link.*side);
    for (const std::uint32_t joint : linked) {
        std::vector<std::uint32_t> between;
        for (const std::uint32_t above : body.skeleton.ancestors(joint)) {
            if (linked.contains(above)) {
                for (const std::uint32_t part : between)
                    body.styles[part] = body.styles[above];
                break;
            }
            between.push_back(above);
        }
    }
}

Body bodyOf(const core::Skeleton& skeleton, const roles::Anatomy& anatomy,
            const std::vector<roles::ProposedLink>& links, std::uint32_t motion::JointLink::*side) {
    Body body{skeleton, View::ofFront(skeleton, anatomy), links.front().link.*side,
              std::vector<JointStyle>(skeleton.joints.size(), kAlone)};
    for (std::size_t i = 0; i < links.size(); ++i)
        body.styles[links[i].link.*side] = {colourOf(i), 3};
    std::vector<bool> isCarried;
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint) {
        const int parent = skeleton.joints[joint].parent;
        const bool isLinked = body.styles[joint].thickness != kAlone.thickness;
        isCarried.push_back(isLinked || (parent != core::kNoParent && isCarried[static_cast<std::size_t>(parent)]));
        if (!isCarried.back())
            body.uncarried.push_back(joint);
    }
    styleBetween(body, links, side);
    return body;
}

void drawAtRest(Canvas& canvas, const Body& body, const std::vector<roles::ProposedLink>& links,
                std::uint32_t motion::JointLink::*side, double left, double top) {
    StickFigure figure(body.skeleton, core::restPose(body.skeleton), body.view);
    figure.fit({{left + kLabelWidth + kMargin, top}, {kFigureWidth - 2 * kMargin, kRestHeight}});
    figure.draw(canvas, body.skeleton, body.styles);
    const double middle = left + kSide / 2;
    std::vector<Label> columns[2];
    std::vector<bool> isLabelled(body.skeleton.joints.size(), false);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const std::uint32_t joint = links[i].link.*side;
        if (isLabelled[joint])  // several joints may follow one joint of the source
            continue;
        isLabelled[joint] = true;
        const glm::dvec2& place = figure.joints[joint];
        columns[place.x < middle ? 0 : 1].push_back(
            {body.skeleton.joints[joint].name, roles::nameOf(links[i].role), place, body.styles[joint].colour});
    }
    drawColumn(canvas, std::move(columns[0]), left + kLabelWidth, Align::right, top);
    drawColumn(canvas, std::move(columns[1]), left + kSide - kLabelWidth, Align::left, top);
}

void drawPosed(Canvas& canvas, const Body& body, const View& view, const core::Pose& pose, const Box& box) {
    constexpr double kFromTheSide = 40;
    StickFigure figure(body.skeleton, pose, view.turned(kFromTheSide));
    for (const std::uint32_t joint : body.uncarried)  // shown apart, they would make the body look small
        figure.joints[joint] = figure.ends[joint] = figure.joints[body.first];
    figure.fit(box);
    figure.draw(canvas, body.skeleton, body.styles);
}

// ---------------------------------------------------------------------------------------------------------------------
// Moments

/// The positions of the joints relative to the first one.
std::vector<glm::dvec3> shapeOf(const core::Skeleton& skeleton, const core::Pose& pose) {
    const std::vector<glm::dmat4> globals = core::globalMatrices(skeleton, pose);
    std::vector<glm::dvec3> places;
    places.reserve(globals.size());
    for (const glm::dmat4& global : globals)
        places.emplace_back(global[3] - globals.front()[3]);
    return places;
}

double apart(const std::vector<glm::dvec3>& a, const std::vector<glm::dvec3>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += glm::distance(a[i], b[i]);
    return sum;
}

}  // namespace

std::vector<Moment> differentMoments(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                                     std::size_t count) {
    struct Candidate {
        Moment moment;
        std::vector<glm::dvec3> shape;
        double distance;  ///< from the nearest chosen moment
    };
    constexpr std::size_t kLooks = 200;
    const std::size_t each = std::max<std::size_t>(3, kLooks / std::max<std::size_t>(1, clips.size()));
    const std::vector<glm::dvec3> rest = shapeOf(source, core::restPose(source));
    std::vector<Candidate> candidates;
    for (std::size_t clip = 0; clip < clips.size() && candidates.size() < 2 * kLooks; ++clip) {
        const std::uint32_t frames = clips[clip].frames;
        const std::uint32_t step = std::max(1U, frames / static_cast<std::uint32_t>(each));
        for (std::uint32_t frame = 0; frame < frames; frame += step) {
            std::vector<glm::dvec3> shape =
                shapeOf(source, core::samplePose(source, clips[clip], frame / clips[clip].rate));
            const double distance = apart(shape, rest);
            candidates.push_back({{clip, frame}, std::move(shape), distance});
        }
    }
    std::vector<Moment> moments;
    while (moments.size() < std::min(count, candidates.size())) {
        const auto next = std::ranges::max_element(candidates, {}, &Candidate::distance);
        const std::vector<glm::dvec3> taken = next->shape;
        moments.push_back(next->moment);
        for (Candidate& candidate : candidates)
            candidate.distance =
                std::min(moments.size() == 1 ? 1e30 : candidate.distance, apart(candidate.shape, taken));
    }
    std::ranges::sort(moments, {}, [](const Moment& moment) { return std::pair(moment.clip, moment.frame); });
    return moments;
}

pictures::Picture drawBinding(const core::Skeleton& source, const core::Skeleton& rig, const std::string& rigName,
                              const roles::BothRoles& roles, const std::vector<roles::ProposedLink>& links,
                              const std::vector<PosedFrame>& frames) {
    constexpr double kHead = 2 * kMargin + kTitle;
    const double height = kHead + kRestHeight + kMargin + (frames.empty() ? 0 : kHead + kFrameHeight);
    Canvas canvas(static_cast<std::uint32_t>(2 * kSide), static_cast<std::uint32_t>(height), kPaper);
    const Body from = bodyOf(source, roles.source, links, &motion::JointLink::source);
    const Body to = bodyOf(rig, roles.rig, links, &motion::JointLink::target);
    const auto title = [&](const std::string& text, double x, double y) {
        canvas.text({x, y}, text, kTitle, kInk, Align::centre);
    };
    title(source.name, kSide / 2, kMargin + kTitle);
    title(rigName, 1.5 * kSide, kMargin + kTitle);
    drawAtRest(canvas, from, links, &motion::JointLink::source, 0, kHead);
    drawAtRest(canvas, to, links, &motion::JointLink::target, kSide, kHead);
    std::vector<core::Pose> ofSource;
    std::vector<core::Pose> ofRig;
    for (const PosedFrame& frame : frames) {
        ofSource.push_back(frame.source);
        ofRig.push_back(frame.rig);
    }
    const View ahead = View::ofMotion(source, roles.source, ofSource);
    const View aheadOnRig = View::ofMotion(rig, roles.rig, ofRig);
    const double top = kHead + kRestHeight + kMargin;
    const double width = 2 * kSide / static_cast<double>(std::max<std::size_t>(1, frames.size()));
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const double left = static_cast<double>(i) * width;
        const glm::dvec2 half(width / 2 - 2 * kMargin, kFrameHeight - kMargin);
        title(frames[i].caption, left + width / 2, top + kMargin + kTitle);
        drawPosed(canvas, from, ahead, frames[i].source, {{left + kMargin, top + kHead}, half});
        drawPosed(canvas, to, aheadOnRig, frames[i].rig, {{left + width / 2 + kMargin, top + kHead}, half});
    }
    return canvas.picture();
}

}  // namespace reanima::drawing
