#include "binding/soles.h"

#include <glm/geometric.hpp>

#include "binding/motion/linked_skeletons.h"

namespace reanima::binding {

std::vector<Sole> solesOf(const roles::Anatomy& sourceRoles, const core::Skeleton& target,
                          const roles::Anatomy& targetRoles) {
    const motion::Globals rest = motion::globalsOf(target, core::restPose(target));
    const auto hips = targetRoles.jointOf(roles::Part::hips);
    const auto left = targetRoles.jointOf(roles::Part::foot, roles::Side::left);
    const auto right = targetRoles.jointOf(roles::Part::foot, roles::Side::right);
    std::vector<Sole> soles;
    if (!hips || !left || !right)
        return soles;
    const glm::dvec3 legs = 2.0 * rest.positions[*hips] - rest.positions[*left] - rest.positions[*right];
    if (!(glm::length(legs) > 0))
        return soles;
    const glm::dvec3 up = glm::normalize(legs);
    for (const roles::Side side : {roles::Side::left, roles::Side::right})
        for (const roles::Part part : {roles::Part::toes, roles::Part::foot}) {
            const auto from = sourceRoles.jointOf(part, side);
            const auto to = targetRoles.jointOf(part, side);
            if (from && to) {
                soles.push_back({side, *from, *to, glm::dot(rest.positions[*to], up)});
                break;
            }
        }
    return soles;
}

}  // namespace reanima::binding
