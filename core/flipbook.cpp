#include "core/flipbook.h"

#include <fmt/format.h>

namespace reanima::core {

std::vector<VisibilityKey> visibilityKeys(std::uint32_t index, std::uint32_t count, double step, double guard) {
    const double appears = index * step;
    const double ends = (index + 1) * step;
    const bool last = index + 1 == count;
    std::vector<VisibilityKey> keys;
    if (index > 0) {
        keys.push_back({0, 0});
        keys.push_back({appears - guard, 0});
    }
    keys.push_back({appears, 1});
    if (!last) {
        keys.push_back({ends - guard, 1});
        keys.push_back({ends, 0});
    }
    keys.push_back({count * step, last ? 1.0F : 0.0F});
    return keys;
}

std::string frameName(std::uint32_t index) { return fmt::format("frame{:04}", index); }

}  // namespace reanima::core
