#include "binding/motion/bound_meshes.h"

#include <algorithm>

#include "binding/motion/linked_skeletons.h"
#include "core/bake.h"

namespace reanima::motion {

namespace {

/// A source joint and the target joint that follows it.
struct Followed {
    std::uint32_t source = 0;
    std::uint32_t target = 0;
};

class MeshBinder {
  public:
    MeshBinder(const Asset& asset, const Skeleton& target, const Binding& binding)
        : binding_(binding), linked_(*asset.skeleton, target, binding), height_(RestBaker(asset).height()) {
        for (std::uint32_t joint = 0; joint < asset.skeleton->joints.size(); ++joint)
            followed_.push_back(followedBy(joint));
    }

    [[nodiscard]] Primitive bind(Primitive primitive) const {
        for (std::size_t i = 0; i < primitive.positions.size(); ++i) {
            const std::uint32_t joint = primitive.joints[i];
            glm::dvec3 position(primitive.positions[i]);
            if (!primitive.lifts.empty())
                position += height_ * glm::dvec3(primitive.lifts[i]);
            primitive.positions[i] = moved(joint, position);
            if (!primitive.normals.empty())
                primitive.normals[i] = glm::vec3(glm::normalize(turnFrom(joint) * glm::dvec3(primitive.normals[i])));
            primitive.joints[i] = followed_[joint].target;
        }
        for (std::size_t i = 0; i < primitive.others.size(); ++i) {
            for (core::Influence& other : primitive.others[i]) {
                other.position = moved(other.joint, glm::dvec3(other.position));
                other.joint = followed_[other.joint].target;
            }
            core::joinInfluences(primitive, i);
        }
        primitive.lifts.clear();
        return primitive;
    }

  private:
    /// The rotation from the space of a source joint to that of its follower.
    [[nodiscard]] glm::dquat turnFrom(std::uint32_t joint) const {
        return glm::conjugate(turnOf(followed_[joint])) * linked_.reference().rotations[joint];
    }

    /// Converts a position from the space of a source joint to that of its follower.
    [[nodiscard]] glm::vec3 moved(std::uint32_t joint, const glm::dvec3& position) const {
        const Followed& way = followed_[joint];
        const glm::dvec3 away = linked_.reference().positions[joint] - linked_.reference().positions[way.source];
        const double scale = binding_.scale / linked_.rest().scales[way.target];
        return {scale * (turnFrom(joint) * (linked_.reference().scales[joint] * position) +
                         glm::conjugate(turnOf(way)) * away)};
    }

    /// The target joint's rotation in model space for the source's reference pose.
    [[nodiscard]] glm::dquat turnOf(const Followed& way) const {
        return binding_.mode == BindMode::copy ? linked_.reference().rotations[way.source]
                                               : linked_.constant(way.target);
    }

    [[nodiscard]] Followed followedBy(std::uint32_t joint) const {
        for (const std::uint32_t above : linked_.source().upFrom(joint)) {
            const auto carried = std::ranges::find(binding_.attachments, above, &Attachment::source);
            if (carried != binding_.attachments.end())
                return {above, linked_.followerOf(above)};
            const auto link = std::ranges::find(binding_.links, above, &JointLink::source);
            if (link != binding_.links.end())
                return {above, link->target};
        }
        const auto first = std::ranges::min_element(binding_.links, {}, &JointLink::target);
        return first == binding_.links.end() ? Followed{joint, 0} : Followed{first->source, first->target};
    }

    const Binding& binding_;
    LinkedSkeletons linked_;
    double height_;  ///< of the first mesh at rest
    std::vector<Followed> followed_;
};

}  // namespace

std::vector<Mesh> bindMeshes(const Asset& asset, const Skeleton& target, const Binding& binding) {
    const MeshBinder binder(asset, target, binding);
    std::vector<Mesh> meshes = asset.meshes;
    std::erase_if(meshes, [](const Mesh& mesh) {  // a mesh without joints follows nothing
        return std::ranges::any_of(mesh.primitives, [](const Primitive& part) { return part.joints.empty(); });
    });
    for (Mesh& mesh : meshes)
        for (Primitive& primitive : mesh.primitives)
            primitive = binder.bind(std::move(primitive));
    return meshes;
}

}  // namespace reanima::motion
