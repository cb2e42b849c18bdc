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
    Properties facts;  // not a list in braces, which would be copied: files have many clips
    facts.reserve(14);
    facts.emplace_back("name", name);
    facts.emplace_back("id", clip.id);
    if (!clip.fullName.empty())
        facts.emplace_back("full_name", clip.fullName);
    facts.emplace_back("named_by", std::string(nameOf(clip.namedBy)));
    if (clip.linkedBy != LinkedBy::nothing)
        facts.emplace_back("linked_by", std::string(nameOf(clip.linkedBy)));
    facts.emplace_back("source", clip.source);
    facts.emplace_back("format", clip.format);
    facts.emplace_back("index", clip.index);
    facts.emplace_back("rate", clip.rate);
    facts.emplace_back("frames", clip.frames);
    Value& loop = facts.emplace_back("loop", nullptr).second;
    if (clip.loop)
        loop = *clip.loop;
    facts.emplace_back("root_motion", std::string(nameOf(clip.rootMotion)));
    facts.emplace_back("events", std::move(events));
    facts.emplace_back("counters", clip.counters);
    return facts;
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
