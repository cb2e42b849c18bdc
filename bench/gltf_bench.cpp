/// Writes .glb files. The baseline is the time that the system's tinygltf needs for the same model.

#include <array>
#include <random>
#include <sstream>
#include <stdexcept>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <tiny_gltf.h>

#include "core/edit.h"
#include "core/weld.h"
#include "formats/ff7/battle_clips.h"
#include "gltf_export/gltf_file.h"

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
            std::vector<AngleTriple> running(32);
            for (int f = 0; f < 20; ++f) {
                animation.frames.translations.push_back({static_cast<std::int16_t>(f), -466, 0});
                for (AngleTriple& triple : running)
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
    core::setRest(asset, asset.clips.front(), 0);
    return asset;
}

/// A body of 1,000 triangles on its joints, with three textures of 256 x 256 texels in flat patches.
void dress(core::Asset& asset) {
    constexpr std::uint32_t kSide = 256;
    constexpr std::uint32_t kTriangles = 1000;
    std::mt19937 random(5);
    for (std::uint32_t i = 0; i < 3; ++i) {
        core::Image& image = asset.images.emplace_back(core::Image{fmt::format("skin{}", i), kSide, kSide, {}});
        std::array<std::uint8_t, 64> tones{};
        for (std::uint8_t& tone : tones)
            tone = static_cast<std::uint8_t>(random());
        for (std::uint32_t y = 0; y < kSide; ++y)
            for (std::uint32_t x = 0; x < kSide; ++x) {
                const std::uint8_t tone = tones[y / 32 * 8 + x / 32];
                const auto shade = static_cast<std::uint8_t>(tone ^ (random() % 8 == 0 ? 8U : 0U));
                image.rgba.insert(image.rgba.end(), {shade, tone, static_cast<std::uint8_t>(255 - tone), 255});
            }
        core::Material& material = asset.materials.emplace_back();
        material.name = image.name;
        material.image = i;
    }
    core::Mesh& mesh = asset.meshes.emplace_back();
    mesh.name = "body";
    mesh.primitives.resize(3);
    std::uniform_real_distribution<float> place(-0.1F, 0.1F);
    for (std::uint32_t t = 0; t < kTriangles; ++t) {
        core::Primitive& primitive = mesh.primitives[t % 3];
        primitive.material = t % 3;
        for (int corner = 0; corner < 3; ++corner) {
            primitive.indices.push_back(static_cast<std::uint32_t>(primitive.positions.size()));
            primitive.positions.emplace_back(place(random), place(random), place(random));
            primitive.textureCoordinates.emplace_back(place(random), place(random));
            primitive.colors.emplace_back(1, 1, 1, 1);
            primitive.joints.push_back(t % 32);
        }
    }
}

const core::Asset& convertDressedPack() {
    static core::Asset asset;
    static const std::vector<core::Mesh> corners = [] {
        dress(asset);
        return asset.meshes;
    }();
    core::Asset bare = convertPlayersPack();
    asset.skeleton = std::move(bare.skeleton);
    asset.clips = std::move(bare.clips);
    for (std::size_t i = 0; i < corners.front().primitives.size(); ++i)
        asset.meshes.front().primitives[i] = core::withSharedVertices(corners.front().primitives[i]);
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

void dressedPack(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(gltf::writeGlb(convertDressedPack(), {}));
}

BENCHMARK(largeOurs)->Name("30 joints x 60 clips x 120 keys to .glb/ours")->Unit(benchmark::kMillisecond);
BENCHMARK(largeBaseline)->Name("30 joints x 60 clips x 120 keys to .glb/baseline")->Unit(benchmark::kMillisecond);
BENCHMARK(packOurs)->Name("pack of 94 animations to .glb/ours")->Unit(benchmark::kMillisecond);
BENCHMARK(packBaseline)->Name("pack of 94 animations to .glb/baseline")->Unit(benchmark::kMillisecond);
BENCHMARK(dressedPack)->Name("pack with 1,000 triangles to .glb/ours")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(packOurs)->Name("pack with 1,000 triangles to .glb/baseline")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace reanima::bench
