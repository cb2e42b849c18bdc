#include "pipeline/rigs_module.h"

#include <fmt/format.h>

#include "core/pose.h"
#include "core/text.h"
#include "importers/assimp_content.h"
#include "importers/scene_skeleton.h"
#include "pipeline/memoria_body.h"

namespace {

using namespace reanima;

core::Rig readRig(const std::string& path, MemoriaReading& reading, const core::Limits& limits,
                  core::SceneContent* content, core::Diagnostics& diagnostics) {
    core::Rig rig;
    openScene(path, diagnostics, {nullptr, &reading}, [&](const aiScene& scene, RigIOSystem& files) {
        const SceneNodes nodes = nodesOf(scene, std::string(core::stemOf(core::fileNameOf(path))), diagnostics);
        rig = rigOf(nodes, diagnostics);
        requireCredibleRest(rig, nodes, path);
        if (reading != MemoriaReading::unknown)
            tellMemoriaBody(rig);
        if (content == nullptr || !rig.hasMesh)
            return;
        *content = contentOf(scene, nodes, files, limits, diagnostics);
        // Nodes may be in the pose of any frame, but programs show the bind pose of the meshes.
        for (std::size_t joint = 0; joint < rig.nodes.size(); ++joint) {
            core::SceneNode& node = content->scene.nodes[rig.nodes[joint]];
            node.parts = rig.skeleton.joints[joint].rest;
            node.local = core::matrixOf(*node.parts);
        }
    });
    return rig;
}

core::MovingScene readMotion(const std::string& path, const core::Limits& limits, core::Diagnostics& diagnostics) {
    core::MovingScene moving;
    openScene(path, diagnostics, {}, [&](const aiScene& scene, RigIOSystem&) {
        SceneNodes nodes = nodesOf(scene, std::string(core::stemOf(core::fileNameOf(path))), diagnostics);
        moving.motions = motionsOf(scene, nodes, limits);
        moving.scene = std::move(nodes.scene);
        std::vector<std::string> names;  // copied, since the scene's nodes are freed before the names are needed
        for (const core::SceneNode& node : moving.scene.nodes)
            names.push_back(node.name);
        moving.scene.fieldOf = [names = std::move(names)](std::uint32_t node) {
            return fmt::format("node \"{}\"", names[node]);
        };
    });
    return moving;
}

}  // namespace

extern "C" const reanima::RigsModule* reanimaRigsModule() {
    static constexpr reanima::RigsModule kModule = {REANIMA_VERSION, readRig, readMotion};
    return &kModule;
}
