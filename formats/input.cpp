#include "formats/input.h"

#include <algorithm>

namespace reanima {

Input readInput(const std::shared_ptr<const core::Files>& files, const std::string& path, const core::Limits& limits,
                const Format* known) {
    File file = files->read(path, limits);
    const core::Limits left = limits.holding(file.bytes.size());
    std::string place = file.path;
    Siblings siblings = place.empty() ? Siblings() : Siblings(files, place, left);
    Input input(std::move(file), std::move(siblings), known, std::move(place));
    input.memoryLeft = limits.memory - std::min(limits.memory, left.held);
    return input;
}

}  // namespace reanima
