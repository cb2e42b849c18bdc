#include "importers/target_rig.h"

#include "formats/format.h"
#include "formats/load.h"
#include "importers/scene_skeleton.h"
#include "pipeline/scene_memory.h"

// Without the writer of glTF its reader is not there either, and Assimp reads such files.
#ifdef REANIMA_HAS_GLTF
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_skeleton.h"
#endif

namespace reanima {

namespace {

core::Rig readNative(const Input& file, const Settings& settings, core::Diagnostics& diagnostics) {
    const Format& format = formatOf(file);
    if (format.kind != Kind::skeleton)
        throw core::DecodeError("is not a skeleton but " + std::string(format.label)).inFile(file.shownName());
    Context context{settings.options, settings.limits, diagnostics, {}};
    core::Rig rig;
    rig.skeleton = loadWithRest(file, {}, context).skeleton.value();
    return rig;
}

#ifdef REANIMA_HAS_GLTF
core::Rig readGltf(const Input& file, const core::Limits& limits, core::Diagnostics& diagnostics) {
    return gltf::readRig({file.file.bytes, file.shownName(), file.siblings}, limits, diagnostics);
}
#endif

}  // namespace

std::shared_ptr<const core::Rig> readTargetRig(Assimp::IOSystem& io, const Input& file, const Settings& settings,
                                               core::Diagnostics& diagnostics) {
    const std::string& name = file.shownName();
    const auto readOther = [&] {
        core::requireMemory(memoryOfScene(file.file.bytes, file.file.name), settings.limits, {});
        return readSceneRig(name, diagnostics, &io);
    };
    const auto read = [&] {
        if (findFormat(file) != nullptr)
            return readNative(file, settings, diagnostics);
#ifdef REANIMA_HAS_GLTF
        if (gltf::isGltf(file.file.bytes, file.file.name))
            return readGltf(file, settings.limits, diagnostics);
#endif
        return readOther();
    };
    core::Rig rig = read();
    rig.source = name;
    return std::make_shared<const core::Rig>(std::move(rig));
}

}  // namespace reanima
