// Standing feet stay in their place. The walkers' angles come from the law of cosines, in metres. The expected values
// follow from the positions of their feet.

#include "binding/plant_feet.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

namespace reanima::walkers {
namespace {

using core::Clip;
using core::Skeleton;
using roles::Anatomy;
using roles::Part;
using roles::Side;

constexpr float kAnkle = 0.08F;  // above the ground
constexpr std::uint32_t kFrames = 60;
constexpr std::uint32_t kHips = 0;
constexpr std::uint32_t kLeft = 1;  // thigh, shin, foot
constexpr std::uint32_t kRight = 4;
constexpr std::uint32_t kAim = 7;  // a target of inverse kinematics beside the body

struct Walker {
    Skeleton skeleton{};
    Anatomy roles{};

    void add(Part part, Side side, int parent, const glm::vec3& from) {
        core::Joint joint;
        joint.name = "joint" + std::to_string(skeleton.joints.size());
        joint.parent = parent;
        joint.rest.translation = from;
        skeleton.joints.push_back(joint);
        roles.roles.push_back({part, side, 0});
    }
};

Walker walkerOf(float thigh, float shin) {
    Walker walker;
    walker.skeleton.hasRest = true;
    walker.add(Part::hips, Side::middle, core::kNoParent, {0, thigh + shin + kAnkle, 0});
    for (const Side side : {Side::left, Side::right}) {
        const int first = static_cast<int>(walker.skeleton.joints.size());
        walker.add(Part::upperLeg, side, 0, {side == Side::left ? 0.1F : -0.1F, 0, 0});
        walker.add(Part::lowerLeg, side, first, {0, -thigh, 0});
        walker.add(Part::foot, side, first + 1, {0, -shin, 0});
    }
    walker.add(Part::ik, Side::left, core::kNoParent, {0.1F, kAnkle, 0});
    return walker;
}

constexpr float kThigh = 0.5F;
constexpr float kShin = 0.4F;

/// The height of a point, and how far in front it is.
struct Place {
    double y;
    double z;
};
using Path = std::function<Place(std::uint32_t frame)>;

glm::quat aboutX(double angle) {
    return {static_cast<float>(std::cos(angle / 2)), static_cast<float>(std::sin(angle / 2)), 0, 0};
}

/// A leg with a given ankle position, with the knee to the front and a level foot.
void addLeg(Clip& clip, std::uint32_t first, const Path& hips, const Path& ankle) {
    std::array<core::JointTrack, 3> tracks;
    for (std::uint32_t joint = 0; joint < 3; ++joint)
        tracks[joint].joint = first + joint;
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
        const double y = ankle(frame).y - hips(frame).y;
        const double z = ankle(frame).z - hips(frame).z;
        const double line = std::atan2(-z, -y);
        const double d = std::hypot(y, z);
        const double a = kThigh;
        const double b = kShin;
        const double thigh = line - std::acos((a * a + d * d - b * b) / (2 * a * d));
        const double shin = line + std::acos((b * b + d * d - a * a) / (2 * b * d));
        tracks[0].rotation.values.push_back(aboutX(thigh));
        tracks[1].rotation.values.push_back(aboutX(shin - thigh));
        tracks[2].rotation.values.push_back(aboutX(-shin));
    }
    for (core::JointTrack& track : tracks)
        clip.tracks.push_back(std::move(track));
}

Clip walkOf(const Path& hips, const Path& left, const Path& right) {
    Clip clip;
    clip.frames = kFrames;
    clip.timelines = {core::frameTimes(kFrames, clip.rate)};
    core::JointTrack track;
    track.joint = kHips;
    for (std::uint32_t frame = 0; frame < kFrames; ++frame)
        track.translation.values.emplace_back(0, hips(frame).y, hips(frame).z);
    clip.tracks.push_back(std::move(track));
    addLeg(clip, kLeft, hips, left);
    addLeg(clip, kRight, hips, right);
    return clip;
}

glm::dmat4 globalOf(const Skeleton& skeleton, const Clip& clip, std::uint32_t joint, std::uint32_t frame) {
    const core::Pose pose = core::samplePose(skeleton, clip, static_cast<double>(core::frameTime(frame, clip.rate)));
    return core::globalMatrices(skeleton, pose)[joint];
}

class PlantedFeet : public testing::Test {
  protected:
    void bind(const Path& hips, const Path& left, const Path& right, float lift = 0) {
        for (std::uint32_t joint = 0; joint < kAim; ++joint)
            binding_.links.push_back({joint, joint});
        binding_.reference = core::restPose(source_.skeleton);
        binding_.ikTargets = {{kAim, kLeft + 2}};
        clips_ = {walkOf(hips, left, right)};
        if (kneeTurn_)
            turnKnee(clips_[0]);
        bound_ = motion::bindClips(source_.skeleton, clips_, target_.skeleton, binding_);
        for (glm::vec3& place : bound_.clips[0].trackOf(kHips)->translation.values)
            place.y += lift;
        before_ = bound_.clips[0];
    }

    std::size_t plant(std::optional<double> window = {}, const binding::Ground* ground = nullptr) {
        return binding::plantFeet({source_.skeleton, source_.roles, target_.roles, binding_, ground}, clips_, bound_,
                                  {}, window);
    }

    [[nodiscard]] glm::dvec3 before(std::uint32_t joint, std::uint32_t frame) const {
        return globalOf(bound_.skeleton, before_, joint, frame)[3];
    }
    [[nodiscard]] glm::dvec3 after(std::uint32_t joint, std::uint32_t frame) const {
        return globalOf(bound_.skeleton, bound_.clips[0], joint, frame)[3];
    }

    void expectStill(std::uint32_t joint, std::uint32_t first, std::uint32_t last, double height) const {
        for (std::uint32_t frame = first; frame <= last; ++frame) {
            EXPECT_LT(glm::distance(after(joint, frame), after(joint, first)), 1e-4) << frame;
            EXPECT_NEAR(after(joint, frame).y, height, 1e-4) << frame;
        }
    }

    void expectNoneMuchFaster() const {
        for (std::uint32_t joint = 0; joint < kAim; ++joint) {
            double was = 0;
            double is = 0;
            for (std::uint32_t frame = 1; frame < kFrames; ++frame) {
                was = std::max(was, glm::distance(before(joint, frame), before(joint, frame - 1)));
                is = std::max(is, glm::distance(after(joint, frame), after(joint, frame - 1)));
            }
            EXPECT_LE(is, 1.5 * was + 1e-6) << joint;
        }
    }

    /// Rotates the plane in which the left leg bends, about a vertical line.
    void turnKnee(Clip& clip) const {
        for (std::uint32_t joint = kLeft; joint < kLeft + 3; ++joint)
            for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
                const glm::quat turn = glm::angleAxis(static_cast<float>(kneeTurn_(frame)), glm::vec3(0, 1, 0));
                glm::quat& rotation = clip.tracks[joint].rotation.values[frame];
                rotation = turn * rotation * glm::conjugate(turn);
            }
    }

    std::function<double(std::uint32_t frame)> kneeTurn_;
    Walker source_ = walkerOf(kThigh, kShin);
    Walker target_ = walkerOf(kShin, kThigh);  // other proportions
    motion::Binding binding_;
    std::vector<Clip> clips_;
    motion::BoundMotion bound_;
    Clip before_;
};

Place swaying(std::uint32_t frame) { return {0.84 + kAnkle, 0.1 * std::sin(2 * std::numbers::pi * frame / 40)}; }
Place standing(std::uint32_t) { return {kAnkle, 0}; }

/// Stands, takes a step of 0.3 m from frame 20 to 40, and stands again.
Place stepping(std::uint32_t frame) {
    const double share = std::clamp((frame - 20.0) / 20, 0.0, 1.0);
    return {kAnkle + 0.15 * std::sin(std::numbers::pi * share), 0.3 * share - 0.15};
}

TEST_F(PlantedFeet, StayWhereTheyStand) {
    bind(swaying, standing, stepping);
    EXPECT_GT(glm::distance(before(kLeft + 2, 0), before(kLeft + 2, 10)), 0.005);
    EXPECT_EQ(plant(), 2U);
    expectStill(kLeft + 2, 0, kFrames - 1, kAnkle);
    expectStill(kRight + 2, 0, 20, kAnkle);
    expectStill(kRight + 2, 40, kFrames - 1, kAnkle);
    EXPECT_NEAR(after(kRight + 2, 50).z - after(kRight + 2, 10).z, 0.3, 0.03);
}

TEST_F(PlantedFeet, ChangeNothingWhereTheyMove) {
    bind(swaying, standing, stepping);
    (void)plant();
    for (std::uint32_t frame = 26; frame < 35; ++frame)
        for (std::uint32_t joint = kRight; joint < kRight + 3; ++joint)
            EXPECT_EQ(bound_.clips[0].trackOf(joint)->rotation.values[frame],
                      before_.trackOf(joint)->rotation.values[frame])
                << joint << " " << frame;
    EXPECT_EQ(bound_.clips[0].trackOf(kHips)->translation.values, before_.trackOf(kHips)->translation.values);
}

TEST_F(PlantedFeet, KeepTheirTurnAndTheKneesTheirSide) {
    bind(swaying, standing, stepping);
    (void)plant();
    for (std::uint32_t frame = 0; frame < kFrames; ++frame)
        for (const std::uint32_t leg : {kLeft, kRight}) {
            const glm::dmat4 was = globalOf(bound_.skeleton, before_, leg + 2, frame);
            const glm::dmat4 is = globalOf(bound_.skeleton, bound_.clips[0], leg + 2, frame);
            EXPECT_LT(core::degreesBetween(was, is), 0.01);
            const glm::dvec3 line = glm::normalize(after(leg + 2, frame) - after(leg, frame));
            const glm::dvec3 knee = core::across(after(leg + 1, frame) - after(leg, frame), line);
            EXPECT_GT(knee.z, 0.01);
            EXPECT_NEAR(knee.x, 0, 1e-4);
        }
}

TEST_F(PlantedFeet, MoveNoJointMuchFaster) {
    bind(swaying, standing, stepping);
    (void)plant();
    expectNoneMuchFaster();
}

TEST_F(PlantedFeet, AreLedMoreSlowlyWhereALegWouldHurry) {
    const auto upright = [](std::uint32_t) { return Place{0.85 + kAnkle, 0}; };
    const auto rising = [](std::uint32_t frame) {
        const double share = std::sin(std::numbers::pi * frame / (kFrames - 1));
        return Place{kAnkle + 0.09 * share * share, 0};
    };
    bind(upright, rising, standing, 0.02F);
    (void)plant();
    expectNoneMuchFaster();
    EXPECT_NEAR(after(kLeft + 2, 0).y, kAnkle, 5e-3);
    EXPECT_NEAR(after(kRight + 2, 30).y, kAnkle, 1e-3);
}

TEST_F(PlantedFeet, SwingNoKneeThatIsNearlyStraight) {
    kneeTurn_ = [](std::uint32_t frame) { return 0.5 * std::sin(2 * std::numbers::pi * frame / 20); };
    const auto upright = [](std::uint32_t) { return Place{0.897 + kAnkle, 0}; };
    bind(upright, standing, standing, -0.02F);
    (void)plant();
    expectNoneMuchFaster();
    expectStill(kLeft + 2, 0, kFrames - 1, kAnkle);
    for (std::uint32_t frame = 0; frame < kFrames; ++frame)
        EXPECT_GT(after(kLeft + 1, frame).z, 0.05) << frame;
}

TEST_F(PlantedFeet, TakeTheTargetsOfInverseKinematicsAlong) {
    bind(swaying, standing, stepping);
    const glm::dvec3 way = before(kAim, 10) - before(kLeft + 2, 10);
    (void)plant();
    for (const std::uint32_t frame : {0U, 10U, 33U})
        EXPECT_LT(glm::distance(after(kAim, frame) - after(kLeft + 2, frame), way), 1e-4);
}

TEST_F(PlantedFeet, ArePulledAlongByWhatTheSourceSlides) {
    const auto sliding = [](std::uint32_t frame) { return Place{kAnkle, 0.1 * frame / 30 - 0.1}; };
    bind(swaying, sliding, standing);
    (void)plant();
    const double slid = 0.1 * (kFrames - 1) / 30;
    EXPECT_NEAR(after(kLeft + 2, kFrames - 1).z - after(kLeft + 2, 0).z, slid - 0.0125 * 0.9, 1e-4);
    EXPECT_LT(glm::distance(after(kLeft + 2, 0), after(kLeft + 2, 3)), 1e-4);
}

/// A point above the hips, and one below each ankle, at a distance of `sole`.
core::BodySurface surfaceOf(const Walker& walker, float sole) {
    core::BodySurface surface;
    surface.points.resize(walker.skeleton.joints.size());
    surface.points[kHips].emplace_back(0, 0.1F, 0);
    for (const std::uint32_t foot : {kLeft + 2, kRight + 2})
        surface.points[foot].emplace_back(0, -sole, 0.1F);
    return surface;
}

TEST_F(PlantedFeet, StandOnTheirMeshes) {
    constexpr float kSole = 0.05F;  // of the target, which floats in its rest pose
    bind(swaying, standing, stepping, kSole - kAnkle);
    const core::BodySurface ofSource = surfaceOf(source_, kAnkle);
    const core::BodySurface ofTarget = surfaceOf(target_, kSole);
    std::vector<core::Pose> poses;
    for (std::uint32_t frame = 0; frame < kFrames; ++frame)
        poses.push_back(core::samplePose(source_.skeleton, clips_[0], frame / clips_[0].rate));
    const binding::Ground ground({source_.skeleton, source_.roles, ofSource}, poses,
                                 {target_.skeleton, target_.roles, ofTarget}, 1);
    ASSERT_TRUE(ground.knowsMeshes());
    (void)plant({}, &ground);
    expectStill(kLeft + 2, 0, kFrames - 1, kSole);
    expectStill(kRight + 2, 0, 20, kSole);
}

TEST_F(PlantedFeet, AreThoseOfSomebodyWhoDoesNotSit) {
    const auto onTheGround = [](std::uint32_t) { return Place{0.2, -0.5}; };
    bind(onTheGround, standing, standing, 0.02F);
    (void)plant();
    for (const std::uint32_t frame : {0U, 30U, kFrames - 1})
        EXPECT_LT(glm::distance(after(kLeft + 2, frame), before(kLeft + 2, frame)), 1e-6);
}

TEST_F(PlantedFeet, LowerAFigureWhoseLegsAreTooShort) {
    const auto upright = [](std::uint32_t) { return Place{0.899 + kAnkle, 0}; };
    bind(upright, standing, standing, 0.03F);
    (void)plant();
    for (const std::uint32_t frame : {0U, 30U, kFrames - 1}) {
        EXPECT_NEAR(before(kHips, frame).y - after(kHips, frame).y, 0.02 * 0.9, 1e-4);
        EXPECT_NEAR(after(kLeft + 2, frame).y - kAnkle, 0.03 - 0.02 * 0.9 - 0.001, 1e-3);
    }
}

TEST_F(PlantedFeet, SlideLessByWhatTheMeanAroundThemLacks) {
    bind(swaying, standing, standing);
    (void)plant(10.0 / 30);
    const auto slid = [](const auto& place) {  // over a whole period, whose frames all have ten others on either side
        double least = 1;
        double most = -1;
        for (std::uint32_t frame = 10; frame < 50; ++frame) {
            least = std::min(least, place(frame).y);
            most = std::max(most, place(frame).y);
        }
        return most - least;
    };
    // For a sine with a period of 40 frames, this is the weighted mean over ten frames before and after.
    const double step = std::numbers::pi / 40;
    const double mean = std::pow(std::sin(11 * step) / (11 * std::sin(step)), 2);
    const double was = slid([this](std::uint32_t frame) { return before(kLeft + 2, frame); });
    const double is = slid([this](std::uint32_t frame) { return after(kLeft + 2, frame); });
    EXPECT_NEAR(is / was, mean, 0.02);
}

TEST_F(PlantedFeet, AreLeftAloneWhereNoLegIsKnown) {
    bind(swaying, standing, stepping);
    for (roles::Role& role : target_.roles.roles)
        if (role.part == Part::lowerLeg)
            role.part = Part::none;
    EXPECT_EQ(plant(), 0U);
    EXPECT_EQ(bound_.clips[0].timelines, before_.timelines);
    EXPECT_EQ(bound_.clips[0].tracks.size(), before_.tracks.size());
}

}  // namespace
}  // namespace reanima::walkers
