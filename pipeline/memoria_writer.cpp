#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/memory.h"
#include "core/pose.h"
#include "core/rotation.h"
#include "core/text.h"
#include "json/json.h"
#include "pipeline/decimal_text.h"
#include "pipeline/memoria_file.h"

namespace reanima {

namespace {

constexpr float kUnitsAMetre = 256;

std::string asJsonText(const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A key's time and values.
template <std::size_t count>
void addKey(double seconds, const std::array<float, count>& values, std::string& text) {
    constexpr std::string_view kLetters = "xyzw";
    text += "{\"time\":";
    addDecimal(seconds, Zeros::cut, text);
    for (std::size_t i = 0; i < count; ++i) {
        text += ",\"";
        text += kLetters[i];
        text += "\":";
        addDecimal(static_cast<double>(values[i]), Zeros::cut, text);
    }
    text += '}';
}

/// Writes the keys of a property. A constant property has two keys.
template <std::size_t count>
void addKeys(std::string_view name, const std::vector<double>& times, const std::vector<std::array<float, count>>& keys,
             std::string& text) {
    text += fmt::format(",\n   \"{}\": [", name);
    const bool isStill = std::ranges::all_of(keys, [&keys](const auto& key) { return key == keys.front(); });
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (isStill && i > 0 && i + 1 < keys.size())
            continue;
        if (i > 0)
            text += ',';
        addKey(times[i], keys[i], text);
    }
    text += ']';
}

/// The times of the keys: all frames, and the clip's end.
/// @throws DecodeError of the kind `limit` if they exceed the memory limit
std::vector<double> keyTimesIn(const core::Clip& clip, double rate, std::size_t joints, const core::Limits& limits) {
    constexpr double kRounding = 1e-3;         // tolerance, as a part of a frame
    constexpr std::uint64_t kBytesAKey = 400;  // per joint: the texts of three properties, doubled while they grow
    const double frames = std::ceil(std::max(clip.duration, 0.0) * rate - kRounding) + 1;
    constexpr double kMost = 1e12;
    const std::uint64_t count = static_cast<std::uint64_t>(std::clamp(frames, 1.0, kMost));
    core::requireMemory(
        frames < kMost && joints > 0 && count < std::numeric_limits<std::uint64_t>::max() / kBytesAKey / joints
            ? count * kBytesAKey * joints
            : std::numeric_limits<std::uint64_t>::max(),
        limits, {"the .anim file", std::nullopt});
    std::vector<double> times;
    const auto end = static_cast<double>(static_cast<float>(clip.duration));  // a float, like the last key
    for (std::uint64_t frame = 0; frame < count; ++frame)
        times.push_back(std::min(static_cast<double>(core::frameTime(static_cast<double>(frame), rate)), end));
    return times;
}

}  // namespace

double memoriaKeyRate(double rate) {
    constexpr double kLeast = 30;
    constexpr double kNearly = 0.01;  // tolerance: 29.97 counts as 30
    return rate > 0 ? rate * std::max(1.0, std::ceil(kLeast / rate - kNearly)) : kLeast;
}

MemoriaWriter::MemoriaWriter(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips)
    : skeleton_(skeleton), scales_(skeleton.joints.size()) {
    constexpr glm::vec3 kSame(1, 1, 1);
    std::vector<std::string> paths;
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint) {
        std::string name = skeleton.joints[joint].name;
        std::ranges::replace(name, '/', '_');
        const auto parent = skeleton.parentOf(joint);
        paths.push_back(parent ? paths[*parent] + "/" + name : name);
        paths_.push_back(asJsonText(paths.back()));
        scales_[joint] = skeleton.joints[joint].rest.scale != kSame;
    }
    for (const core::Clip& clip : clips)
        for (const core::JointTrack& track : clip.tracks)
            if (std::ranges::any_of(track.scale.values, [&](const glm::vec3& scale) { return scale != kSame; }))
                scales_[track.joint] = true;
}

std::string MemoriaWriter::textOf(const core::Clip& clip, const core::Limits& limits) const {
    const double rate = memoriaKeyRate(clip.rate);
    const std::vector<double> times = keyTimesIn(clip, rate, skeleton_.joints.size(), limits);
    std::string text = "{\"name\": ";
    text += asJsonText(clip.name) + ", \"frameRate\": ";
    addDecimal(rate, Zeros::cut, text);
    text += ", \"transform\": [";
    const core::JointTrack still;
    for (std::uint32_t joint = 0; joint < skeleton_.joints.size(); ++joint) {
        const core::Transform& rest = skeleton_.joints[joint].rest;
        const core::JointTrack* found = clip.trackOf(joint);
        const core::JointTrack& track = found != nullptr ? *found : still;
        const bool isRoot = !skeleton_.parentOf(joint);
        std::vector<std::array<float, 4>> rotations;
        std::vector<std::array<float, 3>> places;
        std::vector<std::array<float, 3>> scales;
        glm::quat before = rest.rotation;
        for (const double time : times) {
            before = core::nearestSign(core::sampleChannel(clip, track.rotation, time, rest.rotation), before);
            rotations.push_back({before.x, before.y, before.z, before.w});
            glm::vec3 place = core::sampleChannel(clip, track.translation, time, rest.translation);
            if (isRoot)
                place += core::sampleChannel(clip, clip.travel, time, glm::vec3(0));
            place *= -kUnitsAMetre;
            places.push_back({place.x, place.y, place.z});
            const glm::vec3 scale = core::sampleChannel(clip, track.scale, time, rest.scale);
            scales.push_back({scale.x, scale.y, scale.z});
        }
        text += fmt::format("{}\n  {{\"bone\": {}", joint == 0 ? "" : ",", paths_[joint]);
        addKeys("localRotation", times, rotations, text);
        addKeys("localPosition", times, places, text);
        if (scales_[joint])
            addKeys("localScale", times, scales, text);
        text += '}';
    }
    return text + "]}\n";
}

}  // namespace reanima
