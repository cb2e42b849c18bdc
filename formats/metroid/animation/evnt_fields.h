/// The fields of events, as docs/formats/metroid_evnt.md lists them.
#pragma once

#include "evnt.h"
#include "formats/fields.h"

namespace reanima::metroid {

using fields::RecordOf;

void describe(auto& f, RecordOf<Event> auto& event) {
    f("unknown_00", event.unknown00, fields::kMayLack);
    f("name", event.name);
    f("kind", event.kind, fields::kMayLack);
    f("time", event.time);
    f("time_kind", event.timeKind, fields::kMayLack);
    f("index", event.index, fields::kMayLack);
    f("unique", event.unique, fields::kMayLack);
    f("weight", event.weight, fields::kMayLack);
    f("character", event.character, fields::kMayLack);
    f("flags", event.flags, fields::kMayLack);
}

void describe(auto& f, RecordOf<BoolEvent> auto& event) { f("value", event.value); }

void describe(auto& f, RecordOf<IntEvent> auto& event) {
    f("value", event.value);
    f("locator", event.locator);
}

void describe(auto& f, RecordOf<ParticleEvent> auto& event) {
    f("duration", event.duration);
    f("effect_type", event.effectType);
    f("effect", event.effect);
    f("locator", event.locator);
    f("scale", event.scale);
    f("parent_mode", event.parentMode);
}

void describe(auto& f, RecordOf<SoundEvent> auto& event) {
    f("sound", event.sound);
    f("falloff", event.falloff);
    f("max_distance", event.maxDistance);
}

}  // namespace reanima::metroid
