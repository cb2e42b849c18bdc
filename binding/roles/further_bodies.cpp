#include "binding/roles/further_bodies.h"

#include <algorithm>

#include <glm/geometric.hpp>

#include "core/pose.h"

namespace reanima::roles {

namespace {

/// A joint with all its descendants.
struct Tree {
    std::size_t joints = 0;
    bool hasRoles = false;
    glm::dvec3 sum{0};  ///< of positions

    [[nodiscard]] glm::dvec3 centre() const { return sum / static_cast<double>(joints); }
};

}  // namespace

std::vector<FurtherBody> furtherBodies(const core::Skeleton& rig, const Anatomy& anatomy) {
    const auto hips = anatomy.jointOf(Part::hips);
    const auto head = anatomy.jointOf(Part::head);
    if (!hips || !head)
        return {};
    const std::vector<glm::dmat4> globals = core::globalMatrices(rig, core::restPose(rig));
    const auto parentOf = [&](std::size_t joint) { return rig.joints[joint].parent; };
    std::vector<Tree> trees(rig.joints.size());
    for (std::size_t joint = trees.size(); joint-- > 0;) {
        Tree& tree = trees[joint];
        ++tree.joints;
        tree.sum += glm::dvec3(globals[joint][3]);
        tree.hasRoles = tree.hasRoles || isBody(anatomy.roles[joint].part);
        if (parentOf(joint) == core::kNoParent)
            continue;
        Tree& above = trees[static_cast<std::size_t>(parentOf(joint))];
        above.joints += tree.joints;
        above.sum += tree.sum;
        above.hasRoles = above.hasRoles || tree.hasRoles;
    }
    const glm::dvec3 up = glm::dvec3(globals[*head][3]) - glm::dvec3(globals[*hips][3]);
    const double torso = glm::length(up);
    std::vector<FurtherBody> bodies;
    for (std::size_t joint = 0; joint < trees.size() && torso > 0; ++joint) {
        const bool isTop = !trees[joint].hasRoles && (parentOf(joint) == core::kNoParent ||
                                                      trees[static_cast<std::size_t>(parentOf(joint))].hasRoles);
        if (!isTop || 2 * trees[joint].joints < trees[*hips].joints)
            continue;
        const glm::dvec3 way = trees[joint].centre() - trees[*hips].centre();
        const glm::dvec3 level = way - up * (glm::dot(way, up) / (torso * torso));
        constexpr double kBeside = 0.7;  // of the torso: nearer bodies would touch
        if (glm::length(level) > kBeside * torso)
            bodies.push_back({rig.joints[joint].name, trees[joint].joints});
    }
    return bodies;
}

}  // namespace reanima::roles
