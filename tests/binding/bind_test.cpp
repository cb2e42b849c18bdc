#include "binding/motion/bind.h"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "binding/motion/source_rest.h"
#include "binding/roles/shape_links.h"
#include "core/validate.h"
#include "formats/load.h"
#include "support/bytes.h"

namespace reanima {
namespace {

using core::Clip;
using core::Joint;
using core::Pose;
using core::Skeleton;
using motion::Binding;
using motion::JointLink;

/// A sample as converted by the command, with a rest pose.
core::Asset sampleAsset(const std::string& path) {
    test::Surroundings s;
    const Input input = test::inputFrom(test::sourceFolder() / path);
    return loadWithRest(input, {}, s.context);
}

glm::dquat randomRotation(std::mt19937& random) {
    std::normal_distribution<double> number;
    return glm::normalize(glm::dquat(number(random), number(random), number(random), number(random)));
}

/// A skeleton with the rest pose and hierarchy of the source, and the links to it.
struct Rig {
    Skeleton skeleton;
    std::vector<JointLink> links;
    double scale = 1;
};

/// A renamed and reordered rig of another size, with different axes for every joint.
Rig randomRig(const Skeleton& source, std::mt19937& random) {
    const std::vector<glm::dmat4> globals = core::globalMatrices(source, core::restPose(source));
    Rig rig;
    rig.scale = std::exp(std::uniform_real_distribution<double>(-3, 3)(random));
    std::vector<std::uint32_t> place(source.joints.size(), ~0U);
    std::vector<glm::dmat4> placed;
    std::vector<std::uint32_t> waiting(source.joints.size());
    std::iota(waiting.begin(), waiting.end(), 0U);
    while (!waiting.empty()) {
        const auto pick = static_cast<std::ptrdiff_t>(random() % waiting.size());
        const std::uint32_t joint = waiting[static_cast<std::size_t>(pick)];
        const int parent = source.joints[joint].parent;
        if (parent != core::kNoParent && place[static_cast<std::size_t>(parent)] == ~0U)
            continue;
        waiting.erase(waiting.begin() + pick);
        place[joint] = static_cast<std::uint32_t>(placed.size());
        const glm::dmat3 scaled(globals[joint]);
        const glm::dmat3 turned = scaled / std::cbrt(glm::determinant(scaled));
        glm::dmat4 global{turned * glm::mat3_cast(randomRotation(random))};
        global[3] = glm::dvec4(glm::dvec3(globals[joint][3]) * rig.scale, 1);
        placed.push_back(global);
        Joint& made = rig.skeleton.joints.emplace_back();
        made.name = "j" + std::to_string(random());
        made.parent = parent == core::kNoParent ? parent : static_cast<int>(place[static_cast<std::size_t>(parent)]);
        const glm::dmat4 local =
            parent == core::kNoParent ? global : glm::inverse(placed[static_cast<std::size_t>(made.parent)]) * global;
        made.rest.rotation = glm::quat(glm::normalize(glm::quat_cast(glm::dmat3(local))));
        made.rest.translation = glm::vec3(local[3]);
        rig.links.push_back({joint, place[joint], {1, 0, 0, 0}, {}});
    }
    return rig;
}

/// The largest distance between a source joint and its follower, at all keys, as a share of the source's height.
double worstDistance(const core::Asset& asset, const Rig& rig, const motion::BoundMotion& bound) {
    const Skeleton& source = *asset.skeleton;
    double worst = 0;
    for (std::size_t c = 0; c < asset.clips.size(); ++c)
        for (const std::vector<float>& timeline : asset.clips[c].timelines)
            for (const float time : timeline) {
                const auto a = core::globalMatrices(source, core::samplePose(source, asset.clips[c], time));
                const auto b =
                    core::globalMatrices(bound.skeleton, core::samplePose(bound.skeleton, bound.clips[c], time));
                for (const JointLink& link : rig.links)
                    worst = std::max(
                        worst, glm::distance(glm::dvec3(a[link.source][3]), glm::dvec3(b[link.target][3]) / rig.scale));
            }
    return worst / core::verticalExtent(source, core::restPose(source)).height();
}

class RandomRigs : public testing::TestWithParam<const char*> {};

/// The largest distance over this number of random rigs.
/// @param referenceFor returns the source's pose that matches the rig's rest pose
template <typename ReferenceFor>
double worstOverRigs(const core::Asset& asset, int rigs, std::mt19937& random, double scaleTolerance,
                     ReferenceFor referenceFor) {
    const Skeleton& source = *asset.skeleton;
    double worst = 0;
    for (int i = 0; i < rigs; ++i) {
        const Rig rig = randomRig(source, random);
        Binding binding;
        binding.links = rig.links;
        binding.reference = referenceFor(rig);
        binding.scale = motion::scaleBetween(source, binding.reference, rig.skeleton, rig.links);
        EXPECT_NEAR(binding.scale / rig.scale, 1, scaleTolerance);
        worst =
            std::max(worst, worstDistance(asset, rig, motion::bindClips(source, asset.clips, rig.skeleton, binding)));
    }
    testing::Test::RecordProperty("worst", std::to_string(worst));
    return worst;
}

TEST_P(RandomRigs, MoveAsTheSourceDoes) {
    const core::Asset asset = sampleAsset(GetParam());
    std::mt19937 random(5);
    EXPECT_LT(worstOverRigs(asset, 100, random, 1e-5, [&](const Rig&) { return core::restPose(*asset.skeleton); }),
              1e-4);
}

/// The same motion below scaled roots, as in .fbx files of Blender.
core::Asset underScaledRoots(core::Asset asset, float scale) {
    for (Joint& joint : asset.skeleton->joints)
        if (joint.parent == core::kNoParent)
            joint.rest.scale = glm::vec3(scale);
        else
            joint.rest.translation /= scale;
    for (Clip& clip : asset.clips)
        for (core::JointTrack& track : clip.tracks)
            if (asset.skeleton->joints[track.joint].parent != core::kNoParent)
                for (glm::vec3& place : track.translation.values)
                    place /= scale;
    return asset;
}

TEST_P(RandomRigs, MoveSoToo_WhenTheSourceIsScaled) {
    const core::Asset asset = underScaledRoots(sampleAsset(GetParam()), 100);
    std::mt19937 random(7);
    EXPECT_LT(worstOverRigs(asset, 20, random, 1e-4, [&](const Rig&) { return core::restPose(*asset.skeleton); }),
              1e-4);
}

TEST_P(RandomRigs, MoveSoToo_WhenTheSourceIsTurnedToTheirRest) {
    const core::Asset asset = sampleAsset(GetParam());
    Skeleton ignorant = *asset.skeleton;
    std::mt19937 random(6);
    const auto turnedToRest = [&](const Rig& rig) {
        for (Joint& joint : ignorant.joints)  // no rest pose is known
            joint.rest.rotation = glm::quat(randomRotation(random));
        return motion::matchRest(ignorant, rig.skeleton, rig.links).pose;
    };
    EXPECT_LT(worstOverRigs(asset, 20, random, 1e-3, turnedToRest), 1e-4);
}

TEST_P(RandomRigs, AreRecognisedByTheirShape) {
    const core::Asset asset = sampleAsset(GetParam());
    const Skeleton& source = *asset.skeleton;
    std::mt19937 random(7);
    std::size_t found = 0;
    std::size_t all = 0;
    for (int i = 0; i < 100; ++i) {
        const Rig rig = randomRig(source, random);
        all += rig.links.size();
        for (const roles::ShapeLink& shaped : roles::linksByShape(source, rig.skeleton))
            found +=
                static_cast<std::size_t>(std::any_of(rig.links.begin(), rig.links.end(), [&](const JointLink& link) {
                    return link.source == shaped.link.source && link.target == shaped.link.target;
                }));
    }
    RecordProperty("found", std::to_string(100.0 * static_cast<double>(found) / static_cast<double>(all)));
    EXPECT_GE(static_cast<double>(found), 0.9 * static_cast<double>(all));
}

TEST(Suggestions, SayWhatTheyComeFrom) {
    Skeleton source;
    source.joints.resize(2);
    source.joints[0].name = "hips";
    source.joints[1].name = "bone001";
    source.joints[1].parent = 0;
    source.joints[1].rest.translation = {0, 1, 0};
    Skeleton target = source;
    target.joints[1].name = "chest";
    const std::vector<roles::ShapeLink> links = roles::linksByShape(source, target);
    ASSERT_EQ(links.size(), 2U);
    EXPECT_EQ(links[0].reason, "the names agree");
    EXPECT_EQ(links[1].reason, "its place in the tree and its proportions");
    EXPECT_GT(links[0].confidence, links[1].confidence);
}

TEST(Travel, IsCarriedOverWithTheScaleOfLengths) {
    Skeleton skeleton;
    skeleton.joints.resize(1);
    skeleton.joints[0].name = "root";
    Clip clip;
    clip.name = "walk";
    clip.timelines = {{0, 0.5F, 1}, {0, 1}, {0, 2}};
    clip.tracks.push_back({0, {1, {}, {{0, 0, 0}, {0, 3, 0}}}, {}, {}});
    clip.travel = {2, core::Interpolation::step, {{0, 0, 0}, {1, 0, -3}}};
    Binding binding;
    binding.links.push_back({0, 0, {1, 0, 0, 0}, {}});
    binding.reference = core::restPose(skeleton);
    binding.scale = 2;
    for (const motion::BindMode mode : {motion::BindMode::world, motion::BindMode::local, motion::BindMode::copy}) {
        binding.mode = mode;
        const motion::BoundMotion bound = motion::bindClips(skeleton, {clip}, skeleton, binding);
        const Clip& walk = bound.clips.front();
        EXPECT_TRUE(core::validate({{bound.skeleton}, {walk}}).empty());
        EXPECT_EQ(walk.timelines.at(walk.travel.timeline), (std::vector<float>{0, 2}));
        EXPECT_EQ(walk.travel.interpolation, core::Interpolation::step);
        EXPECT_EQ(walk.travel.values, (std::vector<glm::vec3>{{0, 0, 0}, {2, 0, -6}}));
    }
}

INSTANTIATE_TEST_SUITE_P(Games, RandomRigs,
                         testing::Values("samples/ff7/hrda", "samples/ff9/hero_walk.ff9anim",
                                         "samples/metroid/hero_walk.ANIM", "tests/data/motion/cmu_01_01/ff7/mada",
                                         "tests/data/motion/cmu_01_01/ff9/ma_0.ff9anim",
                                         "tests/data/motion/cmu_01_01/metroid/ma_0.ANIM"));

}  // namespace
}  // namespace reanima
