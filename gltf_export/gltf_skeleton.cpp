#include "gltf_export/gltf_skeleton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/matrix.hpp>

#include "core/file_system.h"
#include "core/pose.h"
#include "core/text.h"
#include "gltf_export/gltf_document.h"
#include "gltf_export/gltf_scene.h"
#include "gltf_export/rig_surface.h"

namespace reanima::gltf {

using core::DecodeError;

namespace {

/// The roles that VRM states, of its version 1.0 or 0.x, in the words of 1.0: node -> role.
class VrmRoles {
  public:
    explicit VrmRoles(const Document& document) : count_(document.root().list("nodes").size()) {
        const std::optional<Field> extensions = document.root().find("extensions");
        if (!extensions)
            return;
        if (const std::optional<Field> vrm = extensions->find("VRMC_vrm"))
            readNew(*vrm);
        else if (const std::optional<Field> old = extensions->find("VRM"))
            readOld(*old);
    }

    /// Per joint; none if the file states no roles.
    [[nodiscard]] std::vector<std::string> of(const std::vector<std::uint32_t>& nodes) const {
        std::vector<std::string> roles;
        if (roles_.empty())
            return roles;
        for (const std::uint32_t node : nodes) {
            const auto row = roles_.find(node);
            roles.push_back(row == roles_.end() ? std::string() : row->second);
        }
        return roles;
    }

  private:
    void readNew(const Field& vrm) {
        const std::optional<Field> humanoid = vrm.find("humanoid");
        const std::optional<Field> bones = humanoid ? humanoid->find("humanBones") : std::nullopt;
        if (!bones)
            return;
        for (const std::string& role : names())
            if (const std::optional<Field> bone = bones->find(role))
                if (const std::optional<Field> node = bone->find("node"))
                    roles_.emplace(node->index(count_), role);
    }

    void readOld(const Field& vrm) {
        const std::optional<Field> humanoid = vrm.find("humanoid");
        if (!humanoid)
            return;
        for (const Field& bone : humanoid->list("humanBones")) {
            std::string role = bone.textOrNone("bone");
            for (const std::string_view side : {"left", "right"}) {
                if (role == std::string(side) + "ThumbProximal")
                    role = std::string(side) + "ThumbMetacarpal";
                else if (role == std::string(side) + "ThumbIntermediate")
                    role = std::string(side) + "ThumbProximal";
            }
            if (const std::optional<Field> node = bone.find("node"))
                roles_.emplace(node->index(count_), role);
        }
    }

    static std::vector<std::string> names() {
        std::vector<std::string> all = {"hips", "spine", "chest", "upperChest", "neck", "head", "jaw"};
        for (const std::string side : {"left", "right"}) {
            for (const char* part : {"Eye", "Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot",
                                     "Toes", "ThumbMetacarpal", "ThumbProximal", "ThumbDistal"})
                all.push_back(side + part);
            for (const char* finger : {"Index", "Middle", "Ring", "Little"})
                for (const char* segment : {"Proximal", "Intermediate", "Distal"})
                    all.push_back(side + finger + segment);
        }
        return all;
    }

    std::size_t count_;
    std::map<std::uint32_t, std::string> roles_;
};

}  // namespace

std::vector<std::string> filesBeside(const GltfInput& input, const core::Limits& limits, Beside which) {
    return core::inFile(input.name, [&] { return Document(input, limits).filesBeside(which); });
}

Rig readRig(const GltfInput& input, const core::Limits& limits, core::Diagnostics& diagnostics) {
    const auto about = diagnostics.about(input.name);
    return core::inFile(input.name, [&] {
        Document document(input, limits);
        // A node of the file, of the scene that is looked through, and of the skeleton, with names and field paths.
        constexpr std::uint64_t kBytesANode = 3 * sizeof(core::SceneNode);
        if (const std::optional<Field> nodes = document.root().find("nodes"))
            core::requireMemory(document.memory() + nodes->size() * kBytesANode, limits, nodes->place());
        const std::string_view name = core::stemOf(core::fileNameOf(input.name));
        core::Scene scene = readScene(document, std::string(name), diagnostics);
        scene.surfaces = surfacesOf(document, scene, limits.holding(document.memory()), diagnostics);
        Rig rig = core::makeRig(scene, diagnostics);
        rig.source = input.name;
        rig.roles = VrmRoles(document).of(rig.nodes);
        for (const Field& node : document.root().list("nodes"))
            rig.hasMesh = rig.hasMesh || node.find("mesh");
        return rig;
    });
}

Rig readRigFile(core::File file, const core::Siblings& beside, const core::Limits& limits,
                core::Diagnostics& diagnostics) {
    return readRig({file.bytes, file.path, beside}, limits, diagnostics);
}

Rig openRig(const std::filesystem::path& path, const core::Limits& limits) {
    const std::string name = core::toUtf8(path);
    const core::File file = core::diskFiles()->read(name, limits);
    core::Diagnostics unused;
    return readRig({file.bytes, name, core::Siblings(core::diskFiles(), name, limits)}, limits, unused);
}

}  // namespace reanima::gltf
