#include "core/rest_height.h"

#include <algorithm>
#include <limits>

#include "core/pose.h"

namespace reanima::core {

std::optional<double> restHeight(const BodySurface& surface, const Skeleton& skeleton) {
    const std::vector<glm::dmat4> globals = globalMatrices(skeleton, restPose(skeleton));
    double lowest = std::numeric_limits<double>::max();
    double highest = std::numeric_limits<double>::lowest();
    for (std::size_t joint = 0; joint < surface.points.size(); ++joint)
        for (const glm::vec3& point : surface.points[joint]) {
            const double y = (globals[joint] * glm::dvec4(glm::dvec3(point), 1)).y;
            lowest = std::min(lowest, y);
            highest = std::max(highest, y);
        }
    return lowest <= highest ? std::optional(highest - lowest) : std::nullopt;
}

}  // namespace reanima::core
