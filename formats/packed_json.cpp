#include "formats/packed_json.h"

namespace reanima {

void putPacked(Json& json, const PackedFrames& frames) {
    if (!frames.isDamaged) {
        json["frames"] = toJson(frames);
        json["tail_bits"] = frames.tailBits;
        Json wide = Json::array();
        for (const PackedFrames::Wide& value : frames.wide)
            wide.push_back({value.value, value.code});
        json["wide"] = std::move(wide);
    }
    json["gap"] = toHex(frames.gap);
}

void packedFromJson(const JsonReader& json, std::size_t triples, std::size_t most, PackedFrames& frames,
                    DerivedMembers& derived) {
    frames.gap = json.hexOrNone("gap");
    frames.isDamaged = !json.has("frames");
    derived.expect(json, "damaged", frames.isDamaged);
    if (frames.isDamaged)
        return;
    const JsonReader list = json.at("frames");
    list.requireSize(0, most);
    framesFromJson(list, frames);
    for (std::size_t frame = 0; frame < list.size(); ++frame)
        list.at(frame).at("rotations").requireSize(triples);
    frames.tailBits = json.integerOr("tail_bits", frames.tailBits);
    for (const JsonReader& value : json.list("wide")) {
        value.requireSize(2);
        frames.wide.push_back(
            {value.at(0).integer<std::uint32_t>(), static_cast<std::uint8_t>(value.at(1).integer(0, 3))});
    }
}

}  // namespace reanima
