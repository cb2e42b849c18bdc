#include <cmath>
#include <numbers>
#include <random>
#include <sstream>

#include <gmock/gmock.h>

#include "core/clip.h"
#include "pipeline/bvh_file.h"

namespace reanima {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::Pointwise;

constexpr double kRadians = std::numbers::pi / 180;

/// A rotation about an axis, in degrees, by libm.
glm::dquat about(int axis, double degrees) {
    const double half = degrees * kRadians / 2;
    glm::dquat turn(std::cos(half), 0, 0, 0);
    (axis == 0 ? turn.x : axis == 1 ? turn.y : turn.z) = std::sin(half);
    return turn;
}

core::Joint joint(const std::string& name, int parent, const glm::vec3& place) {
    core::Joint made;
    made.name = name;
    made.parent = parent;
    made.rest.translation = place;
    return made;
}

/// A clip of 10 frames per second in which joints rotate.
core::Clip clipOf(const std::vector<std::vector<glm::quat>>& rotations) {
    core::Clip clip;
    clip.name = "turns";
    clip.rate = 10;
    clip.frames = static_cast<std::uint32_t>(rotations.front().size());
    clip.timelines.push_back(core::frameTimes(clip.frames, clip.rate));
    clip.duration = static_cast<double>(clip.timelines.front().back());
    for (std::uint32_t index = 0; index < rotations.size(); ++index) {
        core::JointTrack track;
        track.joint = index;
        track.rotation.values = rotations[index];
        clip.tracks.push_back(track);
    }
    return clip;
}

std::string written(const core::Skeleton& skeleton, const core::Clip& clip, core::Diagnostics& diagnostics,
                    std::optional<std::uint32_t> hips = {}) {
    const std::vector<core::Clip> clips = {clip};
    return BvhWriter(skeleton, clips, core::restPose(skeleton), hips, diagnostics).textOf(clips.front(), {});
}

/// The numbers of all frames.
std::vector<std::vector<double>> framesOf(const std::string& text) {
    std::istringstream lines(text.substr(text.find("Frame Time:")));
    std::string line;
    std::getline(lines, line);
    std::vector<std::vector<double>> frames;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        frames.emplace_back();
        for (double number = 0; words >> number;)
            frames.back().push_back(number);
    }
    return frames;
}

TEST(BvhWriter, WritesAFileOfTwoJoints) {
    core::Skeleton skeleton;
    skeleton.joints = {joint("the hips", core::kNoParent, {0, 0.5F, 0}), joint("top", 0, {0, 0.25F, 0})};
    skeleton.joints[1].end = glm::vec3(0, 0, 0.1F);
    const glm::quat turned(about(2, 30) * about(0, 20) * about(1, 10));
    const core::Clip clip =
        clipOf({{glm::quat(1, 0, 0, 0), turned}, {glm::quat(1, 0, 0, 0), glm::quat(about(0, -45))}});
    core::Diagnostics diagnostics;
    const std::string text = written(skeleton, clip, diagnostics);
    EXPECT_EQ(text.substr(0, text.rfind('\n', text.size() - 2) + 1),
              "HIERARCHY\n"
              "ROOT the_hips\n"
              "{\n"
              "\tOFFSET 0.000000 0.000000 0.000000\n"
              "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
              "\tJOINT top\n"
              "\t{\n"
              "\t\tOFFSET 0.000000 25.000000 0.000000\n"
              "\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
              "\t\tEnd Site\n"
              "\t\t{\n"
              "\t\t\tOFFSET 0.000000 0.000000 10.000000\n"
              "\t\t}\n"
              "\t}\n"
              "}\n"
              "MOTION\n"
              "Frames: 2\n"
              "Frame Time: 0.1000000\n"
              "0.000000 50.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000\n");
    const std::vector<double> expected = {0, 50, 0, 30, 20, 10, 0, -45, 0};
    EXPECT_THAT(framesOf(text).back(), Pointwise(DoubleNear(1e-5), expected));  // keys are floats
    EXPECT_TRUE(diagnostics.warnings().empty());
}

/// Motions at random speeds about random axes through the pole (X a quarter turn in either direction), between two
/// frames or on one. Angles change little from frame to frame, and are right.
TEST(BvhWriter, MotionThroughThePoleStaysContinuous) {
    std::mt19937 random(36);
    std::uniform_real_distribution<double> part(-1, 1);
    constexpr int kFrames = 9;
    core::Skeleton skeleton;
    skeleton.joints = {joint("hips", core::kNoParent, {0, 1, 0})};
    for (int motion = 0; motion < 10000; ++motion) {
        const glm::dquat pole =
            about(2, 180 * part(random)) * about(0, part(random) < 0 ? -90 : 90) * about(1, 180 * part(random));
        const glm::dvec3 axis = glm::normalize(glm::dvec3(part(random), part(random), part(random)) + 1e-9);
        const double speed = 0.5 + 4 * std::abs(part(random));  // degrees a frame
        const double phase = motion % 10 == 0 ? 0 : part(random) / 2;
        std::vector<glm::quat> rotations;
        for (int frame = 0; frame < kFrames; ++frame)
            rotations.emplace_back(pole * glm::angleAxis((frame - kFrames / 2 + phase) * speed * kRadians, axis));
        for (std::size_t i = 1; i < rotations.size(); ++i)
            if (glm::dot(rotations[i], rotations[i - 1]) < 0)
                rotations[i] = -rotations[i];
        core::Diagnostics diagnostics;
        const std::vector<std::vector<double>> frames = framesOf(written(skeleton, clipOf({rotations}), diagnostics));
        ASSERT_EQ(frames.size(), rotations.size());
        for (std::size_t frame = 0; frame < frames.size(); ++frame) {
            const std::vector<double>& now = frames[frame];
            const glm::dquat read = about(2, now[3]) * about(0, now[4]) * about(1, now[5]);
            const glm::dquat off = glm::conjugate(read) * glm::normalize(glm::dquat(rotations[frame]));
            ASSERT_LT(2 * glm::length(glm::dvec3(off.x, off.y, off.z)) / kRadians, 0.00105) << motion << ' ' << frame;
            for (std::size_t angle = 3; frame > 0 && angle < 6; ++angle) {
                ASSERT_LT(std::abs(now[angle] - frames[frame - 1][angle]), 2 * speed + 1)
                    << motion << ' ' << frame << ' ' << angle << ' ' << phase << ' ' << speed;
            }
        }
    }
}

TEST(BvhWriter, AnglesGoOnBeyondHalfATurn) {
    core::Skeleton skeleton;
    skeleton.joints = {joint("hips", core::kNoParent, {0, 1, 0})};
    std::vector<glm::quat> rotations;
    for (int frame = 0; frame < 10; ++frame)
        rotations.emplace_back(about(1, 100.0 * frame));
    core::Diagnostics diagnostics;
    const auto frames = framesOf(written(skeleton, clipOf({rotations}), diagnostics));
    for (std::size_t frame = 0; frame < frames.size(); ++frame)
        EXPECT_NEAR(frames[frame][5], 100.0 * static_cast<double>(frame), 1e-4);
}

/// The hips receive the motion of a ground joint. Messages report translations and scales below the hips, and joints
/// beside the hips.
TEST(BvhWriter, TheRootCarriesWhatMovesAboveIt) {
    core::Skeleton skeleton;
    skeleton.joints = {joint("ground", core::kNoParent, {0, 0, 0}), joint("hips", 0, {0, 1, 0}),
                       joint("chest", 1, {0, 0.3F, 0}), joint("weapon", core::kNoParent, {1, 0, 0})};
    core::Clip clip = clipOf({{glm::quat(1, 0, 0, 0), glm::quat(about(1, 90))}});
    clip.tracks[0].translation.values = {{0, 0, 0}, {0, 0, 2}};
    core::JointTrack hips;
    hips.joint = 1;
    hips.translation.values = {{0, 1, 0}, {0.5F, 0.75F, 0}};
    core::JointTrack chest;
    chest.joint = 2;
    chest.translation.values = {{0, 0.3F, 0}, {0, 0.4F, 0}};
    chest.scale.values = {{1, 1, 1}, {2, 2, 2}};
    clip.tracks.push_back(hips);
    clip.tracks.push_back(chest);
    core::Diagnostics diagnostics;
    const std::string text = written(skeleton, clip, diagnostics, 1);
    EXPECT_THAT(text, HasSubstr("ROOT hips\n"));
    EXPECT_THAT(text, HasSubstr("\t\tOFFSET 0.000000 30.000001 0.000000\n"));
    // Half a metre to the left of a body that is rotated to the left is half a metre back.
    const std::vector<double> expected = {0, 75, 150, 0, 0, 90, 0, 0, 0};
    EXPECT_THAT(framesOf(text).back(), Pointwise(DoubleNear(1e-5), expected));
    ASSERT_EQ(diagnostics.warnings().size(), 3u);
    EXPECT_EQ(
        diagnostics.warnings()[0].text,
        "a BVH file can only contain hips and the joints below it, so other joints are left out: weapon (1 joint)");
    EXPECT_EQ(diagnostics.warnings()[1].text,
              "a BVH file can't move joints relative to their parents, so these joints stay in place: chest (1 joint)");
    EXPECT_EQ(diagnostics.warnings()[2].text,
              "a BVH file can't scale joints, so these joints are not scaled: chest (1 joint)");
}

/// If the body is unknown, the motion of a joint below a still one is the root's, too.
TEST(BvhWriter, TheTopOfTheLargestTreeIsTheRoot) {
    core::Skeleton skeleton;
    skeleton.joints = {joint("prop", core::kNoParent, {0, 0, 0}), joint("world", core::kNoParent, {0, 0, 0}),
                       joint("body", 1, {0, 1, 0}), joint("tail", 2, {0, 0, -1})};
    core::Clip clip = clipOf({{glm::quat(1, 0, 0, 0), glm::quat(1, 0, 0, 0)}});
    core::JointTrack body;
    body.joint = 2;
    body.translation.values = {{0, 1, 0}, {0, 1, 1}};
    clip.tracks.push_back(body);
    core::Diagnostics diagnostics;
    EXPECT_THAT(written(skeleton, clip, diagnostics), HasSubstr("ROOT body\n"));
    ASSERT_EQ(diagnostics.warnings().size(), 1u);
    EXPECT_EQ(diagnostics.warnings()[0].text,
              "a BVH file can only contain body and the joints below it, so other joints are left out: prop (1 joint)");
}

TEST(BvhWriter, ALimitIsKept) {
    core::Skeleton skeleton;
    skeleton.joints = {joint("hips", core::kNoParent, {0, 1, 0})};
    core::Clip clip = clipOf({{glm::quat(1, 0, 0, 0)}});
    clip.rate = 1000;
    clip.duration = 1e6;
    core::Limits limits;
    limits.memory = 1 << 20;
    core::Diagnostics diagnostics;
    const std::vector<core::Clip> clips = {clip};
    const BvhWriter writer(skeleton, clips, core::restPose(skeleton), {}, diagnostics);
    try {
        (void)writer.textOf(clips.front(), limits);
        FAIL() << "written";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_THAT(error.what(), testing::StartsWith("the BVH file: "));
    }
}

}  // namespace
}  // namespace reanima
