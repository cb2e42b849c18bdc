#include "formats/ff9/mesh_json.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace reanima::ff9 {

namespace {

constexpr std::size_t kMostGroups = 255;
constexpr std::size_t kMostOfAKind = 65535;

template <std::size_t size>
Json listOf(const std::array<std::uint16_t, size>& indices, std::size_t corners) {
    return std::vector<std::uint16_t>(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(corners));
}

Json toJson(const Face& face) {
    const FaceLayout& layout = layoutOf(face.kind);
    Json json = {{"vertices", listOf(face.vertices, layout.corners)}, {"flags", face.flags}};
    if (layout.uv)
        json["uv"] = listOf(face.uv, layout.corners);
    if (layout.colors)
        json["colors"] = listOf(face.colors, layout.corners);
    if (layout.rgb)
        json["rgb"] = face.rgb;
    if (layout.material)
        json["material"] = face.material;
    if (layout.direction)
        json["direction"] = face.direction;
    if (std::any_of(face.unnamed.begin(), face.unnamed.end(), [](std::uint8_t byte) { return byte != 0; })) {
        const auto record = encodeFace(face);
        json["raw"] = toHex(core::Bytes(record).first(layout.size));
    }
    return json;
}

Json toJson(const Group& group, std::size_t index) {
    if (group.damaged)
        return {{"index", index}, {"damaged", true}};
    Json vertices = Json::array();
    for (const Vertex& vertex : group.vertices)
        vertices.push_back({vertex.x, vertex.y, vertex.z, vertex.bone, vertex.direction});
    Json faces = Json::object();
    for (std::size_t kind = 0; kind < kFaceKinds; ++kind)
        faces[std::string(layoutOf(static_cast<FaceKind>(kind)).name)] = Json::array();
    for (const Face& face : group.faces)
        faces[std::string(layoutOf(face.kind).name)].push_back(toJson(face));
    return {{"index", index},
            {"depth", group.depth},
            {"packet_bytes", group.packetBytes},
            {"unknown_12", group.unknown12},
            {"vertex_counts", group.vertexCounts},
            {"vertices", std::move(vertices)},
            {"faces", std::move(faces)},
            {"uv", group.uv},
            {"colors", group.colors}};
}

/// A list of exactly `size` bytes.
template <std::size_t size>
std::array<std::uint8_t, size> bytesFrom(const JsonReader& json) {
    json.requireSize(size);
    std::array<std::uint8_t, size> bytes{};
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = json.at(i).integer<std::uint8_t>();
    return bytes;
}

/// Indices below `count`, one per corner.
std::array<std::uint16_t, kMostCorners> indicesFrom(const JsonReader& json, std::size_t corners, std::size_t count) {
    json.requireSize(corners);
    std::array<std::uint16_t, kMostCorners> indices{};
    for (std::size_t i = 0; i < corners; ++i)
        indices[i] = static_cast<std::uint16_t>(json.at(i).index(std::min(count, kMostOfAKind + 1)));
    return indices;
}

/// Named members take precedence over the bytes of the record.
Face faceFrom(const JsonReader& json, FaceKind kind, const Group& group, core::Diagnostics& diagnostics) {
    const FaceLayout& layout = layoutOf(kind);
    core::ByteVector record = json.hexOrNone("raw");
    if (!record.empty() && record.size() != layout.size)
        json.at("raw").fail(fmt::format("{} bytes", layout.size));
    record.resize(layout.size);
    Face face = decodeFace(kind, record);
    face.vertices = indicesFrom(json.at("vertices"), layout.corners, group.vertices.size());
    face.flags = json.at("flags").integer<std::uint8_t>();
    if (layout.uv)
        face.uv = indicesFrom(json.at("uv"), layout.corners, group.uv.size());
    if (layout.colors)
        face.colors = indicesFrom(json.at("colors"), layout.corners, group.colors.size());
    if (layout.rgb)
        face.rgb = bytesFrom<3>(json.at("rgb"));
    if (layout.material)
        face.material = json.at("material").integer<std::uint8_t>();
    if (layout.direction)
        face.direction = json.at("direction").integer<std::uint8_t>();
    DerivedMembers bytes;
    bytes.expect(json, "raw", toHex(core::Bytes(encodeFace(face)).first(layout.size)));
    bytes.report(diagnostics);
    return face;
}

Vertex vertexFrom(const JsonReader& json) {
    json.requireSize(5);
    Vertex vertex;
    vertex.x = json.at(std::size_t{0}).integer<std::int16_t>();
    vertex.y = json.at(1).integer<std::int16_t>();
    vertex.z = json.at(2).integer<std::int16_t>();
    vertex.bone = json.at(3).integer<std::uint8_t>();
    vertex.direction = json.at(4).integer<std::uint8_t>();
    return vertex;
}

void readVertices(const JsonReader& json, std::size_t bones, Group& group) {
    const JsonReader counts = json.at("vertex_counts");
    counts.requireSize(bones);
    group.vertexCounts = counts.integers<std::uint16_t>();
    const std::size_t sum = std::accumulate(group.vertexCounts.begin(), group.vertexCounts.end(), std::size_t{0});
    const JsonReader vertices = json.at("vertices");
    if (vertices.size() != sum)
        throw core::DecodeError(vertices.place(),
                                fmt::format("has {} vertices, but the counts state {}", vertices.size(), sum));
    group.vertices.reserve(sum);
    for (std::size_t i = 0; i < sum; ++i)
        group.vertices.push_back(vertexFrom(vertices.at(i)));
}

void readFaces(const JsonReader& json, Group& group, core::Diagnostics& diagnostics) {
    for (std::size_t kind = 0; kind < kFaceKinds; ++kind) {
        const std::string_view name = layoutOf(static_cast<FaceKind>(kind)).name;
        const std::optional<JsonReader> list = json.find(name);
        const std::size_t count = list ? list->size() : 0;
        if (count > kMostOfAKind)
            throw core::DecodeError(list->place(),
                                    fmt::format("has {} faces, expected at most {}", count, kMostOfAKind));
        for (std::size_t i = 0; i < count; ++i)
            group.faces.push_back(faceFrom(list->at(i), static_cast<FaceKind>(kind), group, diagnostics));
    }
}

/// Reports that entries at the end of a list were left out because no face uses them.
template <typename Entry>
void noteUnused(const JsonReader& json, std::string_view key, const std::vector<Entry>& used,
                core::Diagnostics& diagnostics) {
    DerivedMembers list;
    list.expect(json, key, used);
    list.report(diagnostics);
}

Group groupFrom(const JsonReader& json, std::size_t index, std::size_t bones, core::Diagnostics& diagnostics) {
    Group group;
    DerivedMembers place;
    place.expect(json, "index", index);
    place.report(diagnostics);
    group.damaged = json.has("damaged") && json.at("damaged").flag();
    if (group.damaged)
        return group;
    group.depth = json.integerOr<std::int8_t>("depth", 0);
    group.unknown12 = json.integerOr<std::uint8_t>("unknown_12", 0);
    readVertices(json, bones, group);
    for (const JsonReader& uv : json.list("uv"))
        group.uv.push_back(bytesFrom<2>(uv));
    for (const JsonReader& color : json.list("colors"))
        group.colors.push_back(bytesFrom<4>(color));
    readFaces(json.at("faces"), group, diagnostics);
    group.uv.resize(countUsedUv(group));  // readers only find entries that faces use
    group.colors.resize(countUsedColors(group));
    noteUnused(json, "uv", group.uv, diagnostics);
    noteUnused(json, "colors", group.colors, diagnostics);
    group.packetBytes = json.integerOr("packet_bytes", packetBytesOf(group));
    return group;
}

}  // namespace

Json toJson(const std::vector<Group>& groups, const core::Limits& limits) {
    constexpr std::uint64_t kBytesPerFace = 1500;  // measured: an object of five members in nlohmann's JSON, its text
    constexpr std::uint64_t kBytesPerEntry = 250;  // measured: a list of up to five numbers
    std::uint64_t bytes = 0;
    for (const Group& group : groups)
        bytes += group.faces.size() * kBytesPerFace +
                 (group.vertices.size() + group.uv.size() + group.colors.size()) * kBytesPerEntry;
    core::requireMemory(bytes, limits, {"groups", std::nullopt});
    Json list = Json::array();
    for (std::size_t i = 0; i < groups.size(); ++i)
        list.push_back(toJson(groups[i], i));
    return list;
}

std::vector<Group> groupsFromJson(const JsonReader& json, std::size_t bones, core::Diagnostics& diagnostics) {
    if (json.size() > kMostGroups)
        throw core::DecodeError(json.place(),
                                fmt::format("has {} groups, expected at most {}", json.size(), kMostGroups));
    std::vector<Group> groups;
    for (std::size_t i = 0; i < json.size(); ++i)
        groups.push_back(groupFrom(json.at(i), i, bones, diagnostics));
    return groups;
}

}  // namespace reanima::ff9
