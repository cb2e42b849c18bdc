#include "core/facts.h"

#include <fmt/format.h>

#include "core/root_motion.h"

namespace reanima::core {

Properties factsOf(const Clip& clip, const std::string& name) {
    std::vector<Value> events;
    for (const EventMarker& event : clip.events) {
        Properties marker = {{"time", event.time}, {"name", event.name}};
        marker.insert(marker.end(), event.properties.begin(), event.properties.end());
        events.emplace_back(std::move(marker));
    }
    return {{"name", name},
            {"source", clip.source},
            {"format", clip.format},
            {"index", clip.index},
            {"rate", clip.rate},
            {"frames", clip.frames},
            {"loop", clip.loop ? Value(*clip.loop) : Value()},
            {"root_motion", std::string(nameOf(clip.rootMotion))},
            {"events", std::move(events)},
            {"counters", clip.counters}};
}

Properties factsOf(const ImageSequence& images) {
    return {{"name", images.name},
            {"source", images.source},
            {"format", images.format},
            {"index", 0},
            {"rate", images.rate()},
            {"rate_exact", std::vector<Value>{images.rateNumerator, images.rateDenominator}},
            {"frames", images.count},
            {"loop", nullptr},
            {"root_motion", std::string(nameOf(RootMotion::keep))},
            {"events", std::vector<Value>()},
            {"width", images.shownWidth()},
            {"height", images.shownHeight()},
            {"transposed", images.transposed},
            {"palindrome", images.palindrome},
            {"color_key", images.colorKey ? Value(fmt::format("{:04X}", *images.colorKey)) : Value()},
            {"counters", images.counters}};
}

}  // namespace reanima::core
