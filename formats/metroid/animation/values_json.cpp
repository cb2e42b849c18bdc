#include "formats/metroid/animation/values_json.h"

#include <bit>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace reanima::metroid {

using core::DecodeError;

namespace {

Json toJson(const glm::dquat& q) { return {q.w, q.x, q.y, q.z}; }
Json toJson(const glm::dvec3& v) { return {v.x, v.y, v.z}; }

template <typename T>
Json keysToJson(const std::vector<T>& values, std::size_t count) {
    if (values.empty())
        return nullptr;
    Json keys = Json::array();
    for (std::size_t key = 0; key < count; ++key)
        keys.push_back(toJson(values[values.size() == 1 ? 0 : key]));
    return keys;
}

glm::dquat keyFromJson(const JsonReader& json, const glm::dquat*) {
    const std::array<double, 4> q = tupleFromJson<4>(json);
    return {q[0], q[1], q[2], q[3]};
}

glm::dvec3 keyFromJson(const JsonReader& json, const glm::dvec3*) {
    const std::array<double, 3> v = tupleFromJson<3>(json);
    return {v[0], v[1], v[2]};
}

/// One value per key. Empty if the channel has no values.
template <typename T>
std::vector<T> keysFromJson(const JsonReader& channel, const char* name, std::size_t count) {
    std::vector<T> keys;
    if (!channel.has(name))
        return keys;
    const JsonReader list = channel.at(name);
    if (list.size() != count)
        throw DecodeError(list.place(), fmt::format("has {} keys, expected {}", list.size(), count));
    for (std::size_t key = 0; key < count; ++key)
        keys.push_back(keyFromJson(list.at(key), static_cast<const T*>(nullptr)));
    return keys;
}

}  // namespace

Json channelToJson(const ChannelValues& channel, std::size_t count) {
    return {{"bone", channel.bone},
            {"rotation", keysToJson(channel.rotations, count)},
            {"translation", keysToJson(channel.translations, count)},
            {"scale", keysToJson(channel.scales, count)}};
}

std::optional<std::uint32_t> commonKeyCount(const JsonReader& channels) {
    std::optional<std::uint32_t> common;
    for (std::size_t i = 0; i < channels.size(); ++i)
        for (const char* name : kPropertyNames) {
            if (!channels.at(i).has(name))
                continue;
            const auto keys = static_cast<std::uint32_t>(channels.at(i).at(name).size());
            if (keys == 0 || keys != common.value_or(keys))
                return std::nullopt;
            common = keys;
        }
    return common;
}

std::vector<ChannelValues> valuesFromJson(const JsonReader& channels, std::size_t keyCount) {
    std::vector<ChannelValues> values;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const JsonReader channel = channels.at(i);
        values.push_back({channel.at("bone").integer<std::uint32_t>(),
                          keysFromJson<glm::dquat>(channel, "rotation", keyCount),
                          keysFromJson<glm::dvec3>(channel, "translation", keyCount),
                          keysFromJson<glm::dvec3>(channel, "scale", keyCount)});
    }
    return values;
}

void recomputed(core::Diagnostics& diagnostics, const std::string& field, std::string text) {
    diagnostics.warn(core::Code::recomputed, {field, std::nullopt}, std::move(text));
}

}  // namespace reanima::metroid
