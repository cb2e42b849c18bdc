// Hips that rotate, while helpers rotate the thighs and the back in the opposite direction. Positions are chosen by
// hand, in metres.

#include "binding/pelvis.h"

#include <array>

#include <glm/gtc/quaternion.hpp>
#include <gmock/gmock.h>

#include "binding/roles/body_points.h"
#include "core/pose.h"

namespace reanima {
namespace {

using roles::Part;
using roles::Side;

constexpr std::uint32_t kPelvisHips = 0;
constexpr std::array<std::uint32_t, 3> kTurnedBack = {1, 3, 5};
constexpr std::array<std::uint32_t, 3> kThighsAndBack = {2, 4, 6};  // both thighs and the back
constexpr std::uint32_t kTurnFrames = 3;

const glm::quat kQuarterTurn = glm::angleAxis(glm::radians(90.0F), glm::vec3(0, 1, 0));

struct TurningBody {
    core::Skeleton skeleton{};
    roles::Anatomy roles{};
    std::vector<core::Clip> clips{};

    void add(const roles::Role& role, int parent, const glm::vec3& from) {
        core::Joint joint;
        joint.name = "joint" + std::to_string(skeleton.joints.size());
        joint.parent = parent;
        joint.rest.translation = from;
        skeleton.joints.push_back(joint);
        roles.roles.push_back(role);
    }

    [[nodiscard]] std::vector<glm::dmat4> at(std::uint32_t frame) const {
        const core::Pose pose = core::samplePose(skeleton, clips.front(), frame / clips.front().rate);
        return core::globalMatrices(skeleton, pose);
    }
};

TurningBody turningBody() {
    TurningBody body;
    body.add({Part::hips, Side::middle, 0}, core::kNoParent, {0, 1, 0});
    for (const Side side : {Side::left, Side::right}) {
        body.add({}, 0, {0, 0, 0});
        body.add({Part::upperLeg, side, 0}, static_cast<int>(body.skeleton.joints.size()) - 1,
                 {side == Side::left ? 0.1F : -0.1F, -0.1F, 0});
    }
    body.add({}, 0, {0, 0, 0});
    body.add({Part::spine, Side::middle, 0}, 5, {0, 0.2F, 0});

    core::Clip clip;
    clip.name = "turn";
    clip.rate = 30;
    clip.frames = kTurnFrames;
    clip.duration = 2.0 / 30;
    clip.timelines = {{0, 1.0F / 30, 2.0F / 30}};
    const auto turns = [](std::uint32_t joint, const glm::quat& last) {
        core::JointTrack track;
        track.joint = joint;
        track.rotation.values = {glm::quat(1, 0, 0, 0), glm::slerp(glm::quat(1, 0, 0, 0), last, 0.5F), last};
        return track;
    };
    clip.tracks = {turns(kPelvisHips, kQuarterTurn)};
    for (const std::uint32_t helper : kTurnedBack)
        clip.tracks.push_back(turns(helper, glm::inverse(kQuarterTurn)));
    body.clips = {clip};
    return body;
}

bool turnHips(TurningBody& body, const core::Limits& limits = {}) {
    return binding::turnHipsAsPelvis(body.skeleton, body.clips, body.roles,
                                     roles::sampledPoses(body.skeleton, body.clips), limits);
}

TEST(Pelvis, HipsThatHelpersTurnBackRest) {
    TurningBody body = turningBody();
    std::vector<std::vector<glm::dmat4>> before;
    for (std::uint32_t frame = 0; frame < kTurnFrames; ++frame)
        before.push_back(body.at(frame));
    ASSERT_TRUE(turnHips(body));
    const glm::dmat4 first = body.at(0)[kPelvisHips];
    for (std::uint32_t frame = 0; frame < kTurnFrames; ++frame) {
        const std::vector<glm::dmat4> now = body.at(frame);
        for (const std::uint32_t joint : kThighsAndBack)
            for (int column = 0; column < 4; ++column)
                EXPECT_LT(glm::distance(now[joint][column], before[frame][joint][column]), 1e-5) << frame;
        for (int column = 0; column < 4; ++column)
            EXPECT_LT(glm::distance(now[kPelvisHips][column], first[column]), 1e-5) << frame;
    }
}

TEST(Pelvis, HipsThatCarryThighsAndBackStay) {
    TurningBody body = turningBody();
    body.clips.front().tracks.resize(1);  // only the hips have a track, so thighs and back rotate with them
    EXPECT_FALSE(turnHips(body));
}

TEST(Pelvis, TurnsCountTowardsTheLimitOnMemory) {
    TurningBody body = turningBody();
    core::Limits limits;
    limits.memory = 100;
    try {
        turnHips(body, limits);
        FAIL() << "no error";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_THAT(error.what(), testing::HasSubstr("the turns of the pelvis"));
    }
}

}  // namespace
}  // namespace reanima
