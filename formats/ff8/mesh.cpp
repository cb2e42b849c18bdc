#include "formats/ff8/mesh.h"

#include <fmt/format.h>

#include "formats/ff8/offsets.h"

namespace reanima::ff8 {

namespace {

using core::DecodeError;
using core::LittleEndianReader;

constexpr std::uint64_t kMost = 1'000'000;  // limit for all faces, and for all vertices; objects may share bytes
constexpr std::uint16_t kIndexBits = 0xFFF;

/// How many more faces and vertices may be read.
struct Room {
    std::uint64_t vertices = kMost;
    std::uint64_t faces = kMost;
};

void take(std::uint64_t& left, std::uint64_t count, const core::Place& place) {
    if (count > left)
        throw DecodeError(place, fmt::format("are more than {} in all objects together", kMost),
                          DecodeError::Kind::limit);
    left -= count;
}

void readGroup(LittleEndianReader& reader, std::size_t bones, Object& object, Room& room) {
    const auto bone = reader.read<std::uint16_t>("bone");
    if (bone >= bones)
        throw DecodeError(reader.place("bone", 2), fmt::format("is {}, expected below {}", bone, bones));
    const std::size_t count = reader.read<std::uint16_t>("vertex_count");
    constexpr std::size_t kVertexSize = 6;
    const core::Place place = reader.place("vertex_count", 2);
    LittleEndianReader vertices = reader.slice(count * kVertexSize, "vertices");
    take(room.vertices, count, place);
    for (std::size_t i = 0; i < count; ++i) {
        Vertex& vertex = object.vertices.emplace_back(Vertex{bone, {}});
        for (std::int16_t& axis : vertex.place)
            axis = vertices.read<std::int16_t>("vertices");
    }
}

/// How faces of one kind are stored.
struct FaceKind {
    const char* name;
    std::size_t corners;
    std::array<std::size_t, kMostCorners> uvOrder;  ///< corners of the texture coordinates, in the order of the file
    std::size_t clutAfter;  ///< number of coordinates before the CLUT; one more and the page follow it
    std::size_t size;
};

constexpr std::array<FaceKind, 4> kFaceKinds = {{{"triangles", 3, {2, 0, 1}, 2, 16},
                                                 {"quads", 4, {0, 1, 2, 3}, 1, 20},
                                                 {"colored_triangles", 3, {2, 0, 1}, 2, 20},
                                                 {"colored_quads", 4, {0, 1, 2, 3}, 1, 24}}};

Face readFace(LittleEndianReader& reader, const FaceKind& kind, std::size_t vertices) {
    const std::size_t before = reader.remaining();
    Face face{kind.corners, {}, {}, {}};
    for (std::size_t i = 0; i < kind.corners; ++i) {
        face.vertices[i] = reader.read<std::uint16_t>("vertices") & kIndexBits;
        if (face.vertices[i] >= vertices)
            throw DecodeError(reader.place("vertices", 2),
                              fmt::format("is {}, expected below {}", face.vertices[i], vertices));
    }
    for (std::size_t i = 0; i < kind.corners; ++i) {
        for (std::uint8_t& axis : face.uv[kind.uvOrder[i]])
            axis = reader.read<std::uint8_t>("uv");
        if (i + 1 == kind.clutAfter)
            face.texture.clut = reader.read<std::uint16_t>("clut");
        else if (i == kind.clutAfter)
            face.texture.page = reader.read<std::uint16_t>("page");
    }
    (void)reader.bytes(kind.size - (before - reader.remaining()), "color");
    return face;
}

Object readObject(LittleEndianReader& reader, std::size_t bones, Room& room) {
    const std::uint64_t start = reader.offset();
    Object object;
    const std::size_t groups = reader.read<std::uint16_t>("group_count");
    for (std::size_t i = 0; i < groups; ++i) {
        const auto scope = reader.enter("groups", i);
        readGroup(reader, bones, object, room);
    }
    (void)reader.bytes((start - reader.offset()) % 4, "padding");
    std::array<std::size_t, kFaceKinds.size()> counts{};
    for (std::size_t& count : counts)
        count = reader.read<std::uint16_t>("face_counts");
    (void)reader.read<std::uint32_t>("unknown");
    for (std::size_t kind = 0; kind < counts.size(); ++kind) {
        take(room.faces, counts[kind], reader.place(kFaceKinds[kind].name));
        for (std::size_t i = 0; i < counts[kind]; ++i) {
            const auto scope = reader.enter(kFaceKinds[kind].name, i);
            object.faces.push_back(readFace(reader, kFaceKinds[kind], object.vertices.size()));
        }
    }
    return object;
}

}  // namespace

std::vector<Object> decodeMesh(LittleEndianReader section, std::size_t bones, core::Diagnostics& diagnostics) {
    std::vector<Object> objects;
    if (section.atEnd())
        return objects;
    const Parts parts = readParts(section, "object_count", "object_offsets");
    Room room;
    for (const std::uint32_t start : parts.starts) {
        LittleEndianReader reader = section.at(start, "objects");
        const auto scope = reader.enter("objects", objects.size());
        objects.emplace_back();
        try {
            objects.back() = readObject(reader, bones, room);
        } catch (const DecodeError& error) {
            if (error.kind() == DecodeError::Kind::limit)
                throw;
            diagnostics.warn(core::Code::damaged, error);
        }
    }
    return objects;
}

}  // namespace reanima::ff8
