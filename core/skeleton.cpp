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
