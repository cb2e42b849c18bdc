#include "gltf_export/patched_accessors.h"

#include <algorithm>

namespace reanima::gltf {

int PatchedAccessors::numberOf(int built) const {
    const std::size_t count = file_.countOf("accessors");
    const std::size_t further = static_cast<std::size_t>(built) - count;
    return static_cast<int>(further < free_.size() ? free_[further] : count + further - free_.size());
}

void PatchedAccessors::take(Model& model) {
    const std::size_t views = buffers_.viewCount();
    for (Accessor& accessor : model.accessors)
        accessor.bufferView =
            static_cast<int>(buffers_.numberOfNext(static_cast<std::size_t>(accessor.bufferView) - views));
    if (!free_.empty())
        for (Animation& animation : model.animations)
            for (AnimationSampler& sampler : animation.samplers) {
                sampler.input = numberOf(sampler.input);
                sampler.output = numberOf(sampler.output);
            }
    const std::size_t reused = std::min(model.accessors.size(), free_.size() - reused_);
    const std::vector<TextRange> ranges = reused > 0 ? file_.elementsOf("accessors") : std::vector<TextRange>();
    for (std::size_t i = 0; i < model.accessors.size(); ++i)
        if (i < reused)
            file_.edits.replace(ranges[free_[reused_++]], elementText(model.accessors[i]));
        else
            added_.add(model.accessors[i]);
    model.accessors.clear();
}

void PatchedAccessors::finish() {
    const std::vector<TextRange> ranges = file_.elementsOf("accessors");
    for (; reused_ < free_.size(); ++reused_)
        file_.edits.replace(ranges[free_[reused_]], R"({"componentType":5126,"count":1,"type":"SCALAR"})");
    file_.edits.appendToList(file_.whole, "accessors", added_.take());
}

}  // namespace reanima::gltf
