/// Writing .glb files, against the time that the tinygltf of the system takes to write the model of the same file.

#include <random>
#include <sstream>
#include <stdexcept>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <tiny_gltf.h>

#include "core/edit.h"
#include "gltf_export/gltf_file.h"
#include "importers/ff7/battle_clips.h"

namespace reanima::bench {
namespace {

/// 30 joints x 60 clips x 120 keys: rotations of every joint, translation of the first.
const core::Asset& largeAsset() {
    static const core::Asset asset = [] {
        std::mt19937 random(3);
        std::normal_distribution<float> step(0, 0.02F);
        core::Asset made;
        core::Skeleton& skeleton = made.skeleton.emplace();
        skeleton.name = "person";
        for (int j = 0; j < 30; ++j) {
            core::Joint& joint = skeleton.joints.emplace_back();
            joint.name = fmt::format("bone{:03}", j);
            joint.parent = j - 1;
            joint.rest.translation = {0, 0.05F, 0};
        }
        for (std::uint32_t c = 0; c < 60; ++c) {
            core::Clip& clip = made.clips.emplace_back();
            clip.name = fmt::format("clip_{:03}", c);
            clip.frames = 120;
            clip.duration = 119.0 / 30;
            std::vector<float>& times = clip.timelines.emplace_back();
            for (int f = 0; f < 120; ++f)
                times.push_back(static_cast<float>(f / 30.0));
            for (std::uint32_t j = 0; j < 30; ++j) {
                core::JointTrack& track = clip.tracks.emplace_back();
                track.joint = j;
                glm::dquat rotation(1, 0, 0, 0);
                for (int f = 0; f < 120; ++f) {
                    rotation = glm::normalize(rotation * glm::dquat(1, static_cast<double>(step(random)),
                                                                    static_cast<double>(step(random)),
                                                                    static_cast<double>(step(random))));
                    track.rotation.values.emplace_back(rotation);
                    if (j == 0)
                        track.translation.values.emplace_back(step(random), 1, step(random));
                }
            }
        }
        return made;
    }();
    return asset;
}

/// 94 animations of 20 frames and 32 joints, as bytes of a pack.
const core::ByteVector& playersPack() {
    static const core::ByteVector bytes = [] {
        std::mt19937 random(4);
        ff7::BattlePack pack;
        pack.count = 94;
        for (std::uint32_t a = 0; a < pack.count; ++a) {
            ff7::BattleAnimation& animation = pack.animations.emplace_back();
            animation.boneCount = animation.rotationCount = 32;
            animation.frameCount = 20;
            animation.streamFrameCount = 20;
            std::vector<ff7::AngleTriple> running(32);
            for (int f = 0; f < 20; ++f) {
                animation.frames.translations.push_back({static_cast<std::int16_t>(f), -466, 0});
                for (ff7::AngleTriple& triple : running)
                    for (core::Angle& angle : triple)
                        angle = static_cast<core::Angle>((angle + static_cast<int>(random() % 33) - 16) & 4095);
                animation.frames.rotations.insert(animation.frames.rotations.end(), running.begin(), running.end());
            }
        }
        core::Diagnostics diagnostics;
        return ff7::encodeBattlePack(pack, diagnostics);
    }();
    return bytes;
}

core::Asset convertPlayersPack() {
    ff7::BattleSkeleton skeleton;
    for (int b = 0; b < 31; ++b)
        skeleton.bones.push_back({b - 1, -30, 1});
    core::Diagnostics diagnostics;
    const ff7::BattlePack pack = ff7::decodeBattlePack(playersPack(), {31, 94}, {}, diagnostics);
    ff7::ClipSettings settings;
    settings.stem = settings.source = "rtda";
    core::Asset asset = ff7::toAsset(pack, &skeleton, settings, {}, diagnostics);
    core::setRest(*asset.skeleton, asset.clips.front(), 0);
    return asset;
}

tinygltf::Model readWithTinygltf(const core::ByteVector& glb) {
    tinygltf::Model model;
    std::string error;
    std::string warning;
    if (!tinygltf::TinyGLTF().LoadBinaryFromMemory(&model, &error, &warning, glb.data(),
                                                   static_cast<unsigned>(glb.size())))
        throw std::runtime_error(error);
    model.buffers.front().uri.clear();
    return model;
}

std::size_t writeWithTinygltf(const tinygltf::Model& model) {
    std::ostringstream stream;
    tinygltf::TinyGLTF().WriteGltfSceneToStream(&model, stream, false, true);
    return stream.str().size();
}

void largeOurs(benchmark::State& state) {
    std::size_t bytes = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(bytes = gltf::writeGlb(largeAsset(), {}).size());
    state.counters["bytes"] = static_cast<double>(bytes);
}

void largeBaseline(benchmark::State& state) {
    const tinygltf::Model model = readWithTinygltf(gltf::writeGlb(largeAsset(), {}));
    for (auto _ : state)
        benchmark::DoNotOptimize(writeWithTinygltf(model));
}

void packOurs(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(gltf::writeGlb(convertPlayersPack(), {}));
}

void packBaseline(benchmark::State& state) {
    const tinygltf::Model model = readWithTinygltf(gltf::writeGlb(convertPlayersPack(), {}));
    for (auto _ : state)
        benchmark::DoNotOptimize(writeWithTinygltf(model));
}

BENCHMARK(largeOurs)->Name("30 joints x 60 clips x 120 keys to .glb/ours")->Unit(benchmark::kMillisecond);
BENCHMARK(largeBaseline)->Name("30 joints x 60 clips x 120 keys to .glb/baseline")->Unit(benchmark::kMillisecond);
BENCHMARK(packOurs)->Name("pack of 94 animations to .glb/ours")->Unit(benchmark::kMillisecond);
BENCHMARK(packBaseline)->Name("pack of 94 animations to .glb/baseline")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reanima::bench
