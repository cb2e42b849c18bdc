#include "gltf_export/vrm_roles.h"

#include <map>
#include <optional>
#include <string_view>

namespace reanima::gltf {

namespace {

/// Reads the roles of nodes.
class VrmRoles {
  public:
    explicit VrmRoles(const Document& document) : count_(document.root().list("nodes").size()) {
        const std::optional<Field> extensions = document.root().find("extensions");
        if (!extensions)
            return;
        if (const std::optional<Field> vrm = extensions->find("VRMC_vrm"))
            readNew(*vrm);
        else if (const std::optional<Field> motion = extensions->find("VRMC_vrm_animation"))
            readNew(*motion);
        else if (const std::optional<Field> old = extensions->find("VRM"))
            readOld(*old);
    }

    /// The roles of these nodes. Empty if the file states no roles.
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

std::vector<std::string> vrmRoles(const Document& document, const std::vector<std::uint32_t>& nodes) {
    return VrmRoles(document).of(nodes);
}

}  // namespace reanima::gltf
