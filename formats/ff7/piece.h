/// Meshes of Final Fantasy VII (PC), `*.p`, `**am` to `**cz`, `*.p00`: the piece of one bone, or a weapon.
///
/// Layout and evidence: docs/formats/ff7_mesh.md
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../fields.h"
#include "core/bytes.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "field_animation.h"

namespace reanima::ff7 {

using Pair = std::array<float, 2>;                ///< u, v; v = 0 is the image's upper edge
using StoredColor = std::array<std::uint8_t, 4>;  ///< blue, green, red, alpha

struct PieceHeader {
    std::uint32_t version = 1;
    std::uint32_t unknown04 = 1;
    std::uint32_t vertexType = 1;  ///< 0 plain, 1 coloured
    std::uint32_t vertexCount = 0;
    std::uint32_t normalCount = 0;
    std::uint32_t extraCount = 0;
    std::uint32_t textureCoordinateCount = 0;
    std::uint32_t vertexColorCount = 0;
    std::uint32_t edgeCount = 0;
    std::uint32_t polygonCount = 0;
    std::uint32_t record24Count = 0;
    std::uint32_t record3Count = 0;
    std::uint32_t renderStateCount = 0;
    std::uint32_t groupCount = 0;
    std::uint32_t boxCount = 0;
    std::uint32_t hasNormalIndices = 0;
};
void describe(auto&& f, fields::RecordOf<PieceHeader> auto& header) {
    f("version", header.version);
    f("unknown_04", header.unknown04);
    f("vertex_type", header.vertexType);
    f("vertex_count", header.vertexCount);
    f("normal_count", header.normalCount);
    f("extra_count", header.extraCount);
    f("texture_coordinate_count", header.textureCoordinateCount);
    f("vertex_color_count", header.vertexColorCount);
    f("edge_count", header.edgeCount);
    f("polygon_count", header.polygonCount);
    f("record24_count", header.record24Count);
    f("record3_count", header.record3Count);
    f("render_state_count", header.renderStateCount);
    f("group_count", header.groupCount);
    f("box_count", header.boxCount);
    f("has_normal_indices", header.hasNormalIndices);
}

/// A triangle, clockwise seen from its front.
struct Polygon {
    std::uint16_t unknown00 = 0;
    std::array<std::uint16_t, 3> vertices{};  ///< relative to its group's first vertex
    std::array<std::uint16_t, 3> normals{};   ///< indices into the normals of the whole file
    std::array<std::uint16_t, 3> edges{};     ///< relative to its group's first edge
    std::uint32_t unknown14 = 0;
};
void describe(auto&& f, fields::RecordOf<Polygon> auto& polygon) {
    f("unknown_00", polygon.unknown00, fields::kMayLack);
    f("vertices", polygon.vertices);
    f("normals", polygon.normals);
    f("edges", polygon.edges);
    f("unknown_14", polygon.unknown14, fields::kMayLack);
}

/// How a group is drawn. Values that the game fills in at run time are kept.
struct RenderState {
    std::uint32_t unknown00 = 1;
    std::uint32_t flags = 1;
    std::uint32_t options = 0;   ///< the value of each state bit
    std::uint32_t features = 0;  ///< which bits this record sets
    std::uint32_t texture = 0;
    std::uint32_t texturePointer = 0;
    std::uint32_t unknown18 = 0;
    std::uint32_t unknown1C = 0;
    std::uint32_t unknown20 = 0;
    std::uint32_t shadeMode = 2;  ///< 1 flat, 2 smooth
    std::uint32_t ambient = 0;
    std::uint32_t unknown2C = 0;
    std::uint32_t materialPointer = 0;
    std::uint32_t sourceBlend = 0;
    std::uint32_t destinationBlend = 0;
    std::uint32_t unknown3C = 0;
    std::uint32_t alphaReference = 0;
    std::uint32_t blendMode = 4;  ///< 0 average, 1 additive, 2 subtractive, 3 a quarter added, 4 none
    std::uint32_t zSort = 0;
    std::uint32_t unknown4C = 0;
    std::uint32_t unknown50 = 0;
    std::uint32_t unknown54 = 0;
    std::uint32_t unknown58 = 0;
    std::uint32_t vertexAlpha = 255;  ///< alpha for blend modes 0 and 3
    std::uint32_t unknown60 = 0;
};
void describe(auto&& f, fields::RecordOf<RenderState> auto& state) {
    f("unknown_00", state.unknown00);
    f("flags", state.flags);
    f("options", state.options);
    f("features", state.features);
    f("texture", state.texture);
    f("texture_pointer", state.texturePointer);
    f("unknown_18", state.unknown18);
    f("unknown_1c", state.unknown1C);
    f("unknown_20", state.unknown20);
    f("shade_mode", state.shadeMode);
    f("ambient", state.ambient);
    f("unknown_2c", state.unknown2C);
    f("material_pointer", state.materialPointer);
    f("source_blend", state.sourceBlend);
    f("destination_blend", state.destinationBlend);
    f("unknown_3c", state.unknown3C);
    f("alpha_reference", state.alphaReference);
    f("blend_mode", state.blendMode);
    f("z_sort", state.zSort);
    f("unknown_4c", state.unknown4C);
    f("unknown_50", state.unknown50);
    f("unknown_54", state.unknown54);
    f("unknown_58", state.unknown58);
    f("vertex_alpha", state.vertexAlpha);
    f("unknown_60", state.unknown60);
}

/// Polygons with the same render state.
struct Group {
    std::uint32_t type = 1;
    std::uint32_t firstPolygon = 0;
    std::uint32_t polygonCount = 0;
    std::uint32_t firstVertex = 0;
    std::uint32_t vertexCount = 0;
    std::uint32_t firstEdge = 0;
    std::uint32_t edgeCount = 0;
    std::uint32_t unknown1C = 0;
    std::uint32_t unknown20 = 0;
    std::uint32_t unknown24 = 0;
    std::uint32_t unknown28 = 0;
    std::uint32_t firstTextureCoordinate = 0;
    std::uint32_t textured = 0;
    std::uint32_t texture = 0;  ///< number of the texture in the model's list
};
void describe(auto&& f, fields::RecordOf<Group> auto& group) {
    f("type", group.type);
    f("first_polygon", group.firstPolygon);
    f("polygon_count", group.polygonCount);
    f("first_vertex", group.firstVertex);
    f("vertex_count", group.vertexCount);
    f("first_edge", group.firstEdge);
    f("edge_count", group.edgeCount);
    f("unknown_1c", group.unknown1C);
    f("unknown_20", group.unknown20);
    f("unknown_24", group.unknown24);
    f("unknown_28", group.unknown28);
    f("first_texture_coordinate", group.firstTextureCoordinate);
    f("textured", group.textured);
    f("texture", group.texture);
}

/// Never used. Its floats are kept as bits, since some are not finite.
struct Box {
    std::uint32_t unknown00 = 0;
    std::array<std::uint32_t, 3> maximum{};
    std::array<std::uint32_t, 3> minimum{};
};
void describe(auto&& f, fields::RecordOf<Box> auto& box) {
    f("unknown_00", box.unknown00);
    f("max", box.maximum);
    f("min", box.minimum);
}

/// The content of a file, word for word.
struct Piece {
    PieceHeader header;                       ///< header as stored
    std::array<std::uint32_t, 16> runtime{};  ///< leftovers of run-time memory
    std::vector<Triple> vertices;             ///< positions in the space of the bone
    std::vector<Triple> normals;              ///< unit vectors; none in battle meshes
    std::vector<Triple> extra;
    std::vector<Pair> textureCoordinates;
    std::vector<StoredColor> vertexColors;
    std::vector<StoredColor> polygonColors;  ///< the game does not draw them
    std::vector<std::array<std::uint16_t, 2>> edges;
    std::vector<Polygon> polygons;
    std::vector<std::array<std::uint8_t, 24>> records24;
    std::vector<std::array<std::uint8_t, 3>> records3;
    std::vector<RenderState> renderStates;
    std::vector<Group> groups;
    std::vector<Box> boxes;                    ///< empty if the file ends before the last box
    std::vector<std::uint32_t> normalIndices;  ///< one per vertex, or none
    core::ByteVector tail;                     ///< the bytes after the last section that was read
};

/// Bytes of the boxes, and of the normal indices, as the header states them.
[[nodiscard]] std::uint64_t boxBytes(const PieceHeader& header);
[[nodiscard]] std::uint64_t normalIndexBytes(const PieceHeader& header);

/// @throws core::DecodeError for another version or vertex type
void requireKnown(const PieceHeader& header);
/// @throws core::DecodeError unless the polygons and vertices of all groups exist; of the kind `limit` if groups share
/// polygons and their total exceeds the limits
void requireGroupsInside(const Piece& piece, const core::Limits& limits);

/// @throws core::DecodeError for another version or vertex type, a truncated section before the boxes, a group whose
/// polygons or vertices are out of range, or vectors that are not finite
[[nodiscard]] Piece decodePiece(core::Bytes file, const core::Limits& limits, core::Diagnostics& diagnostics);

[[nodiscard]] core::ByteVector encodePiece(const Piece& piece);

/// True if all bytes have the structure of a mesh.
[[nodiscard]] bool isPiece(core::Bytes file);
/// True if the header is valid and the vertices are complete.
[[nodiscard]] bool beginsLikePiece(core::Bytes file);

}  // namespace reanima::ff7
