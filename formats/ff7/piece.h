/// Meshes of Final Fantasy VII (PC), `*.p`, `**am` to `**cz`, `*.p00`: the piece of one bone, or a weapon.
///
/// Layout and evidence: docs/formats/ff7_mesh.md
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/bytes.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "field_animation.h"
#include "word_fields.h"

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
inline constexpr std::array<WordField<PieceHeader>, 16> kPieceHeaderFields = {{
    {"version", &PieceHeader::version},
    {"unknown_04", &PieceHeader::unknown04},
    {"vertex_type", &PieceHeader::vertexType},
    {"vertex_count", &PieceHeader::vertexCount},
    {"normal_count", &PieceHeader::normalCount},
    {"extra_count", &PieceHeader::extraCount},
    {"texture_coordinate_count", &PieceHeader::textureCoordinateCount},
    {"vertex_color_count", &PieceHeader::vertexColorCount},
    {"edge_count", &PieceHeader::edgeCount},
    {"polygon_count", &PieceHeader::polygonCount},
    {"record24_count", &PieceHeader::record24Count},
    {"record3_count", &PieceHeader::record3Count},
    {"render_state_count", &PieceHeader::renderStateCount},
    {"group_count", &PieceHeader::groupCount},
    {"box_count", &PieceHeader::boxCount},
    {"has_normal_indices", &PieceHeader::hasNormalIndices},
}};

/// A triangle, clockwise seen from its front.
struct Polygon {
    std::uint16_t unknown00 = 0;
    std::array<std::uint16_t, 3> vertices{};  ///< relative to its group's first vertex
    std::array<std::uint16_t, 3> normals{};   ///< of the whole file
    std::array<std::uint16_t, 3> edges{};     ///< relative to its group's first edge
    std::uint32_t unknown14 = 0;
};

/// How a group is drawn. The numbers that the game fills in at run time are kept.
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
    std::uint32_t vertexAlpha = 255;  ///< of blend modes 0 and 3
    std::uint32_t unknown60 = 0;
};
inline constexpr std::array<WordField<RenderState>, 25> kRenderStateFields = {{
    {"unknown_00", &RenderState::unknown00},
    {"flags", &RenderState::flags},
    {"options", &RenderState::options},
    {"features", &RenderState::features},
    {"texture", &RenderState::texture},
    {"texture_pointer", &RenderState::texturePointer},
    {"unknown_18", &RenderState::unknown18},
    {"unknown_1c", &RenderState::unknown1C},
    {"unknown_20", &RenderState::unknown20},
    {"shade_mode", &RenderState::shadeMode},
    {"ambient", &RenderState::ambient},
    {"unknown_2c", &RenderState::unknown2C},
    {"material_pointer", &RenderState::materialPointer},
    {"source_blend", &RenderState::sourceBlend},
    {"destination_blend", &RenderState::destinationBlend},
    {"unknown_3c", &RenderState::unknown3C},
    {"alpha_reference", &RenderState::alphaReference},
    {"blend_mode", &RenderState::blendMode},
    {"z_sort", &RenderState::zSort},
    {"unknown_4c", &RenderState::unknown4C},
    {"unknown_50", &RenderState::unknown50},
    {"unknown_54", &RenderState::unknown54},
    {"unknown_58", &RenderState::unknown58},
    {"vertex_alpha", &RenderState::vertexAlpha},
    {"unknown_60", &RenderState::unknown60},
}};

/// Polygons that are drawn alike.
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
    std::uint32_t texture = 0;  ///< number in the model's list
};
inline constexpr std::array<WordField<Group>, 14> kGroupFields = {{
    {"type", &Group::type},
    {"first_polygon", &Group::firstPolygon},
    {"polygon_count", &Group::polygonCount},
    {"first_vertex", &Group::firstVertex},
    {"vertex_count", &Group::vertexCount},
    {"first_edge", &Group::firstEdge},
    {"edge_count", &Group::edgeCount},
    {"unknown_1c", &Group::unknown1C},
    {"unknown_20", &Group::unknown20},
    {"unknown_24", &Group::unknown24},
    {"unknown_28", &Group::unknown28},
    {"first_texture_coordinate", &Group::firstTextureCoordinate},
    {"textured", &Group::textured},
    {"texture", &Group::texture},
}};

/// Never used; its floats are kept as their bits, for some are no numbers.
struct Box {
    std::uint32_t unknown00 = 0;
    std::array<std::uint32_t, 3> maximum{};
    std::array<std::uint32_t, 3> minimum{};
};

/// The file, word for word.
struct Piece {
    PieceHeader header;                       ///< as stored
    std::array<std::uint32_t, 16> runtime{};  ///< left over from memory
    std::vector<Triple> vertices;             ///< in the space of the bone
    std::vector<Triple> normals;              ///< unit vectors; none in battle
    std::vector<Triple> extra;
    std::vector<Pair> textureCoordinates;
    std::vector<StoredColor> vertexColors;
    std::vector<StoredColor> polygonColors;  ///< not drawn
    std::vector<std::array<std::uint16_t, 2>> edges;
    std::vector<Polygon> polygons;
    std::vector<std::array<std::uint8_t, 24>> records24;
    std::vector<std::array<std::uint8_t, 3>> records3;
    std::vector<RenderState> renderStates;
    std::vector<Group> groups;
    std::vector<Box> boxes;                    ///< none where the file is cut in or before them
    std::vector<std::uint32_t> normalIndices;  ///< one per vertex, or none
    core::ByteVector tail;                     ///< the bytes from where reading ended
};

/// Bytes of the boxes, and of the normal indices, as the header states them.
[[nodiscard]] std::uint64_t boxBytes(const PieceHeader& header);
[[nodiscard]] std::uint64_t normalIndexBytes(const PieceHeader& header);

/// @throws core::DecodeError for another version or vertex type
void requireKnown(const PieceHeader& header);
/// @throws core::DecodeError unless the polygons and vertices of all groups are there; of the kind `limit` if groups
/// share so many polygons that they exceed the limits
void requireGroupsInside(const Piece& piece, const core::Limits& limits);

/// @throws core::DecodeError for another version or vertex type, a section in front of the boxes that is cut, a group
/// whose polygons or vertices lie outside, or vectors that are not finite
[[nodiscard]] Piece decodePiece(core::Bytes file, const core::Limits& limits, core::Diagnostics& diagnostics);

[[nodiscard]] core::ByteVector encodePiece(const Piece& piece);

/// True if the bytes have the structure of a mesh, to the last one.
[[nodiscard]] bool isPiece(core::Bytes file);
/// True if the header is one, and the vertices are there.
[[nodiscard]] bool beginsLikePiece(core::Bytes file);

}  // namespace reanima::ff7
