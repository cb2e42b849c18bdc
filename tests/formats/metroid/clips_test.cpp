#include "formats/metroid/animation/clips.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/pose.h"
#include "core/validate.h"
#include "formats/load.h"
#include "formats/naming.h"
#include "support/bytes.h"
#include "support/files.h"

namespace reanima::metroid {
namespace {

namespace fs = std::filesystem;
using core::Asset;
using core::Clip;
using test::Surroundings;

const fs::path kSamples = test::sourceFolder() / "samples/metroid";

/// Type 0 with the rotations of one bone, a key in every frame, 10 frames per second.
Animation turning(const std::vector<std::array<float, 4>>& rotations) {
    Animation animation;
    animation.interval = 0.1F;
    ArrayAnimation arrays;
    arrays.keyCount = static_cast<std::uint32_t>(rotations.size());
    arrays.slots = {0};
    arrays.translationOf = {kNoChannel};
    arrays.rotations = rotations;
    animation.content = arrays;
    return animation;
}

/// W X Y Z of a rotation about Z, not normalized in sign: above half a turn W is negative.
std::array<float, 4> aboutZ(double degrees) {
    const double half = degrees * 3.14159265358979323846 / 360;
    return {static_cast<float>(std::cos(half)), 0, 0, static_cast<float>(std::sin(half))};
}

Cinf oneBone() {
    Cinf cinf;
    cinf.bones.push_back({0, 97, {}, {}, {}});
    return cinf;
}

struct Result {
    Asset asset;
    std::vector<std::string> messages;
};

Result convert(const Animation& animation, const Cinf* cinf, ClipSettings settings = {}) {
    settings.name = "turn";
    Surroundings surroundings;
    Result result{toAsset(animation, cinf, nullptr, settings, surroundings.limits, surroundings.diagnostics), {}};
    for (const core::Warning& warning : surroundings.diagnostics.warnings())
        result.messages.push_back(warning.message());
    EXPECT_EQ(core::validate(result.asset), std::vector<std::string>());
    return result;
}

/// The rotation of joint 0 about the output's Y in degrees, 0 to 360. The game's Z points up.
double turnAt(const Asset& asset, double time) {
    const glm::quat q = core::samplePose(*asset.skeleton, asset.clips.front(), time)[0].rotation;
    const double degrees =
        2 * std::atan2(static_cast<double>(q.y), static_cast<double>(q.w)) * 180 / 3.14159265358979323846;
    return degrees < -1e-3 ? degrees + 360 : degrees;
}

TEST(LongWay, IsTakenAsTheSignsSay) {
    const Cinf cinf = oneBone();
    const Result result = convert(turning({aboutZ(0), aboutZ(270), aboutZ(270), aboutZ(300)}), &cinf);
    const Clip& clip = result.asset.clips.front();
    const core::JointTrack& track = clip.tracks.front();
    EXPECT_EQ(track.rotation.values.size(), 7U);
    EXPECT_EQ(result.messages,
              std::vector<std::string>{"note: 3 keys were inserted between the keys of the file, because in the game, "
                                       "1 rotations turn by more than half a turn between two keys"});
    for (const double share : {0.1, 0.25, 0.4, 0.5, 0.7, 0.9})
        EXPECT_NEAR(turnAt(result.asset, 0.1 * share), 270 * share, 0.01) << share;
    EXPECT_NEAR(turnAt(result.asset, 0.25), 285, 0.01);
    for (std::size_t key = 1; key < track.rotation.values.size(); ++key)
        EXPECT_GE(glm::dot(track.rotation.values[key - 1], track.rotation.values[key]), 0.7F);
}

TEST(LongWay, IsNotTakenWhereNothingTellsIt) {
    const Cinf cinf = oneBone();
    const Result result = convert(turning({aboutZ(30), aboutZ(390)}), &cinf);  // the negative of the first one
    EXPECT_EQ(result.messages, std::vector<std::string>());
    EXPECT_NEAR(turnAt(result.asset, 0.05), 30, 0.01);
}

TEST(LongWay, HalfATurnIsKept) {
    const Cinf cinf = oneBone();
    const Result result = convert(turning({aboutZ(0), aboutZ(180), aboutZ(359)}), &cinf);
    for (const double frame : {0.25, 0.5, 1.0})
        EXPECT_NEAR(turnAt(result.asset, 0.1 * frame), 180 * frame, 0.01) << frame;
    EXPECT_NEAR(turnAt(result.asset, 0.15), 269.5, 0.01);
}

TEST(Rotations, ThatAreAllZeroBecomeTheIdentity) {
    const Cinf cinf = oneBone();
    const Result result = convert(turning({aboutZ(20), {0, 0, 0, 0}, aboutZ(10)}), &cinf);
    EXPECT_EQ(
        result.messages,
        std::vector<std::string>{"warning: rotations: 1 rotation keys are all zero and were replaced by the identity"});
    EXPECT_NEAR(turnAt(result.asset, 0.1), 0, 0.01);
}

TEST(Times, ThatFloatsCantTellApartAreRefused) {
    ClipSettings settings;
    settings.rate = std::ldexp(1.0, 200);  // frame 1 at 2^-200 s: floats are too coarse
    try {
        (void)convert(turning({aboutZ(0), aboutZ(1)}), nullptr, settings);
        FAIL() << "converted";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), "interval: is 6.223015277861142e-61, which leaves no distinct time for frame 1");
    }
}

TEST(Subdivide, AddsKeysOnTheWay) {
    const Cinf cinf = oneBone();
    ClipSettings settings;
    settings.subdivide = 45;
    const Result result = convert(turning({aboutZ(0), aboutZ(100)}), &cinf, settings);
    EXPECT_EQ(result.asset.clips[0].tracks[0].rotation.values.size(), 5U);  // halved twice: 25 degrees each
    EXPECT_NEAR(turnAt(result.asset, 0.03), 30, 0.01);
}

TEST(Keys, StandWhereTheFileHasThem) {
    Surroundings surroundings;
    const Asset asset = load(test::inputFrom(kSamples / "hero_idle.ANIM"), {}, surroundings.context);
    const Clip& clip = asset.clips.front();
    std::vector<float> expected;
    for (const int frame : {0, 4, 8, 16, 24, 32, 40, 46, 48})  // the last one is held to the end
        expected.push_back(static_cast<float>(frame * static_cast<double>(1.0F / 30)));
    EXPECT_EQ(clip.timelines.front(), expected);
    EXPECT_EQ(clip.rate, 30);
    EXPECT_EQ(clip.frames, 49U);
    EXPECT_EQ(clip.loop, false);
}

TEST(Rate, MovesKeysAndEvents) {
    Surroundings surroundings;
    surroundings.options.set("rate", 60);
    const Asset asset = load(test::inputFrom(kSamples / "hero_walk.ANIM"), {}, surroundings.context);
    EXPECT_EQ(asset.clips[0].rate, 60);
    EXPECT_NEAR(asset.clips[0].duration, 32 / 60.0, 1e-9);
    ASSERT_EQ(asset.clips[0].events.size(), 5U);
    EXPECT_NEAR(asset.clips[0].events[4].time, 0.375, 1e-6);
    EXPECT_EQ(asset.clips[0].loop, true);
}

TEST(Events, AreFoundByTheIdInTheFile) {
    Surroundings surroundings;
    const Asset asset = load(test::inputFrom(kSamples / "hero_attack.ANIM"), {}, surroundings.context);
    ASSERT_EQ(asset.clips[0].events.size(), 2U);
    EXPECT_EQ(asset.clips[0].events[0].name, "whoosh");
    EXPECT_EQ(asset.clips[0].events[0].time, 0.375);
    EXPECT_FALSE(asset.clips[0].loop.has_value());
}

struct Spelling {
    const char* name;
    const char* animation;
    std::set<std::string> beside;
    const char* skeleton;
    const char* events;
};
void PrintTo(const Spelling& c, std::ostream* out) { *out << c.name; }
class FoundCompanions : public testing::TestWithParam<Spelling> {};

TEST_P(FoundCompanions, AreFoundInEitherCase) {
    const Spelling& c = GetParam();
    Input input = test::inputFrom(kSamples / "hero_walk.ANIM");
    input.file.name = c.animation;
    input.siblings = test::siblingsBy([&](std::string_view name) -> std::optional<core::ByteVector> {
        if (!c.beside.contains(std::string(name)))
            return std::nullopt;
        const bool events = name.find("evnt") != name.npos || name.find("EVNT") != name.npos;
        return test::readBytes(kSamples / (events ? "hero_walk.EVNT" : "hero.CINF"));
    });
    const Companions found = withFoundCompanions(input, {});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found.find(Role::skeleton)->second.input.file.name, c.skeleton);
    EXPECT_EQ(found.find(Role::events)->second.input.file.name, c.events);
}

INSTANTIATE_TEST_SUITE_P(
    All, FoundCompanions,
    testing::Values(Spelling{"UpperBesideLower", "run_1.anim", {"run_1.CINF", "run.EVNT"}, "run_1.CINF", "run.EVNT"},
                    Spelling{"LowerBesideUpper", "run_1.ANIM", {"run_1.cinf", "run.evnt"}, "run_1.cinf", "run.evnt"},
                    Spelling{"LowerFirst",
                             "run_1.anim",
                             {"run_1.CINF", "run_1.cinf", "run_1.EVNT", "run_1.evnt"},
                             "run_1.cinf",
                             "run_1.evnt"},
                    Spelling{"UpperFirst",
                             "run_1.ANIM",
                             {"run_1.CINF", "run_1.cinf", "run_1.EVNT", "run_1.evnt"},
                             "run_1.CINF",
                             "run_1.EVNT"},
                    Spelling{"OwnStemBeforeOwnCase",
                             "run_1.anim",
                             {"run_1.CINF", "run.cinf", "run_1.EVNT", "run.evnt"},
                             "run_1.CINF",
                             "run_1.EVNT"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Events, ThatAreDamagedDoNotLoseTheMotion) {
    Input input = test::inputFrom(kSamples / "hero_walk.ANIM");
    input.siblings = test::siblingsBy([find = input.siblings](std::string_view name) {
        std::optional<File> file = find(name);
        if (file && name == "hero_walk.EVNT")
            file->bytes.resize(11);
        return file ? std::optional(file->bytes) : std::nullopt;
    });
    Surroundings surroundings;
    EXPECT_TRUE(load(input, {}, surroundings.context).clips[0].events.empty());
    EXPECT_EQ(surroundings.warnings(),
              std::vector<std::string>{"hero_walk.ANIM: warning: its events are left out: hero_walk.EVNT: "
                                       "bool_event_count at 0x4: is 1, but the file has room for only 0"});
}

TEST(Scale, MovesChildrenAndIsNotInherited) {
    Surroundings surroundings;
    const Asset asset = load(test::inputFrom(kSamples / "echo_rise.ANIM"), {}, surroundings.context);
    const core::Skeleton& skeleton = *asset.skeleton;
    const auto chest = skeleton.find("chest");
    const auto helper = skeleton.find("chest_scale");
    ASSERT_TRUE(chest && helper);
    EXPECT_EQ(skeleton.joints[*helper].parent, static_cast<int>(*chest));
    EXPECT_FALSE(skeleton.joints[*helper].id.has_value());
    const Clip& clip = asset.clips.front();
    EXPECT_FALSE(clip.trackOf(*chest)->scale.isPresent());
    EXPECT_EQ(clip.trackOf(*helper)->scale.values.back(), glm::vec3(1.5F));
    const auto neck = skeleton.find("neck");
    const glm::vec3 offset = skeleton.joints[*neck].rest.translation;
    EXPECT_LT(glm::distance(clip.trackOf(*neck)->translation.values.back(), offset * 1.5F), 1e-6F);
    EXPECT_FALSE(
        clip.trackOf(*skeleton.find("head"))->translation.isPresent());  // the offset of a grandchild does not change
}

TEST(Bones, ThatTheSkeletonLacksAreNamed) {
    Animation animation = turning({aboutZ(0), aboutZ(10)});
    ArrayAnimation arrays = *animation.arrays();
    arrays.slots = {0, 0, 0xFF, 0};
    animation.content = arrays;
    const Cinf cinf = oneBone();
    const Result result = convert(animation, &cinf);
    EXPECT_EQ(result.messages,
              std::vector<std::string>{
                  "warning: channels: bones 1, 3 (of 3 moved bones) are not in the skeleton and left out"});
    EXPECT_EQ(result.asset.clips[0].tracks.size(), 1U);
}

TEST(Bones, OfAnotherSkeletonAltogetherAreRefused) {
    Animation animation = turning({aboutZ(0), aboutZ(10)});
    Cinf cinf = oneBone();
    cinf.bones[0].id = 50;
    try {
        (void)convert(animation, &cinf);
        FAIL() << "converted";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), "channels: move 1 bones, but none of them is one of the 1 bones of the skeleton");
    }
}

TEST(MadeUpSkeleton, HasTheBonesThatMove) {
    Input input = test::inputFrom(kSamples / "hero_walk.ANIM");
    input.siblings = {};
    Surroundings surroundings;
    const Asset asset = load(input, {}, surroundings.context);
    EXPECT_EQ(asset.skeleton->joints[0].name, "bone004");
    EXPECT_EQ(asset.skeleton->joints[1].name, "bone005");
    EXPECT_EQ(asset.skeleton->joints[1].parent, 0);
    EXPECT_EQ(surroundings.warnings(),
              std::vector<std::string>{
                  "hero_walk.ANIM: warning: no skeleton was looked for; using placeholder joints in a row"});
    input.siblings = test::siblingsBy([](std::string_view) { return std::nullopt; });
    Surroundings alone;
    (void)load(input, {}, alone.context);
    EXPECT_EQ(alone.warnings(),
              std::vector<std::string>{
                  "hero_walk.ANIM: warning: no skeleton was found beside it; using placeholder joints in a row (see "
                  "option skeleton=FILE)"});
}

TEST(Additive, IsWrittenAsItIsAndSaysSo) {
    const Cinf cinf = oneBone();
    ClipSettings settings;
    settings.additive = true;
    const Result result = convert(turning({aboutZ(0), aboutZ(10)}), &cinf, settings);
    EXPECT_EQ(
        result.messages,
        std::vector<std::string>{
            "note: is additive: translations and rotations are written unchanged, as differences from another clip"});
    EXPECT_EQ(result.asset.clips[0].counters.back().first, "additive");
    EXPECT_TRUE(std::get<bool>(result.asset.clips[0].counters.back().second.data));
}

TEST(Names, OfACsvGoByTheIdsOfTheFile) {
    Surroundings surroundings;
    Asset asset = load(test::inputFrom(kSamples / "hero_walk.ANIM"), {}, surroundings.context);
    const auto names = parseNames("joint,4,pelvis\njoint,spine,back\nclip,0,stroll\nclip,7,run\njoint,0,foot\n");
    EXPECT_EQ(applyNames(asset, names, surroundings.diagnostics), (std::vector<std::string>{"clip 7", "joint 0"}));
    EXPECT_EQ(asset.skeleton->joints[1].name, "pelvis");
    EXPECT_EQ(asset.skeleton->joints[2].name, "back");
    EXPECT_EQ(asset.clips[0].name, "stroll");
}

TEST(Times, ThatAreTheSameAreRefused) {
    Animation animation = turning(std::vector<std::array<float, 4>>(3, aboutZ(0)));
    animation.interval = 3e38F;
    const Cinf cinf = oneBone();
    try {
        (void)convert(animation, &cinf);
        FAIL() << "converted";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.field(), "interval");
    }
}

TEST(Times, OfASingleFrameNeedNoInterval) {
    for (const float interval : {0.0F, -1.0F, 2e18F, HUGE_VALF, std::nanf("")}) {
        Animation animation = turning({aboutZ(40)});
        animation.interval = interval;
        const Cinf cinf = oneBone();
        const Result result = convert(animation, &cinf);
        EXPECT_EQ(result.messages, std::vector<std::string>());
        EXPECT_EQ(result.asset.clips[0].rate, 30) << interval;
        EXPECT_NEAR(turnAt(result.asset, 0), 40, 0.01);
    }
}

TEST(Keys, AreBoundedByTheLimits) {
    Surroundings surroundings;
    surroundings.limits.memory = 1 << 10;
    const Animation animation = turning(std::vector<std::array<float, 4>>(30, aboutZ(0)));
    try {
        (void)toAsset(animation, nullptr, nullptr, {}, surroundings.limits, surroundings.diagnostics);
        FAIL() << "converted";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_STREQ(error.what(),
                     "key_count at 0x14: would need 1 MiB of memory, but the limit is 0 (see option limit-memory=MIB)");
    }
}

TEST(Keys, ThoseInBetweenAreBoundedByTheLimitsToo) {
    Surroundings surroundings;
    std::vector<std::array<float, 4>> rotations;
    rotations.reserve(31);
    for (int frame = 0; frame < 31; ++frame)
        rotations.push_back(aboutZ(frame * 170.0));
    ClipSettings settings;
    settings.subdivide = 1;  // 170 degrees are halved 8 times: 30 * 255 added keys, 3 * 31 of the file
    surroundings.limits.memory = std::uint64_t{30 * 255 + 3 * 31} * 128;
    const Asset asset =
        toAsset(turning(rotations), nullptr, nullptr, settings, surroundings.limits, surroundings.diagnostics);
    EXPECT_EQ(asset.clips[0].tracks[0].rotation.values.size(), 30U * 255 + 31);
    surroundings.limits.memory -= 1;
    try {
        (void)toAsset(turning(rotations), nullptr, nullptr, settings, surroundings.limits, surroundings.diagnostics);
        FAIL() << "converted";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_STREQ(error.what(),
                     "rotations: need, with the inserted keys, more memory than the limit of 0 MiB (see option "
                     "limit-memory=MIB)");
    }
}

}  // namespace
}  // namespace reanima::metroid
