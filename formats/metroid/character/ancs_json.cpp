#include "formats/metroid/character/ancs_json.h"

#include <nlohmann/json.hpp>

#include "formats/metroid/json_fields.h"

namespace reanima::metroid {

namespace {

/// A list of the results of `make` for all elements.
template <typename T, typename Make>
Json listOf(const std::vector<T>& elements, const Make& make) {
    Json list = Json::array();
    for (const T& element : elements)
        list.push_back(make(element));
    return list;
}

Json toJson(const Primitives& primitives) {
    return listOf(primitives, [](const Primitive& primitive) -> Json {
        return {{"anim", primitive.anim}, {"index", primitive.index}, {"name", textToJson(primitive.name)}};
    });
}

Json toJson(const AncsCharacter& character) {
    Json json = {{"index", character.index}, {"version", character.version}, {"name", textToJson(character.name)},
                 {"model", character.model}, {"skin", character.skin},       {"skeleton", character.skeleton}};
    json["animations"] = listOf(character.actions, [](const AncsCharacter::Action& action) -> Json {
        return {{"index", action.index}, {"name", textToJson(action.name)}};
    });
    if (character.overlay)
        json["overlay"] = {{"model", character.overlay->model}, {"skin", character.overlay->skin}};
    else
        json["overlay"] = nullptr;
    json["used"] = character.used;
    return json;
}

}  // namespace

Json toJson(const Ancs& ancs, const core::Diagnostics& diagnostics) {
    Json json = {{"schema", 1}, {"format", "metroid-ancs"}, {"game", gameName(ancs.game)}};
    json["characters"] = listOf(ancs.characters, [](const AncsCharacter& character) { return toJson(character); });
    std::uint32_t index = 0;
    json["animations"] = listOf(ancs.animations, [&index](const Ancs::Animation& animation) -> Json {
        return {{"index", index++}, {"name", textToJson(animation.name)}, {"primitives", toJson(animation.primitives)}};
    });
    json["transitions"] = listOf(ancs.transitions, [](const Ancs::Transition& transition) -> Json {
        return {{"a", transition.from}, {"b", transition.to}, {"primitives", toJson(transition.primitives)}};
    });
    json["default_transition"] = toJson(ancs.defaultTransition);
    json["additive"] = listOf(ancs.additive, [](const Ancs::Additive& additive) -> Json {
        return {{"index", additive.index},
                {"fade_in", floatToJson(additive.fadeIn)},
                {"fade_out", floatToJson(additive.fadeOut)}};
    });
    json["half_transitions"] = listOf(ancs.halfTransitions, [](const Ancs::HalfTransition& half) -> Json {
        return {{"index", half.index}, {"primitives", toJson(half.primitives)}};
    });
    json["resources"] = nullptr;
    if (ancs.resources)
        json["resources"] = listOf(*ancs.resources, [](const Ancs::Resource& resource) -> Json {
            return {{"anim", resource.anim}, {"evnt", resource.evnt}};
        });
    json["warnings"] = warningsToJson(diagnostics);
    return json;
}

}  // namespace reanima::metroid
