#include "fuzz/targets.h"

#include <iterator>

namespace reanima::fuzz {

std::vector<Target> targets() {
    std::vector<Target> all = formatTargets();
    for (auto more : {encodeTargets(),
                      listTargets(),
                      archiveTargets(),
                      ff7Targets(),
                      folderTargets(),
                      motionTargets(),
                      wayBackTargets(),
                      {pngTarget(), rigTarget(), scriptTarget()}})
        std::move(more.begin(), more.end(), std::back_inserter(all));
#ifdef REANIMA_FUZZ_ASSIMP
    all.push_back(assimpTarget());
    for (Target& target : sceneTargets())
        all.push_back(std::move(target));
#endif
    return all;
}

core::Limits smallLimits() {
    core::Limits limits;
    limits.samples = 1U << 16U;
    limits.memory = 4U << 20U;
    limits.picturePixels = 1U << 16U;
    limits.videoPixels = 1U << 20U;
    return limits;
}

std::uint32_t hashOf(core::Bytes bytes) {
    std::uint32_t hash = 2166136261U;  // FNV-1a
    for (const std::uint8_t byte : bytes)
        hash = (hash ^ byte) * 16777619U;
    return hash >> 8U;
}

}  // namespace reanima::fuzz
