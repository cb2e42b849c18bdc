// Binds real motion to a rig with Mixamo's joints: without meshes, and with a mesh on source and rig.

#include <array>
#include <random>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/pose.h"
#include "formats/input.h"
#include "gltf_export/gltf_file.h"
#include "pipeline/pipeline.h"

namespace reanima::bench {

namespace {

constexpr std::size_t kClips = 94;
constexpr std::uint32_t kSourceVertices = 1000;
constexpr std::uint32_t kRigVertices = 20000;

/// A person of 1.7 m in T pose: 65 joints with Mixamo's names.
class Person {
  public:
    static core::Skeleton make() {
        Person person;
        int above = person.add("Hips", core::kNoParent, {0, 0.95F, 0});
        const int hips = above;
        for (const char* name : {"Spine", "Spine1", "Spine2"})
            above = person.add(name, above, {0, 0.13F, 0});
        const int chest = above;
        for (const char* name : {"Neck", "Head", "HeadTop_End"})
            above = person.add(name, above, {0, 0.12F, 0});
        for (const float side : {1.0F, -1.0F}) {
            person.name_ = side > 0 ? "Left" : "Right";
            person.addArm(chest, side);
            person.addLeg(hips, side);
        }
        return std::move(person.skeleton_);
    }

  private:
    int add(const std::string& name, int parent, const glm::vec3& from) {
        core::Joint joint;
        joint.name = "mixamorig:" + name_ + name;
        joint.parent = parent;
        joint.rest.translation = from;
        skeleton_.joints.push_back(joint);
        return static_cast<int>(skeleton_.joints.size()) - 1;
    }

    void addArm(int chest, float side) {
        int above = add("Shoulder", chest, {side * 0.06F, 0.1F, 0});
        above = add("Arm", above, {side * 0.12F, 0, 0});
        above = add("ForeArm", above, {side * 0.27F, 0, 0});
        const int hand = add("Hand", above, {side * 0.26F, 0, 0});
        float z = 0.04F;
        for (const char* finger : {"Thumb", "Index", "Middle", "Ring", "Pinky"}) {
            above = hand;
            for (int segment = 1; segment <= 4; ++segment)
                above = add(fmt::format("Hand{}{}", finger, segment), above,
                            {side * (segment == 1 ? 0.08F : 0.025F), 0, segment == 1 ? z : 0});
            z -= 0.02F;
        }
    }

    void addLeg(int hips, float side) {
        int above = add("UpLeg", hips, {side * 0.09F, -0.03F, 0});
        above = add("Leg", above, {0, -0.43F, 0.01F});
        above = add("Foot", above, {0, -0.41F, -0.01F});
        above = add("ToeBase", above, {0, -0.06F, 0.12F});
        add("Toe_End", above, {0, -0.01F, 0.06F});
    }

    core::Skeleton skeleton_ = [] {
        core::Skeleton skeleton;
        skeleton.hasRest = true;
        return skeleton;
    }();
    std::string name_;
};

std::shared_ptr<core::Rig> makeRig() {
    auto rig = std::make_shared<core::Rig>();
    rig->skeleton = Person::make();
    return rig;
}

std::shared_ptr<const core::Rig> bareRig() {
    static const std::shared_ptr<const core::Rig> rig = makeRig();
    return rig;
}

std::shared_ptr<const core::Rig> dressedRig() {
    static const std::shared_ptr<const core::Rig> rig = [] {
        std::mt19937 random(1);
        std::uniform_real_distribution<float> beside(-0.05F, 0.05F);
        auto made = makeRig();
        const std::vector<glm::dmat4> rest = core::globalMatrices(made->skeleton, core::restPose(made->skeleton));
        for (std::uint32_t i = 0; i < kRigVertices; ++i) {
            const auto joint = static_cast<std::uint32_t>(i % rest.size());
            const glm::vec3 place(rest[joint][3]);
            made->surface.push_back({joint, place + glm::vec3(beside(random), beside(random), beside(random))});
        }
        return made;
    }();
    return rig;
}

/// A motion capture of a jump in the format of Final Fantasy VII, repeated.
const core::Asset& bareClips() {
    static const core::Asset asset = [] {
        core::Asset read = loadFile(std::string(REANIMA_SOURCE_DIR) + "/tests/data/motion/cmu_01_01/ff7/mada").asset;
        const std::vector<core::Clip> own = read.clips;
        read.clips.clear();
        for (std::size_t i = 0; i < kClips; ++i) {
            core::Clip& clip = read.clips.emplace_back(own[i % own.size()]);
            clip.name = fmt::format("clip{}", i);
        }
        return read;
    }();
    return asset;
}

const core::Asset& dressedClips() {
    static const core::Asset asset = [] {
        core::Asset dressed = bareClips();
        std::mt19937 random(2);
        std::uniform_real_distribution<float> beside(-0.05F, 0.05F);
        dressed.materials.emplace_back();
        core::Mesh& mesh = dressed.meshes.emplace_back();
        mesh.name = "body";
        core::Primitive& primitive = mesh.primitives.emplace_back();
        for (std::uint32_t i = 0; i < kSourceVertices; ++i) {
            primitive.positions.emplace_back(beside(random), beside(random), beside(random));
            primitive.joints.push_back(i % static_cast<std::uint32_t>(dressed.skeleton->joints.size()));
            primitive.indices.push_back(i);
        }
        primitive.indices.resize(std::size_t{kSourceVertices} / 3 * 3);
        return dressed;
    }();
    return asset;
}

void bind(benchmark::State& state, const core::Asset& clips, std::shared_ptr<const core::Rig> rig) {
    Settings settings;
    settings.rig = std::move(rig);
    const Input input;
    for (auto _ : state) {
        core::Diagnostics diagnostics;
        Context context{settings.options, settings.limits, diagnostics};
        const FinishedAsset done = applySettings(clips, settings, input, {}, context);
        if (!done.report.binding || !done.report.binding->roles)
            state.SkipWithError("the rig was not bound by the roles of its joints");
        benchmark::DoNotOptimize(done.asset.clips.data());
    }
}

void bareOurs(benchmark::State& state) { bind(state, bareClips(), bareRig()); }
void dressedOurs(benchmark::State& state) { bind(state, dressedClips(), dressedRig()); }

/// Writes the same clips on their own skeleton, to measure the time without binding.
void written(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(gltf::writeGlb(bareClips(), {}));
}

BENCHMARK(bareOurs)->Name("94 clips onto a rig of 65 joints/ours")->Unit(benchmark::kMillisecond);
BENCHMARK(written)->Name("94 clips onto a rig of 65 joints/baseline")->Unit(benchmark::kMillisecond);
BENCHMARK(dressedOurs)->Name("94 clips onto a rig, both with meshes/ours")->Unit(benchmark::kMillisecond);
BENCHMARK(bareOurs)->Name("94 clips onto a rig, both with meshes/baseline")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace reanima::bench
