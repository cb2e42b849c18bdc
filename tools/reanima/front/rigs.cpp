#include "tools/reanima/front/rigs.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "gltf_export/glb_chunks.h"
#include "pipeline/scene_memory.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace {

const RigsModule& rigsModule() {
    void* function = nullptr;
    try {
        function = moduleFunction(kRigsModule, kRigsModuleFunction);
    } catch (const std::runtime_error& error) {
        throw core::DecodeError(
            fmt::format("is not a glTF file, and the module that reads others (through Assimp) can't "
                        "be loaded: {}",
                        error.what()));
    }
    const RigsModule* module = reinterpret_cast<RigsModuleFunction>(function)();  // NOLINT: its header says so
    requireVersion(*module, REANIMA_VERSION);
    return *module;
}

}  // namespace

void requireVersion(const RigsModule& module, std::string_view expected) {
    if (module.version != expected)
        throw core::DecodeError(
            fmt::format("is not a glTF file, and the module that reads others is of version {}, "
                        "expected {}",
                        module.version, expected));
}

core::Rig readOtherRig(const std::filesystem::path& path, core::ByteVector bytes, const core::Limits& limits,
                       core::Diagnostics& diagnostics) {
    return core::inFile(toUtf8(path), [&] {
        core::requireMemory(memoryOfScene(bytes, toUtf8(path.filename())), limits, {});
        bytes = {};
        return rigsModule().read(toUtf8(path), diagnostics);
    });
}

}  // namespace reanima::tool
