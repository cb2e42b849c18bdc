#include "tools/reanima/rigs.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "gltf_export/glb_chunks.h"
#include "importers/rigs_module.h"
#include "tools/reanima/files.h"
#include "tools/reanima/platform.h"

namespace reanima::tool {

namespace {

const RigsModule& rigsModule() {
    void* function = nullptr;
    try {
        function = moduleFunction(kRigsModule, kRigsModuleFunction);
    } catch (const std::runtime_error& error) {
        throw core::DecodeError(
            fmt::format("is no glTF file, and the module that reads others (through Assimp) can't "
                        "be loaded: {}",
                        error.what()));
    }
    const RigsModule* module = reinterpret_cast<RigsModuleFunction>(function)();  // NOLINT: its header says so
    if (std::string_view(module->version) != REANIMA_VERSION)
        throw core::DecodeError(
            fmt::format("is no glTF file, and the module that reads others is of version {}, "
                        "expected {}",
                        module->version, REANIMA_VERSION));
    return *module;
}

}  // namespace

bool isGltf(core::Bytes bytes, std::string_view name) {
    const auto first = std::find_if(bytes.begin(), bytes.end(),
                                    [](std::uint8_t c) { return c != ' ' && c != '\t' && c != '\r' && c != '\n'; });
    const std::string extension = extensionOf(name);
    return gltf::isGlb(bytes) || extension == "gltf" || extension == "glb" || (first != bytes.end() && *first == '{');
}

core::Rig readOtherRig(const std::filesystem::path& path, core::Diagnostics& diagnostics) {
    try {
        return rigsModule().read(toUtf8(path), diagnostics);
    } catch (const core::DecodeError& error) {
        throw error.inFile(toUtf8(path));
    }
}

}  // namespace reanima::tool
