/// Skeletons in other programs' glTF files. The skeleton is valid, a clip can be added to the file, and reading the
/// result gives the same joints. A JSON text is tried unchanged, and as the JSON of a .glb with some data, so inputs
/// need no correct chunk lengths.

#include <nlohmann/json.hpp>

#include "core/validate.h"
#include "fuzz/targets.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_patch.h"
#include "support/files.h"

namespace reanima::fuzz {

namespace {

core::Clip smallClip(const core::Skeleton& skeleton) {
    core::Clip clip;
    clip.name = "fuzz";
    clip.duration = 1;
    clip.timelines = {{0, 1}};
    core::JointTrack& track = clip.tracks.emplace_back();
    track.joint = static_cast<std::uint32_t>(skeleton.joints.size() / 2);
    track.rotation.values = {glm::quat(1, 0, 0, 0), glm::quat(0, 1, 0, 0)};
    track.translation.values = {glm::vec3(1, 2, 3)};
    return clip;
}

void check(const gltf::GltfInput& input) {
    const core::Limits limits = smallLimits();
    core::Diagnostics diagnostics;
    try {
        const gltf::Rig rig = gltf::readRig(input, limits, diagnostics);
        core::Asset asset;
        asset.skeleton.emplace(rig.skeleton);
        require(core::validate(asset).empty(), "the skeleton is not valid");
        const core::Clip clip = smallClip(rig.skeleton);
        const core::ByteVector patched =
            gltf::addAnimations(input, rig, {&clip, 1}, {}, limits, diagnostics).bytes.joined();
        const gltf::Rig again = gltf::readRig({patched, "again.glb", input.beside}, limits, diagnostics);
        require(again.nodes == rig.nodes || rig.restFrom == core::Rig::RestFrom::nodes, "the joints are others now");
    } catch (const core::DecodeError&) {  // rejected
    }
}

void run(core::Bytes bytes) {
    static const core::ByteVector kBuffer(1024, 0x3F);
    const core::Siblings beside = test::siblingsBy(
        [](std::string_view path) { return path.size() % 2 == 0 ? std::optional(kBuffer) : std::nullopt; });
    check({bytes, "fuzz.gltf", beside});
    if (!bytes.empty() && bytes.front() == '{') {
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());  // NOLINT: text
        const core::ByteVector glb = gltf::makeGlb(text, kBuffer);
        check({glb, "fuzz.glb", beside});
    }
}

}  // namespace

Target rigTarget() { return {"rig", Mutation::json, run}; }

}  // namespace reanima::fuzz
