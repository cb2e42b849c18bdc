/// Motion of other programs: BVH, glTF and Memoria files become a valid skeleton with valid clips. A JSON text is tried
/// unchanged, and as the JSON of a .glb with some data, so inputs need no correct chunk lengths.

#include "core/scene_asset.h"
#include "core/validate.h"
#include "fuzz/targets.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_motion.h"
#include "pipeline/bvh_file.h"
#include "pipeline/memoria_file.h"
#include "support/files.h"

namespace reanima::fuzz {

namespace {

template <typename Read>
void checkMotion(const Read& read) {
    const core::Limits limits = smallLimits();
    core::Diagnostics diagnostics;
    try {
        const core::Asset asset = core::assetOf(read(limits, diagnostics), {.source = "fuzz"}, limits, diagnostics);
        for (const std::string& problem : core::validate(*asset.skeleton, asset.clips))
            require(problem.find("name") != std::string::npos, "what was read is not valid");  // load() sets names
    } catch (const core::DecodeError&) {                                                       // rejected
    }
}

void runBvh(core::Bytes bytes) {
    checkMotion([bytes](const core::Limits& limits, core::Diagnostics& diagnostics) {
        return readBvh(bytes, "fuzz.bvh", limits, diagnostics);
    });
}

void runMemoria(core::Bytes bytes) {
    checkMotion([bytes](const core::Limits& limits, core::Diagnostics& diagnostics) {
        return readMemoriaAnimation(bytes, "fuzz.anim", limits, diagnostics);
    });
}

void checkGltfMotion(const gltf::GltfInput& input) {
    checkMotion([&input](const core::Limits& limits, core::Diagnostics& diagnostics) {
        return gltf::readMotion(input, limits, diagnostics);
    });
}

void runGltf(core::Bytes bytes) {
    static const core::ByteVector kKeys(1024, 0x3F);
    const core::Siblings beside = test::siblingsBy(
        [](std::string_view path) { return path.size() % 2 == 0 ? std::optional(kKeys) : std::nullopt; });
    checkGltfMotion({bytes, "fuzz.gltf", beside});
    if (!bytes.empty() && bytes.front() == '{') {
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());  // NOLINT: text
        const core::ByteVector glb = gltf::makeGlb(text, kKeys);
        checkGltfMotion({glb, "fuzz.glb", beside});
    }
}

}  // namespace

std::vector<Target> motionTargets() {
    return {{"bvh", Mutation::bytes, runBvh},
            {"motion", Mutation::json, runGltf},
            {"memoria", Mutation::json, runMemoria},
            {"memoria-binary", Mutation::fields, runMemoria}};
}

}  // namespace reanima::fuzz
