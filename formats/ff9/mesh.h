/// Meshes of models of Final Fantasy IX (PlayStation): groups of vertices, faces, texture coordinates and colours.
///
/// Layout and evidence: docs/formats/ff9_model.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "../../core/byte_reader.h"
#include "../../core/diagnostics.h"
#include "../../core/limits.h"

namespace reanima::ff9 {

/// In the order of their blocks: f has one colour, g one per corner, t a texture; the digit is the number of corners.
enum class FaceKind : std::uint8_t { ft4, ft3, gt4, gt3, g4, g3, f4, f3 };
inline constexpr std::size_t kFaceKinds = 8;
inline constexpr std::size_t kMostCorners = 4;
inline constexpr std::size_t kLargestFace = 32;  ///< bytes

/// The fields of a kind of face, in bytes from its start. Vertices are at 0. Lists of indices are u16.
struct FaceLayout {
    std::string_view name;
    std::size_t size = 0;
    std::size_t corners = 0;
    std::size_t packetBytes = 0;  ///< size of the drawing command that the game makes from a face
    std::size_t flags = 0;
    std::optional<std::size_t> uv{};         ///< list
    std::optional<std::size_t> colors{};     ///< list
    std::optional<std::size_t> rgb{};        ///< three bytes
    std::optional<std::size_t> material{};   ///< one byte
    std::optional<std::size_t> direction{};  ///< one byte
};
/// How faces of a kind are stored.
[[nodiscard]] const FaceLayout& layoutOf(FaceKind kind);

inline constexpr std::uint8_t kSemiTransparent = 0x01;
inline constexpr std::uint8_t kTwoSided = 0x02;
inline constexpr std::uint8_t kUnknownFlags = 0x1C;
inline constexpr std::uint8_t kBlendModeBits = 0x60;  ///< 0 to 3: (B + F) / 2, B + F, B - F, B + F / 4
inline constexpr unsigned kBlendModeShift = 5;
inline constexpr std::uint8_t kDeepPage = 0x80;  ///< added to the texture page by OR: 8 bits per texel instead of 4

struct Vertex {
    std::int16_t x = 0;  ///< in the space of its bone, in the game's units; y points down
    std::int16_t y = 0;
    std::int16_t z = 0;
    std::uint8_t bone = 0;       ///< as stored; the game uses Group::vertexCounts instead
    std::uint8_t direction = 0;  ///< index into a table of 240 unit vectors; not used by the game
};

/// One face; members that its kind lacks are 0.
struct Face {
    FaceKind kind = FaceKind::ft4;
    std::array<std::uint16_t, kMostCorners> vertices{};
    std::array<std::uint16_t, kMostCorners> uv{};      ///< indices into Group::uv
    std::array<std::uint16_t, kMostCorners> colors{};  ///< indices into Group::colors
    std::array<std::uint8_t, 3> rgb{};                 ///< 128 leaves a texel unchanged
    std::uint8_t material = 0;
    std::uint8_t flags = 0;
    std::uint8_t direction = 0;
    std::array<std::uint8_t, kLargestFace> unnamed{};  ///< stored bytes; those that other members cover are 0 here
};

/// A part of a mesh that the game can hide.
struct Group {
    bool damaged = false;  ///< the group can't be read: nothing else is set
    std::uint16_t packetBytes = 0;
    std::uint8_t unknown12 = 0;
    std::int8_t depth = 0;                        ///< the game shifts the group by this in the drawing order
    std::vector<std::uint16_t> vertexCounts;      ///< number of vertices per bone, bone by bone
    std::vector<Vertex> vertices;                 ///< ordered by bone
    std::vector<Face> faces;                      ///< ordered by kind
    std::vector<std::array<std::uint8_t, 2>> uv;  ///< u and v, up to the highest index in a face
    std::vector<std::array<std::uint8_t, 4>>
        colors;  ///< red, green, blue and a byte that is 0, up to the highest index in a face
};

/// Where the groups of a model are, and the base of their pointers.
struct GroupTable {
    std::uint64_t offset = 0;  ///< offset in the model
    std::size_t groups = 0;
    std::size_t bones = 0;
    std::uint64_t base = 0;  ///< address of the model's first byte in the console's memory; 0: pointers are offsets
};

inline constexpr std::size_t kGroupSize = 40;
inline constexpr std::uint64_t kMostInGroups = 1'000'000;  ///< vertices or faces of all groups

/// Decodes the groups of a model. Groups that extend beyond the model are reported by warnings; the others are kept.
/// @param model reader at the model's first byte
/// @param table inside the model
/// @throws core::DecodeError of the kind `limit` for more than kMostInGroups vertices or faces, or too much memory
[[nodiscard]] std::vector<Group> decodeGroups(const core::LittleEndianReader& model, const GroupTable& table,
                                              const core::Limits& limits, core::Diagnostics& diagnostics);

/// Encodes the table and the groups in the layout of the game's tool.
/// @param offset the table's offset in the file
/// @throws core::DecodeError for a damaged group
[[nodiscard]] core::ByteVector encodeGroups(const std::vector<Group>& groups, std::size_t offset);

/// The stored bytes of one face.
[[nodiscard]] std::array<std::uint8_t, kLargestFace> encodeFace(const Face& face);
/// The members of a face of that kind.
[[nodiscard]] Face decodeFace(FaceKind kind, core::Bytes record);

/// The bone of every vertex according to Group::vertexCounts, which the game uses too.
[[nodiscard]] std::vector<std::uint8_t> bonesByCounts(const Group& group);

/// The number of texture coordinates that the faces of a group use: the highest index plus 1. The file has no count.
[[nodiscard]] std::size_t countUsedUv(const Group& group);
/// The number of colours that the faces of a group use: the highest index plus 1.
[[nodiscard]] std::size_t countUsedColors(const Group& group);

/// The size in bytes of the drawing commands for a group's faces, modulo 65536.
[[nodiscard]] std::uint16_t packetBytesOf(const Group& group);

}  // namespace reanima::ff9
