/// A fuzz target for skeletons of other programs' glTF files: what is read is a valid skeleton, and a clip can be added
/// to the file; the result is read again with the same joints. The JSON of a .glb needs no right lengths: the bytes are
/// tried as they are and as the JSON of a .glb with some data.

#include <cstdio>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "core/validate.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_patch.h"

namespace {

using namespace reanima;  // NOLINT: a program may

void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "fuzz: %s\n", what);
        std::abort();
    }
}

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
    core::Limits limits;
    limits.memory = 64U << 20U;
    core::Diagnostics diagnostics;
    try {
        const gltf::Rig rig = gltf::readRig(input, limits, diagnostics);
        core::Asset asset;
        asset.skeletons.push_back(rig.skeleton);
        require(core::validate(asset).empty(), "the skeleton is not valid");
        const core::Clip clip = smallClip(rig.skeleton);
        const core::ByteVector patched = gltf::addAnimations(input, rig, {&clip, 1}, {}, limits, diagnostics);
        const gltf::Rig again = gltf::readRig({patched, "again.glb", input.external}, limits, diagnostics);
        require(again.nodes == rig.nodes || rig.restFrom == core::Rig::RestFrom::nodes, "the joints are others now");
    } catch (const core::DecodeError&) {  // refused
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const core::ByteVector bytes(data, data + size);
    const core::ByteVector buffer(1024, 0x3F);
    const gltf::ExternalFile external = [&](std::string_view path) {
        return path.size() % 2 == 0 ? std::optional(buffer) : std::nullopt;
    };
    check({bytes, "fuzz.gltf", external});
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());  // NOLINT: text is bytes
    const core::ByteVector glb = gltf::makeGlb(text, buffer);
    check({glb, "fuzz.glb", external});
    return 0;
}
