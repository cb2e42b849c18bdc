#include "importers/target_rig.h"

#include "importers/scene_skeleton.h"
#include "pipeline/cast.h"
#include "pipeline/scene_memory.h"

// A build without the glTF writer has no glTF reader either. Then Assimp reads .glb and .gltf files.
#ifdef REANIMA_HAS_GLTF
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_skeleton.h"
#endif

namespace reanima {

std::shared_ptr<const core::Rig> readTargetRig(Assimp::IOSystem& io, const Input& input, const Settings& settings,
                                               CharacterFiles& files, core::Diagnostics& diagnostics) {
    const auto readOther = [&io](File file, const Siblings& beside, const core::Limits& limits,
                                 core::Diagnostics& found) {
#ifdef REANIMA_HAS_GLTF
        if (gltf::isGltf(file.bytes, file.name))
            return gltf::readRigFile(std::move(file), beside, limits, found);
#else
        (void)beside;
#endif
        core::requireMemory(memoryOfScene(file.bytes, file.name), limits, {});
        return readSceneRig(file.path, found, &io);
    };
    return std::make_shared<const core::Rig>(readRigOf(input, settings, readOther, files, diagnostics).rig);
}

}  // namespace reanima
