#include "gltf_export/gltf_skeleton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/matrix.hpp>

#include "core/file_system.h"
#include "core/pose.h"
#include "core/text.h"
#include "gltf_export/gltf_document.h"
#include "gltf_export/gltf_motion.h"
#include "gltf_export/gltf_scene.h"
#include "gltf_export/rig_look.h"
#include "gltf_export/rig_surface.h"
#include "gltf_export/vrm_roles.h"

namespace reanima::gltf {

std::vector<std::string> filesBeside(const GltfInput& input, const core::Limits& limits, Beside which) {
    return core::inFile(input.name, [&] { return Document(input, limits).filesBeside(which); });
}

Rig readRig(const GltfInput& input, const core::Limits& limits, core::Diagnostics& diagnostics, Looks looks) {
    const auto about = diagnostics.about(input.name);
    return core::inFile(input.name, [&] {
        Document document(input, limits);
        // A node needs memory in the document, in the scene and in the skeleton, including names and field paths.
        constexpr std::uint64_t kBytesANode = 3 * sizeof(core::SceneNode);
        if (const std::optional<Field> nodes = document.root().find("nodes"))
            core::requireMemory(document.memory() + nodes->size() * kBytesANode, limits, nodes->place());
        const std::string_view name = core::stemOf(core::fileNameOf(input.name));
        core::Scene scene = readScene(document, std::string(name), diagnostics);
        scene.surfaces = surfacesOf(document, scene, limits.holding(document.memory()), diagnostics, looks);
        // Without materials, the mesh would be drawn in white on white paper, so such a file has no look.
        if (looks == Looks::read && !document.root().list("materials").empty())
            scene.look = materialsOf(document, limits.holding(document.memory()));
        Rig rig = core::makeRig(scene, diagnostics);
        rig.source = input.name;
        rig.roles = vrmRoles(document, rig.nodes);
        for (const Field& node : document.root().list("nodes"))
            rig.hasMesh = rig.hasMesh || node.find("mesh");
        return rig;
    });
}

Rig readRigFile(core::File file, const core::Siblings& beside, const core::Limits& limits,
                core::Diagnostics& diagnostics) {
    const auto kept = std::make_shared<const core::File>(std::move(file));
    Rig rig = readRig({kept->bytes, kept->path, beside}, limits, diagnostics);
    if (!rig.clips.empty())
        rig.readMotion = [kept, beside](const core::Limits& within) {
            core::Diagnostics unsaid;  // warnings are dropped, since a rig needs no motion
            return readMotion({kept->bytes, kept->path, beside}, within, unsaid);
        };
    return rig;
}

Rig openRig(const std::filesystem::path& path, const core::Limits& limits) {
    const std::string name = core::toUtf8(path);
    core::Diagnostics unused;
    return readRigFile(core::diskFiles()->read(name, limits), core::Siblings(core::diskFiles(), name, limits), limits,
                       unused);
}

}  // namespace reanima::gltf
