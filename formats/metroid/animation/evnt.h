/// Events of Metroid Prime's animations (EVNT).
///
/// Layout, units and evidence: docs/formats/metroid_evnt.md
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "../../../core/bytes.h"
#include "../../../core/clip.h"
#include "../../../core/diagnostics.h"

namespace reanima::metroid {

struct BoolEvent {
    std::uint8_t value = 0;
};

struct IntEvent {
    std::uint32_t value = 0;
    std::string locator;  ///< name of a place on the model
};

struct ParticleEvent {
    std::uint32_t duration = 0;
    std::uint32_t effectType = 0;  ///< four letters
    std::uint32_t effect = 0;      ///< id of the effect's file
    std::string locator;           ///< name of the place where it appears
    float scale = 1;
    std::uint32_t parentMode = 0;
};

struct SoundEvent {
    std::uint32_t sound = 0;
    float falloff = 0;
    float maxDistance = 0;
};

struct Event {
    std::uint16_t unknown00 = 1;
    std::string name;
    std::uint16_t kind = 0;  ///< not used here; the game defines its meaning
    float time = 0;          ///< seconds
    std::uint32_t timeKind = 0;
    std::uint32_t index = 0;
    std::uint8_t unique = 0;
    float weight = 1;
    std::int32_t character = 0;  ///< -1: any
    std::uint32_t flags = 0;
    std::variant<BoolEvent, IntEvent, ParticleEvent, SoundEvent> content{};
};

/// `bool`, `int`, `particle` or `sound`.
[[nodiscard]] std::string_view typeName(const Event& event);

struct Evnt {
    std::uint32_t version = 2;  ///< version 1 has no sounds
    std::vector<Event> events;  ///< in the order of the file: by type
    core::ByteVector padding;
};

/// @throws core::DecodeError for a truncated file, an unknown version, impossible counts, texts without an end, and
/// numbers that are not finite or above 1e18
[[nodiscard]] Evnt decodeEvnt(core::Bytes file, core::Diagnostics& diagnostics);

/// Encodes the events, grouped by type. A decoded file is reproduced byte for byte.
[[nodiscard]] core::ByteVector encodeEvnt(const Evnt& evnt);

/// The events as markers, sorted by time.
/// @param speed 2 if the animation plays twice as fast as stored
[[nodiscard]] std::vector<core::EventMarker> toMarkers(const Evnt& evnt, double speed);

/// True if all bytes have the structure of events.
[[nodiscard]] bool isEvnt(core::Bytes file);

}  // namespace reanima::metroid
