/// One animation of a skeleton: keys over time, and events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

#include "called.h"
#include "properties.h"

namespace reanima::core {

enum class Interpolation { linear, step };

/// How the displacement of a clip's root over the ground was changed.
enum class RootMotion {
    keep,
    inPlace,  ///< removed: the root stays above the origin
    drop,     ///< removed: the root stays at its rest position
    extract,  ///< removed as by inPlace, and stored in a joint on the ground or in Clip::travel
};

/// The values of one property of one joint.
template <typename T>
struct Channel {
    std::uint32_t timeline = 0;  ///< index into Clip::timelines; unused for fewer than two values
    Interpolation interpolation = Interpolation::linear;
    std::vector<T> values;  ///< empty: the joint keeps its rest; one: constant; otherwise one per time of the timeline

    [[nodiscard]] bool isAnimated() const { return values.size() > 1; }
    [[nodiscard]] bool isPresent() const { return !values.empty(); }
};

/// The channels of one joint. Values are relative to the parent and replace the rest pose.
struct JointTrack {
    std::uint32_t joint = 0;         ///< index into the asset's skeleton
    Channel<glm::vec3> translation;  ///< metres
    Channel<glm::quat> rotation;     ///< unit quaternions; neighbours have a dot product >= 0
    Channel<glm::vec3> scale;
};

/// Something that happens at a time: a footstep, a sound.
struct EventMarker {
    double time = 0;  ///< seconds
    std::string name;
    Properties properties;  ///< "type" and the stored values
};

struct Clip {
    std::string name;         ///< unique in its asset
    std::string source;       ///< name of the file that contains it, without folder
    std::string format;       ///< id of that file's format
    std::uint32_t index = 0;  ///< position in the file; empty and damaged clips count, too
    std::uint32_t id = 0;     ///< the clip's number in the file or archive; the index if it has none

    double rate = 30;          ///< frames per second of the source
    std::uint32_t frames = 0;  ///< frames of the source
    double duration = 0;       ///< seconds: the time of the last frame

    /// Lists of key times in seconds: not empty, 0 or later, strictly ascending.
    std::vector<std::vector<float>> timelines;
    std::vector<JointTrack> tracks;  ///< at most one per joint, in ascending order of joints
    std::vector<EventMarker> events;
    /// Metres in model space: the displacement over the ground, if it was extracted.
    Channel<glm::vec3> travel{};
    RootMotion rootMotion = RootMotion::keep;

    std::string fullName{};  ///< the clip's name in the game: `ANH_MAIN_F0_ZDN_RUN`; empty: unknown
    NamedBy namedBy = NamedBy::file;
    LinkedBy linkedBy = LinkedBy::nothing;

    std::optional<bool> loop{};  ///< as stored in the file; unset: the file does not state it
    Properties counters{};       ///< as stored in the file

    /// The track of a joint, or null.
    [[nodiscard]] const JointTrack* trackOf(std::uint32_t joint) const;
    [[nodiscard]] JointTrack* trackOf(std::uint32_t joint);
};

/// Calls visit(channel) for every channel of a track: translation, rotation, scale. `visit` must accept channels of
/// both types, const if the track is const.
template <typename Track, typename Visit>
requires std::is_same_v<std::remove_const_t<Track>, JointTrack>
void forEachChannel(Track& track, const Visit& visit) {
    visit(track.translation);
    visit(track.rotation);
    visit(track.scale);
}

/// Calls visit(channel) for the channels of all tracks of a clip, and then for `travel`.
template <typename AnyClip, typename Visit>
requires std::is_same_v<std::remove_const_t<AnyClip>, Clip>
void forEachChannel(AnyClip& clip, const Visit& visit) {
    for (auto& track : clip.tracks)
        forEachChannel(track, visit);
    visit(clip.travel);
}

/// The index of the clip's timeline with these times. Adds it if it is missing.
[[nodiscard]] std::uint32_t timelineOf(Clip& clip, std::vector<float> times);

/// The time of a frame in seconds. Frames may be fractional. Times are never accumulated: float(double(frame) / rate).
[[nodiscard]] inline float frameTime(double frame, double rate) { return static_cast<float>(frame / rate); }

/// The times of the frames 0 to `count` - 1.
[[nodiscard]] std::vector<float> frameTimes(std::size_t count, double rate);

/// The number of each clip: its Clip::index. If clips share an index, all but the first get numbers above the highest.
[[nodiscard]] std::vector<std::uint32_t> numbersOf(const std::vector<Clip>& clips);

}  // namespace reanima::core
