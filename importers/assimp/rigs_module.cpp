#include "importers/rigs_module.h"

#include "importers/assimp/scene_skeleton.h"

extern "C" const reanima::RigsModule* reanimaRigsModule() {
    static constexpr reanima::RigsModule kModule = {REANIMA_VERSION, reanima::readSceneRig};
    return &kModule;
}
