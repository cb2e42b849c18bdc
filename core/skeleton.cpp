#include "core/skeleton.h"

#include <algorithm>

namespace reanima::core {

std::optional<std::uint32_t> Skeleton::find(std::string_view jointName) const {
    const auto joint =
        std::find_if(joints.begin(), joints.end(), [jointName](const Joint& j) { return j.name == jointName; });
    if (joint == joints.end())
        return std::nullopt;
    return static_cast<std::uint32_t>(joint - joints.begin());
}

Skeleton madeUpSkeleton(const std::vector<std::string>& names, double apart) {
    constexpr std::size_t kColumns = 8;
    Skeleton skeleton;
    skeleton.origin = Skeleton::Origin::madeUp;
    for (const std::string& name : names) {
        Joint& joint = skeleton.joints.emplace_back();
        joint.name = name;
        if (skeleton.joints.size() == 1)
            continue;
        const std::size_t place = skeleton.joints.size() - 2;
        const auto column = static_cast<double>(place % kColumns) - (kColumns - 1) / 2.0;
        const auto row = static_cast<double>(place / kColumns);  // NOLINT(bugprone-integer-division): whole rows
        joint.parent = 0;
        joint.rest.translation = {column * apart, row * apart, 0};
        joint.end = glm::vec3(0, 0, apart / 2);
    }
    return skeleton;
}

std::string_view originName(Skeleton::Origin origin) {
    switch (origin) {
        case Skeleton::Origin::given:
            return "given";
        case Skeleton::Origin::found:
            return "found";
        case Skeleton::Origin::madeUp:
            break;
    }
    return "made-up";
}

}  // namespace reanima::core
