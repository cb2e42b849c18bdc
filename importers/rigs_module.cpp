#include "pipeline/rigs_module.h"

#include "importers/scene_skeleton.h"

extern "C" const reanima::RigsModule* reanimaRigsModule() {
    static constexpr reanima::RigsModule kModule = {
        REANIMA_VERSION, [](const std::string& path, reanima::core::Diagnostics& diagnostics) {
            return reanima::readSceneRig(path, diagnostics);
        }};
    return &kModule;
}
